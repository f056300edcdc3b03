import type { Composer } from '../../src/main/engine/ports.ts';
import type { Payload } from '../../src/shared/wire/payload.ts';
import type { SeededRandom } from '../support/fakes-clock.ts';
import type { ModelCloud } from '../support/fakes-cloud.ts';
import { samplePayload } from '../support/fakes-cloud-mail.ts';
import type { Timeline } from '../support/fakes-timeline.ts';
import type { Plan } from './plan.ts';

const OTHER_HASH = `sha256:${'0'.repeat(64)}`;
/** Firms that are written to. */
const DOMAINS = 6;

const bytesOf = ({ subject, to, text }: Pick<Payload, 'subject' | 'to' | 'text'>) =>
  `${to.address}\n${subject}\n${text ?? ''}`;

/** Writes what was approved, so that what arrives can be compared with it. */
export const COMPOSER: Composer = {
  async compose({ messageId, payload }) {
    const envelope = { from: payload.from.address, to: payload.to.address, needsSmtpUtf8: false };
    return { ok: true, value: { messageId, envelope, bytes: Buffer.from(bytesOf(payload)) } };
  },
};

/** The mails of a world, and what a person approved of each: bytes on the wire, or null where the hash is another’s. */
export class Mails {
  readonly approved = new Map<string, string | null>();
  readonly #plan: Plan;
  readonly #random: SeededRandom;
  readonly #cloud: ModelCloud;
  readonly #timeline: Timeline;

  constructor(plan: Plan, random: SeededRandom, cloud: ModelCloud, timeline: Timeline) {
    this.#plan = plan;
    this.#random = random;
    this.#cloud = cloud;
    this.#timeline = timeline;
  }

  /** Some are queued with a wrong hash, some with an end that comes soon, some for an address that was written to before. */
  queue(count: number): void {
    const random = this.#random;
    for (let each = 0; each < count; each += 1) {
      const place = this.#cloud.mails.size + 1;
      const id = `${place}`;
      const isBad = random.chance(this.#plan.oddity);
      const isShort = random.chance(this.#plan.oddity);
      const buyer = random.chance(this.#plan.sharing) ? 1 + random.below(place) : place;
      const address = `buyer-${buyer}@firm-${buyer % DOMAINS}.example`;
      const payload: Payload = { ...samplePayload(id), to: { name: null, address } };
      this.approved.set(id, isBad ? null : bytesOf(payload));
      this.#cloud.queue(id, {
        payload,
        ...(isBad ? { hash: OTHER_HASH } : {}),
        ...(isShort ? { notAfterMs: this.#timeline.nowMs + random.below(10 * 60_000) } : {}),
      });
    }
  }

  sendAgain(mailId: string): void {
    const again = this.#cloud.sendAgain(mailId);
    if (again !== null) this.approved.set(again.id, this.approved.get(mailId) ?? null);
  }
}
