import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/main/engine/journal.ts';
import type { LedgerChange, LedgerFailure, LogFields } from '../../src/main/engine/ports.ts';
import { claimed, commitAll, newMail } from '../conformance/ledger-samples.ts';
import { VirtualClock } from '../support/fakes-clock.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

const setting = (key: string): LedgerChange => ({ kind: 'setting', key, value: true });
const OTHER = newMail(1, { payloadHash: `sha256:${'f'.repeat(64)}` });
const REFUSED: LedgerChange = { kind: 'mail', mailId: 'nobody', event: { kind: 'reclaimed' }, atMs: 1 };

function equipped() {
  const clock = new VirtualClock();
  /** Full at the commit of that number and after; `failure` fails every one. */
  const disk: { failure: LedgerFailure | null; fullAt: number; commits: number } = {
    failure: null,
    fullAt: Number.POSITIVE_INFINITY,
    commits: 0,
  };
  const ledger = memoryLedger({
    failure: () => {
      disk.commits += 1;
      return disk.commits >= disk.fullAt ? { kind: 'full', text: '' } : disk.failure;
    },
  });
  const logged: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (event: string, fields?: LogFields) => logged.push([event, fields]),
  };
  return { clock, disk, ledger, logged, journal: createJournal({ ledger, log, clock }, () => undefined) };
}

describe('the journal', () => {
  it('writes what was deferred together with the next commit', () => {
    const { journal, ledger, disk } = equipped();

    journal.defer([setting('a')]);
    const before = ledger.setting('a');
    journal.commit([setting('b')]);

    expect([before, ledger.setting('a'), ledger.setting('b'), disk.commits]).toEqual([undefined, true, true, 1]);
  });

  it('writes nothing where there is nothing to write', () => {
    const { journal, disk } = equipped();

    expect(journal.commit([])).toEqual({ ok: true, value: undefined });
    expect(disk.commits).toBe(0);
  });

  it('learns nothing about the disk where there is nothing to write', () => {
    const { journal, disk } = equipped();
    disk.failure = { kind: 'full', text: '' };
    journal.commit([setting('a')]);

    journal.commit([]);

    expect(journal.trouble()).not.toBeNull();
  });

  it('lets a refused deferred change cost neither the others nor what is to be written now', () => {
    const { journal, ledger } = equipped();

    journal.defer([setting('a'), REFUSED, setting('b')]);

    expect(journal.commit([setting('c')]).ok).toBe(true);
    expect(['a', 'b', 'c'].map((key) => ledger.setting(key))).toEqual([true, true, true]);
    expect(journal.trouble()).toBeNull();
  });

  it('keeps the other deferred changes where the disk fails after one was refused', () => {
    const { journal, ledger, disk } = equipped();
    journal.defer([REFUSED, setting('a'), setting('b')]);
    // All together, then the refused one alone, then the first of the others.
    disk.fullAt = 4;
    const during = journal.commit([setting('c')]);
    disk.fullAt = Number.POSITIVE_INFINITY;
    journal.commit([setting('d')]);

    expect(during.ok).toBe(false);
    expect(['a', 'b', 'd'].map((key) => ledger.setting(key))).toEqual([true, true, true]);
  });

  it('keeps what was deferred until the disk has room', () => {
    const { journal, ledger, disk } = equipped();
    disk.failure = { kind: 'full', text: '' };
    journal.defer([setting('a')]);
    journal.insist([setting('b')]);

    disk.failure = null;
    journal.commit([setting('c')]);

    expect(['a', 'b', 'c'].map((key) => ledger.setting(key))).toEqual([true, true, true]);
  });

  it('writes deferred changes on their own when there are many', () => {
    const { journal, disk } = equipped();

    for (let count = 0; count < 200; count += 1) journal.defer([setting(`${count}`)]);
    const before = disk.commits;
    journal.defer([setting('one more')]);

    expect([before, disk.commits]).toEqual([0, 1]);
  });

  it('knows since when nothing can be written, and learns by a probe that it is over', async () => {
    const { journal, clock, disk } = equipped();
    await clock.advance(500);
    const sinceMs = clock.nowMs();
    disk.failure = { kind: 'io', text: '', reopened: true };
    journal.commit([setting('a')]);
    await clock.advance(500);
    journal.probe();
    const during = journal.trouble();
    disk.failure = null;
    journal.probe();

    expect(during).toEqual({ sinceMs });
    expect(journal.trouble()).toBeNull();
  });

  it.each<[string, LedgerChange, LedgerFailure]>([
    ['about a mail it does not know', REFUSED, { kind: 'unknown-mail', mailId: 'nobody' }],
    ['of a key that it knows with other content', claimed([OTHER]), { kind: 'key-conflict', mailId: OTHER.id }],
  ])('does not call a refusal trouble with the disk, nor ask twice: %s', (_, change, error) => {
    const { journal, ledger, disk, logged } = equipped();
    commitAll(ledger, claimed([newMail(1)]));
    disk.commits = 0;

    expect(journal.commit([change])).toEqual({ ok: false, error });
    expect(journal.trouble()).toBeNull();
    expect(disk.commits).toBe(1);
    expect(logged).toEqual([['ledger.commit-failed', { kind: error.kind, changes: 1 }]]);
  });

  it('names the reports whose end is deferred', () => {
    const { journal, ledger } = equipped();
    journal.defer([setting('a'), { kind: 'report-postponed', seq: 6, untilMs: 1 }]);
    journal.defer([{ kind: 'report-ended', seq: 7, end: { kind: 'told' }, atMs: 1 }]);

    expect([...journal.deferredReports()]).toEqual([7]);
    expect(ledger.counts().untold).toBe(0);
  });
});
