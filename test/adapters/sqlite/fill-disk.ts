// A process for the tests: commits mails to the ledger in the folder it is given until a commit fails, then says as
// one line of JSON which commits were acknowledged, how the first that was not failed, and what a read still sees.
import { openLedger } from '../../../src/main/adapters/sqlite/open-ledger.ts';
import type { LedgerFailure } from '../../../src/main/engine/ports.ts';
import { claimed, newMail } from '../../conformance/ledger-samples.ts';

const MAILS_MAX = 1_000;
const opened = openLedger({ folder: process.argv[2] ?? '' });
if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.text}`);
const { ledger } = opened.value;

const acknowledged: string[] = [];
let failure: LedgerFailure | null = null;
for (let number = 1; number <= MAILS_MAX && failure === null; number += 1) {
  const done = ledger.commit([claimed([newMail(number, { payload: 'x'.repeat(20_000) })])]);
  if (done.ok) acknowledged.push(`${number}`);
  else failure = done.error;
}
let seen: number | string;
try {
  seen = ledger.counts().claimed;
} catch (error) {
  seen = String(error);
}
process.stdout.write(`${JSON.stringify({ acknowledged, failure, seen })}\n`);
process.exit(0);
