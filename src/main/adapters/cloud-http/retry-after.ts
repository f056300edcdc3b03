const SHORTEST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;
/** IMF-fixdate, the one form a server may still write. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

type HeaderValue = string | string[] | undefined;

/**
 * How long the cloud asks to wait, in milliseconds between 1 s and 15 min; null for none, several or garbage. A date
 * counts from the server's own clock where it tells it, else from `nowMs`. Source: RFC 9110 10.2.3.
 */
export function retryAfterMs(value: HeaderValue, serverDate: HeaderValue, nowMs: number): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{1,20}$/.test(text)) return clamp(Number(text) * 1000);
  const until = parseDate(text);
  if (until === null) return null;
  return clamp(until - (parseDate(serverDate) ?? nowMs));
}

function parseDate(value: HeaderValue): number | null {
  if (typeof value !== 'string' || !HTTP_DATE.test(value.trim())) return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : atMs;
}

const clamp = (ms: number): number => Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms));
