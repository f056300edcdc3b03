import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the child asked of the system, in its order: writes to the WAL, syncs of it, and the marks. */
type Call =
  | { readonly kind: 'write'; readonly answer: number }
  | { readonly kind: 'sync'; readonly answer: number }
  | { readonly kind: 'mark'; readonly mark: string };

/** Reads the output of `strace -f -y`. Source: strace(1). */
function callsOf(trace: string): readonly Call[] {
  return trace.split('\n').flatMap((line): readonly Call[] => {
    const answer = Number(/= (-?\d+)/.exec(line.slice(line.lastIndexOf(')')))?.[1] ?? Number.NaN);
    if (/ (pwrite64|write|pwritev)\(\d+<[^>]*ledger\.sqlite-wal>/.test(line)) return [{ kind: 'write', answer }];
    if (/ (fsync|fdatasync)\(\d+<[^>]*ledger\.sqlite-wal>/.test(line)) return [{ kind: 'sync', answer }];
    const mark = / write\(1<[^>]*>, "MARK ([^\\]+)\\n"/.exec(line)?.[1];
    return mark === undefined ? [] : [{ kind: 'mark', mark }];
  });
}

/** The calls between the mark before a commit and the mark that the commit guards. */
function callsFor(calls: readonly Call[], mark: string): readonly Call[] {
  const at = (wanted: string) => calls.findIndex((call) => call.kind === 'mark' && call.mark === wanted);
  const from = at(`before ${mark}`);
  const to = at(mark);
  if (from < 0 || to < from) throw new Error(`the trace shows no commit for ${mark}`);
  return calls.slice(from + 1, to);
}

describe('Every mark of the ledger', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-fsync-'));
  let calls: readonly Call[] = [];
  beforeAll(() => {
    const trace = path.join(folder, 'trace');
    const child = fileURLToPath(new URL('fsync-child.ts', import.meta.url));
    const done = spawnSync(
      'strace',
      [
        '-f',
        '-y',
        '-s',
        '80',
        '-o',
        trace,
        '-e',
        'trace=write,pwrite64,pwritev,fsync,fdatasync',
        process.execPath,
        child,
        path.join(folder, 'data'),
      ],
      { encoding: 'utf8', timeout: 100_000 },
    );
    if (done.error !== undefined) {
      throw new Error('strace did not start; this test needs it (Debian: apt-get install strace)', {
        cause: done.error,
      });
    }
    if (done.status !== 0) throw new Error(`the traced child failed: ${done.stderr}`);
    calls = callsOf(readFileSync(trace, 'utf8'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    'claim-asked',
    'mails-claimed',
    'attempt-started',
    'handed-over',
    'outcome-and-next-attempt',
    'next-handed-over',
    'next-outcome',
  ])('is on the disk before what it guards happens: %s', (mark) => {
    const kinds = callsFor(calls, mark).map(({ kind }) => kind);
    expect(kinds).toContain('write');
    expect(kinds.lastIndexOf('sync')).toBeGreaterThan(kinds.lastIndexOf('write'));
    for (const call of callsFor(calls, mark)) {
      if (call.kind === 'sync') expect(call.answer).toBe(0);
      if (call.kind === 'write') expect(call.answer).toBeGreaterThan(0);
    }
  });

  it('costs two syncs for a mail whose outcome is written together with the next attempt', () => {
    const syncs = (mark: string) => callsFor(calls, mark).filter(({ kind }) => kind === 'sync').length;
    expect([syncs('handed-over'), syncs('outcome-and-next-attempt')]).toEqual([1, 1]);
  });
});
