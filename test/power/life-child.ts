// For the tests of power loss: lives through the recorded life on a real ledger in the folder it is given, and marks on
// its output where each commit begins and is acknowledged. `small-wal` has the WAL copied back every few pages.
import { writeSync } from 'node:fs';
import { type OpenDriver, openSqlite } from '../../src/main/adapters/sqlite/driver.ts';
import { openLedger, REAL_PARTS } from '../../src/main/adapters/sqlite/open-ledger.ts';
import { liveThrough } from './recorded-life.ts';

const [folder = '', wal = ''] = process.argv.slice(2);

const smallWal: OpenDriver = (file, mode) => {
  const driver = openSqlite(file, mode);
  driver.script('PRAGMA wal_autocheckpoint = 12');
  return driver;
};

writeSync(1, 'MARK start 0\n');
const opened = openLedger({ folder }, wal === 'small-wal' ? { ...REAL_PARTS, openDriver: smallWal } : REAL_PARTS);
if (!opened.ok) throw new Error(opened.error.text);
await liveThrough(opened.value.ledger, (mark, count) => writeSync(1, `MARK ${mark} ${count}\n`));
opened.value.ledger.close();
