/** What the head of a letter in the inbox says, as far as it can be about a mail of ours. */
export type Letter = {
  /** Tells it from every other letter: its Message-ID, or its place in the folder where it has none. */
  readonly key: string;
  readonly arrivedAtMs: number;
  /** Lower-case; empty where the head names none. */
  readonly from: string;
  readonly subject: string;
  /** Message-IDs in In-Reply-To and References, the nearest first; angle brackets included. */
  readonly answers: readonly string[];
  /** Written by a machine: an absence note, a list, a report. */
  readonly isAutomatic: boolean;
  /** multipart/report of a delivery. Source: RFC 3464. */
  readonly isReport: boolean;
  /** Read for letters that may be a bounce only; of all others the head is all that is looked at. */
  readonly body: LetterBody | null;
};

export type LetterBody = {
  /** All readable text, the fields of a delivery report among it. */
  readonly text: string;
  /** Heads, or whole mails, that came enclosed. */
  readonly enclosed: readonly string[];
};

const POSTMASTER = /^(mailer-daemon|postmaster|mail-daemon|mdaemon|bounce[^@]*|mailerdaemon|microsoftexchange[^@]*)@/;
const BOUNCE_SUBJECT =
  /undeliver|delivery status notification|delivery (has )?fail|failure notice|returned (mail|to sender)|mail delivery (failed|system|failure)|not delivered|退信|退回|投递失败|发送失败|无法投递|无法送达|无法传递|未送达|未能送达|投遞失敗|退件/i;

/** True for a letter whose body is worth reading. Forwarded and answered ones are people's. */
export function mayBeBounce(letter: Omit<Letter, 'body'>): boolean {
  if (letter.isReport) return true;
  if (POSTMASTER.test(letter.from)) return true;
  return letter.isAutomatic && BOUNCE_SUBJECT.test(letter.subject);
}
