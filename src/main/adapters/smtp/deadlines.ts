/**
 * Longest time each phase of a dialogue may take, in milliseconds of wall time: bytes that drip in do not extend it.
 * Source: RFC 5321 4.5.3.2, with shorter waits before MAIL, where a person may be watching and nothing is at stake.
 */
export type SmtpDeadlines = {
  /** Name look-up and TCP connection. */
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly greetingMs: number;
  /** EHLO and STARTTLS, each. */
  readonly helloMs: number;
  /** The whole login. */
  readonly authMs: number;
  /** From MAIL to the reply to DATA. */
  readonly envelopeMs: number;
  /** Between two pieces of the body that the server takes. */
  readonly bodyProgressMs: number;
  /** The gate; a gate that takes longer counts as shut. */
  readonly gateMs: number;
  /** From the last bytes to the final reply. A shorter wait makes mails uncertain that the server went on to accept. */
  readonly finalReplyMs: number;
  /** RSET on a connection that stood idle. */
  readonly verifyMs: number;
  readonly quitMs: number;
};

export const SMTP_DEADLINES: SmtpDeadlines = {
  connectMs: 30_000,
  tlsMs: 30_000,
  greetingMs: 60_000,
  helloMs: 60_000,
  authMs: 60_000,
  envelopeMs: 300_000,
  bodyProgressMs: 180_000,
  gateMs: 180_000,
  finalReplyMs: 600_000,
  verifyMs: 10_000,
  quitMs: 2_000,
};
