import type { Letter } from '../../src/main/core/letter.ts';
import type { FoundMail, InboxCursor, Mailbox, MailboxFailure, SentCopy } from '../../src/main/engine/ports.ts';
import { err, ok, type Result } from '../../src/shared/result.ts';

/** The account's folders in memory: what is in Sent, what came in, and what goes wrong. */
export class ModelMailbox implements Mailbox {
  /** By the Message-ID they were composed with. */
  readonly sent = new Map<string, Pick<FoundMail, 'by' | 'currentMessageId'>>();
  readonly copies: SentCopy[] = [];
  readonly inbox: Letter[] = [];
  /** Every visit, in order. */
  readonly visits: ('find' | 'keep' | 'letters')[] = [];
  /** Asked at each visit. */
  failure: () => MailboxFailure | null = () => null;
  refuseCopies = false;
  pageSize = 100;

  put(messageId: string, as: Pick<FoundMail, 'by' | 'currentMessageId'> | null = null): void {
    this.sent.set(messageId, as ?? { by: 'message-id', currentMessageId: messageId });
  }

  find: Mailbox['find'] = (_, messageIds) =>
    this.#visit('find', () => ({
      folder: 'Sent',
      found: messageIds.flatMap((messageId) => {
        const there = this.sent.get(messageId);
        return there === undefined ? [] : [{ messageId, copies: 1, ...there }];
      }),
    }));

  keepCopies: Mailbox['keepCopies'] = (copies) =>
    this.#visit('keep', () => {
      const ends = new Map<string, 'kept' | 'there-already' | 'refused'>();
      for (const copy of copies) {
        const isThere = this.sent.has(copy.messageId);
        const isKept = !isThere && !this.refuseCopies;
        if (isKept) {
          this.put(copy.messageId);
          this.copies.push(copy);
        }
        ends.set(copy.messageId, isThere ? 'there-already' : isKept ? 'kept' : 'refused');
      }
      return ends;
    });

  letters: Mailbox['letters'] = (cursor) =>
    this.#visit('letters', () => {
      const from = cursor?.uidNext ?? 1;
      const letters = this.inbox.slice(from - 1, from - 1 + this.pageSize);
      const next: InboxCursor = { uidValidity: '1', uidNext: from + letters.length };
      return { cursor: next, letters, isRest: next.uidNext <= this.inbox.length };
    });

  async #visit<T>(name: 'find' | 'keep' | 'letters', answer: () => T): Promise<Result<T, MailboxFailure>> {
    this.visits.push(name);
    const failure = this.failure();
    return failure === null ? ok(answer()) : err(failure);
  }
}

/** A letter from somebody to this account. */
export const letter = (known: Partial<Letter> = {}): Letter => ({
  key: `<letter-${Math.random()}@example.net>`,
  arrivedAtMs: 0,
  from: 'li@example.net',
  subject: 'Re: hello',
  answers: [],
  isAutomatic: false,
  isReport: false,
  body: null,
  ...known,
});

/** A delivery report about the mail with this Message-ID. */
export const bounceOf = (messageId: string, diagnostic: string, known: Partial<Letter> = {}): Letter =>
  letter({
    from: 'mailer-daemon@example.net',
    subject: 'Undelivered Mail Returned to Sender',
    isAutomatic: true,
    isReport: true,
    body: {
      text: `Sorry.\n\nFinal-Recipient: rfc822; li@example.net\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; ${diagnostic}\n`,
      enclosed: [`Message-ID: ${messageId}\r\nSubject: hello\r\n\r\n`],
    },
    ...known,
  });
