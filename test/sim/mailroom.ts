import { factId } from '../../src/main/core/facts.ts';
import { messageIdOf } from '../../src/main/core/message-id.ts';
import type { Mailbox, MailboxFailure } from '../../src/main/engine/ports.ts';
import { err, type Result } from '../../src/shared/result.ts';
import type { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import type { CloudMail } from '../support/fakes-cloud-mail.ts';
import { bounceOf, letter, ModelMailbox } from '../support/fakes-mailbox.ts';
import type { Timeline } from '../support/fakes-timeline.ts';
import { CONFIG } from '../support/fakes-world.ts';

/** What an account's folders do: none are read, or Sent keeps what is sent by itself or does not. */
export type Folders = 'none' | 'yes' | 'no' | 'unknown';

/** Whose computer sent a mail, as far as it matters here. */
type Sender = { readonly isShared: boolean; readonly disk: { readonly lineage: number } };

/** A letter about a mail that had left, and who had sent it. */
type Written = { readonly mail: CloudMail; readonly factId: string; readonly sender: Sender | null };

/** Longest time until a mail is answered or comes back, and until a copy of it shows in Sent. */
const LETTER_MAX_MS = 8 * 60_000;
const COPY_MAX_MS = 20 * 60_000;

const BOUNCES = [
  '550 5.1.1 no such user',
  '550 5.1.1 the address does not exist',
  '552 5.2.2 mailbox full',
  '554 5.7.1 not wanted here',
];

/** The account's own folders, the same for all its computers, and the people and servers that write to it. */
export class Mailroom {
  readonly model = new ModelMailbox();
  readonly written: Written[] = [];
  /** Letters and copies that are still on their way. */
  onTheWay = 0;
  readonly #folders: Folders;
  readonly #answers: number;
  readonly #random: SeededRandom;
  readonly #timeline: Timeline;
  #letterCount = 0;

  constructor(
    { folders, answers }: { readonly folders: Folders; readonly answers: number },
    random: SeededRandom,
    timeline: Timeline,
  ) {
    this.#folders = folders;
    this.#answers = answers;
    this.#random = random;
    this.#timeline = timeline;
  }

  /** The mail server took the mail over: Sent may get its copy, and a letter about it may come, or several. */
  onAccepted(mail: CloudMail, sender: Sender | null): void {
    if (this.#folders === 'none') return;
    const random = this.#random;
    const messageId = messageIdOf({
      idempotencyKey: mail.key,
      payloadHash: mail.hash,
      fromDomain: CONFIG.account.address.split('@')[1] ?? '',
    });
    if (this.#folders !== 'no') this.#soon(random.below(COPY_MAX_MS), () => this.model.put(messageId));
    for (let each = 0; each < 3 && random.chance(this.#answers); each += 1) {
      this.#soon(random.below(LETTER_MAX_MS), () => this.#write(mail, messageId, sender));
    }
  }

  /** One computer's way to these folders; null where they are not read. */
  reachedFrom(way: {
    readonly clock: VirtualClock;
    readonly roughness: () => number;
    readonly isDown: () => boolean;
    readonly onRead: () => void;
  }): Mailbox | null {
    if (this.#folders === 'none') return null;
    const { model } = this;
    const random = this.#random;
    const visit = async <T>(
      signal: AbortSignal,
      effect: () => Promise<Result<T, MailboxFailure>>,
    ): Promise<Result<T, MailboxFailure>> => {
      const isRough = random.chance(way.roughness());
      await way.clock.sleep(1 + random.below(isRough ? 40_000 : 200), signal);
      if (signal.aborted) return err({ kind: 'stopped', text: 'stopped' });
      if (way.isDown() || (isRough && random.chance(0.5))) return err({ kind: 'unreachable', text: 'no answer' });
      const answer = await effect();
      // What was done is done, and nobody hears of it.
      return isRough && random.chance(0.5) ? err({ kind: 'busy', text: 'cut off' }) : answer;
    };
    return {
      find: (where, messageIds, signal) => visit(signal, () => model.find(where, messageIds, signal)),
      keepCopies: (copies, signal) => visit(signal, () => model.keepCopies(copies, signal)),
      letters: (cursor, sinceMs, signal) =>
        visit(signal, async () => {
          const answer = await model.letters(cursor, sinceMs, signal);
          way.onRead();
          return answer;
        }),
    };
  }

  #soon(ms: number, run: () => void): void {
    this.onTheWay += 1;
    this.#timeline.after(ms, () => {
      this.onTheWay -= 1;
      run();
    });
  }

  #write(mail: CloudMail, messageId: string, sender: Sender | null): void {
    this.#letterCount += 1;
    const key = `<letter-${this.#letterCount}@example.net>`;
    const arrived = { key, arrivedAtMs: this.#timeline.nowMs };
    const isBounce = this.#random.chance(0.6);
    this.model.inbox.push(
      isBounce
        ? bounceOf(messageId, this.#random.oneOf(BOUNCES), arrived)
        : letter({ ...arrived, answers: [messageId] }),
    );
    this.written.push({ mail, factId: factId(mail.id, isBounce ? 'bounced' : 'replied', key), sender });
    // Somebody's absence note about the same mail says nothing, and neither does a letter about no mail of ours.
    if (this.#random.chance(0.3)) {
      this.model.inbox.push(letter({ ...arrived, key: `${key}-absent`, answers: [messageId], isAutomatic: true }));
      this.model.inbox.push(letter({ ...arrived, key: `${key}-other`, answers: ['<somebody-else@example.net>'] }));
    }
  }
}
