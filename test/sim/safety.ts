import type { LedgerChange, OutboxRow } from '../../src/main/engine/ports.ts';
import type { Pace } from '../../src/shared/settings.ts';
import type { CloudChange } from '../support/fakes-cloud.ts';
import type { CloudMail } from '../support/fakes-cloud-mail.ts';
import { Beginnings } from './beginnings.ts';
import type { Computer } from './computer.ts';

type Definite = { readonly as: string; readonly computer: Computer; readonly lineage: number };

/**
 * The promises, checked the moment something happens that could break one: I1, I2, I4, I5, the truth of every result,
 * the pace, and that a report is told in the same bytes. The first breach stays.
 */
export class Safety {
  failure: string | null = null;
  readonly acceptances = new Map<string, number>();
  /** What a person approved, as bytes on the wire; null where the hash is another one’s, so it must never leave. */
  readonly #approved: Map<string, string | null>;
  readonly #pace: Pace;
  /** Outcomes that are on a disk, by the nonce of their attempt. */
  readonly #definite = new Map<string, Definite>();
  readonly #bodies = new Map<string, string>();
  /** When the mark of a mail was written, and those whose last bytes then left, for the pace. */
  readonly #marks = new Map<string, number>();
  readonly #left = new Map<Computer, number[]>();
  readonly #leftTo = new Map<string, readonly number[]>();
  readonly #final = new Map<string, string>();
  readonly #settledByPerson = new Set<string>();
  readonly #beginnings: Beginnings;
  /** Ends that a ledger knows, until its file is exchanged. */
  readonly #ended = new Map<string, string>();

  constructor(pace: Pace, approved: Map<string, string | null>) {
    this.#pace = pace;
    this.#approved = approved;
    this.#beginnings = new Beginnings(pace, (mailId) => this.#addressOf(mailId));
  }

  fail(text: string): void {
    this.failure ??= text;
  }

  isSettledByPerson(mailId: string): boolean {
    return this.#settledByPerson.has(mailId);
  }

  /** The last bytes of a mail are in the mail server's hands. */
  onEnd(mail: CloudMail, arrived: boolean, bytes: string): void {
    const { id, status } = mail;
    const approved = this.#approved.get(id) ?? null;
    if (approved === null) this.fail(`I4: mail ${id} left, and its payload is not the one its hash was made of`);
    else if (approved !== bytes) this.fail(`I4: mail ${id} left with another content than was approved`);
    if (status === 'cancelled') this.fail(`I5: mail ${id} left after the cloud had acknowledged its cancellation`);
    if (!arrived) return;
    const count = (this.acceptances.get(id) ?? 0) + 1;
    this.acceptances.set(id, count);
    if (count > 1) this.fail(`I1: mail ${id} was accepted ${count} times under its one key`);
    if (status === 'send_failed' && !this.#settledByPerson.has(id)) {
      this.fail(`truth: mail ${id} was told as failed and then accepted`);
    }
  }

  onCloudChange(mail: CloudMail, change: CloudChange): void {
    const final = this.#final.get(mail.id);
    if (final !== undefined && final !== finalWord(mail)) {
      this.fail(`I2: the final word on mail ${mail.id} was overwritten: ${final}, then ${finalWord(mail)}`);
    }
    const accepted = this.acceptances.get(mail.id) ?? 0;
    if (change.kind === 'move') {
      const { result } = change;
      const isPersons = result === null || result.evidence?.kind === 'person';
      if (mail.status === 'sent' || mail.status === 'send_failed' || mail.status === 'cancelled') {
        this.#final.set(mail.id, finalWord(mail));
        if (isPersons) this.#settledByPerson.add(mail.id);
      }
      if (mail.status === 'sent' && !isPersons && accepted !== 1) {
        this.fail(`truth: mail ${mail.id} was told as sent and accepted ${accepted} times`);
      }
      if (mail.status === 'send_failed' && !isPersons && accepted > 0) {
        this.fail(`truth: mail ${mail.id} was told as failed and had been accepted`);
      }
      if (mail.status === 'cancelled' && accepted > 0) this.fail(`I5: mail ${mail.id} was cancelled after it had left`);
    }
    if (change.kind === 'fact' && accepted === 0) {
      this.fail(`truth: mail ${mail.id} never left, and the cloud was told: ${change.fact.kind}`);
    }
    if (change.kind === 'uncertain') {
      const known = this.#definite.get(change.result.nonce ?? mail.begun ?? '');
      if (known !== undefined && known.lineage === known.computer.disk.lineage && !known.computer.isShared) {
        this.fail(`I2: mail ${mail.id} was told as uncertain while its outcome (${known.as}) was on the disk`);
      }
    }
  }

