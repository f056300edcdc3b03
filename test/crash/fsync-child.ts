// Drives a real ledger through one mail and its next attempt. After each commit it writes what that commit guards, a
// line to its output, as the agent would open a socket or let the last bytes go.
import { writeSync } from 'node:fs';
import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import type { LedgerChange } from '../../src/main/engine/ports.ts';
import { accepted, claimed, handedOver, happened, newMail, notSent, started } from '../conformance/ledger-samples.ts';

const opened = openLedger({ folder: process.argv[2] ?? '' });
if (!opened.ok) throw new Error(opened.error.text);
const { ledger } = opened.value;

const guarded: readonly (readonly [mark: string, changes: readonly LedgerChange[]])[] = [
  ['claim-asked', [{ kind: 'claim-asked', claimId: 'a', atMs: 1 }]],
  ['mails-claimed', [claimed([newMail(1), newMail(2)])]],
  ['attempt-started', [happened('1', started(1))]],
  ['handed-over', [happened('1', handedOver(1))]],
  ['outcome-and-next-attempt', [happened('1', accepted('1', 1)), happened('2', started(1))]],
  ['next-handed-over', [happened('2', handedOver(1))]],
  ['next-outcome', [happened('2', notSent('2', 1))]],
];
for (const [mark, changes] of guarded) {
  writeSync(1, `MARK before ${mark}\n`);
  const done = ledger.commit(changes);
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  writeSync(1, `MARK ${mark}\n`);
}
// Without `close`: a clean end must not be what brings the data to the disk.
process.exit(0);
