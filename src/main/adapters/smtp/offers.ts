import type { RawReply } from './reply-reader.ts';

/** What a server offers in its reply to EHLO. */
export type Offers = {
  readonly startTls: boolean;
  readonly smtpUtf8: boolean;
  /** Largest message in bytes; null where none is named, or nothing that can be read. */
  readonly sizeMaxBytes: number | null;
  /** The first of our two login methods that is offered. */
  readonly login: 'PLAIN' | 'LOGIN' | null;
  /** Login by an access token. */
  readonly xoauth2: boolean;
};

/** The first line only names the server. Source: RFC 5321 4.1.1.1, RFC 1870, RFC 4954; `AUTH=` is an old spelling. */
export function readOffers(reply: RawReply): Offers {
  const offers = reply.lines.slice(1).map((line) =>
    line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/),
  );
  const named = (keyword: string) => offers.filter((words) => words[0] === keyword);
  const methods = named('AUTH').flatMap((words) => words.slice(1));
  const size = named('SIZE')[0]?.[1] ?? '';
  return {
    startTls: named('STARTTLS').length > 0,
    smtpUtf8: named('SMTPUTF8').length > 0,
    // Zero means that there is no fixed limit.
    sizeMaxBytes: /^\d{1,15}$/.test(size) && Number(size) > 0 ? Number(size) : null,
    xoauth2: methods.includes('XOAUTH2'),
    login: methods.includes('PLAIN') ? 'PLAIN' : methods.includes('LOGIN') ? 'LOGIN' : null,
  };
}