  /** Changes that are on the disk of a computer now. */
  onKept(computer: Computer, changes: readonly LedgerChange[], nowMs: number): void {
    for (const change of changes) {
      const breach = this.#beginnings.onKept(computer, change);
      if (breach !== null) this.fail(breach);
      if (change.kind === 'fact') this.#expectSameEnd(computer, change.mailId);
      if (change.kind !== 'mail') continue;
      if (change.event.kind !== 'attempt-started') this.#expectSameEnd(computer, change.mailId);
      const { event, mailId } = change;
      if (event.kind === 'handed-over') this.#marks.set(mailId, nowMs);
      if (event.kind === 'accepted' || event.kind === 'refused' || event.kind === 'not-sent') {
        if (event.nonce === null) continue;
        const { lineage } = computer.disk;
        this.#definite.set(event.nonce, { as: event.kind, computer, lineage });
      }
    }
  }

  /** Sent or failed is the last word of a ledger, whatever is learned later. */
  #expectSameEnd(computer: Computer, mailId: string): void {
    const { file, lineage } = computer.disk;
    const kind = file.mail(mailId)?.state.kind;
    const key = `${computer.name} ${lineage} ${mailId}`;
    const before = this.#ended.get(key);
    if (before !== undefined && before !== kind) {
      this.fail(`I2: the ledger of ${computer.name} had mail ${mailId} as ${before} and has it as ${kind}`);
    }
    if (kind === 'sent' || kind === 'failed') this.#ended.set(key, kind);
  }

  /** As a person approved it; null for a mail that must never leave. */
  #addressOf(mailId: string): string | null {
    return this.#approved.get(mailId)?.split('\n')[0] ?? null;
  }

  /** A report goes out; the ledger numbers them. */
  onTold(computer: Computer, row: Pick<OutboxRow, 'mailId' | 'route' | 'body'>): void {
    if (!('seq' in row) || computer.isShared) return;
    const key = `${computer.name} ${computer.disk.lineage} ${row.seq}`;
    const before = this.#bodies.get(key);
    if (before === undefined) this.#bodies.set(key, row.body);
    else if (before !== row.body) this.fail(`reports: mail ${row.mailId} was told again in other bytes`);
  }

  /** The last bytes leave this computer now: in no window did more than the pace allows. */
  onLeaving(computer: Computer, mailId: string): void {
    const { perMinute, perHour, perDay, perHourPerDomain, gapMinMs } = this.#pace;
    if (computer.hasJumped || computer.isShared || computer.disk.lineage > 0) return;
    const limits = [perMinute, perHour, perDay, perHourPerDomain];
    if (gapMinMs === 0 && limits.every((limit) => limit === null)) return;
    const left = this.#left.get(computer) ?? [];
    const atMs = this.#marks.get(mailId) ?? 0;
    left.push(atMs);
    this.#left.set(computer, left);
    this.#expectApart(left, atMs, 1, gapMinMs, 'gap');
    this.#expectApart(left, atMs, perMinute, 60_000, 'limit a minute');
    this.#expectApart(left, atMs, perHour, 3_600_000, 'limit an hour');
    this.#expectApart(left, atMs, perDay, 86_400_000, 'limit a day');
    const firm = `${computer.name} ${this.#addressOf(mailId)?.split('@')[1]}`;
    const there = [...(this.#leftTo.get(firm) ?? []), atMs];
    this.#leftTo.set(firm, there);
    this.#expectApart(there, atMs, perHourPerDomain, 3_600_000, 'limit an hour for one firm');
  }

  #expectApart(left: readonly number[], atMs: number, count: number | null, windowMs: number, what: string): void {
    const earlier = count === null ? undefined : left.at(-1 - count);
    if (earlier !== undefined && atMs - earlier < windowMs) {
      this.fail(`pace: ${what}: ${count} mails before, ${atMs - earlier} ms ago instead of ${windowMs}`);
    }
  }
}

const finalWord = (mail: CloudMail): string => JSON.stringify([mail.status, mail.smtpMessageId, mail.errorMessage]);
