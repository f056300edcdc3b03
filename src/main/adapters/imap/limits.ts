/** Longest time each part of a visit may take, in milliseconds of wall time. */
export type ImapDeadlines = {
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly greetingMs: number;
  /** Longest silence between two pieces of an answer. */
  readonly silenceMs: number;
  /** The whole visit, from the first packet to the goodbye; bytes that drip in do not extend it. */
  readonly visitMs: number;
};

export const IMAP_DEADLINES: ImapDeadlines = {
  connectMs: 30_000,
  tlsMs: 30_000,
  greetingMs: 60_000,
  silenceMs: 60_000,
  visitMs: 180_000,
};

/** What a server may make us hold at once, and in one visit. */
export const LINE_MAX_BYTES = 1024 * 1024;
export const LITERAL_MAX_BYTES = 1024 * 1024;
export const RESPONSE_MAX_BYTES = 4 * 1024 * 1024;
export const RESPONSE_TOKENS_MAX = 100_000;
export const VISIT_MAX_BYTES = 64 * 1024 * 1024;
