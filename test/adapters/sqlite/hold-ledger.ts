// A second process for the tests: opens the ledger in the folder it is given, says how that went, and holds it until
// its input ends.
import { openLedger } from '../../../src/main/adapters/sqlite/open-ledger.ts';

const opened = openLedger({ folder: process.argv[2] ?? '' });
process.stdout.write(`${opened.ok ? 'open' : opened.error.kind}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  // Named here, so that the ledger is not collected as garbage, and its lock let go, while it is to be held.
  if (opened.ok) opened.value.ledger.close();
  process.exit(0);
});
