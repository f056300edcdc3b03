/** What the connect step sends: the cloud's origin and a code. */
export type PairLink = { readonly cloudUrl: string; readonly code: string };

/** Reads `https://cloud.example/#pair=ABCD-1234`; null where the text is no such link. */
export function readPairLink(text: string): PairLink | null {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  const code = new URLSearchParams(url.hash.slice(1)).get('pair')?.trim() ?? '';
  return code === '' || !isWeb(url) ? null : { cloudUrl: url.origin, code };
}

/** The origin a person meant by an address: `mail.example.com` is https. Null where it is no address at all. */
export function readCloudUrl(text: string): string | null {
  const trimmed = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || /\s/.test(trimmed) || !URL.canParse(whole)) return null;
  const url = new URL(whole);
  return isWeb(url) && url.hostname !== '' ? url.origin : null;
}

const isWeb = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'http:';
