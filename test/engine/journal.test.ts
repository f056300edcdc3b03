import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/main/engine/journal.ts';
import type { LedgerChange, LedgerFailure } from '../../src/main/engine/ports.ts';
import { VirtualClock } from '../support/fakes-clock.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

const setting = (key: string): LedgerChange => ({ kind: 'setting', key, value: true });
const REFUSED: LedgerChange = { kind: 'mail', mailId: 'nobody', event: { kind: 'reclaimed' }, atMs: 1 };

function equipped() {
  const clock = new VirtualClock();
  const disk: { failure: LedgerFailure | null; commits: number } = { failure: null, commits: 0 };
  const ledger = memoryLedger({
    failure: () => {
      disk.commits += 1;
      return disk.failure;
    },
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return { clock, disk, ledger, journal: createJournal({ ledger, log, clock }, () => undefined) };
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

  it('lets a refused deferred change cost neither the others nor what is to be written now', () => {
    const { journal, ledger } = equipped();

    journal.defer([setting('a'), REFUSED, setting('b')]);

    expect(journal.commit([setting('c')]).ok).toBe(true);
    expect(['a', 'b', 'c'].map((key) => ledger.setting(key))).toEqual([true, true, true]);
    expect(journal.trouble()).toBeNull();
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

    for (let count = 0; count < 201; count += 1) journal.defer([setting(`${count}`)]);

    expect(disk.commits).toBe(1);
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

  it('does not call a refusal trouble with the disk', () => {
    const { journal } = equipped();

    expect(journal.commit([REFUSED])).toEqual({ ok: false, error: { kind: 'unknown-mail', mailId: 'nobody' } });
    expect(journal.trouble()).toBeNull();
  });

  it('names the reports whose end is deferred', () => {
    const { journal, ledger } = equipped();
    journal.defer([{ kind: 'report-ended', seq: 7, end: { kind: 'told' }, atMs: 1 }]);

    expect([...journal.deferredReports()]).toEqual([7]);
    expect(ledger.counts().untold).toBe(0);
  });
});
