import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import type { Ledger } from '../../src/main/engine/ports.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { ledgerConformance } from './ledger.conformance.ts';

ledgerConformance('memory', () => {
  const ledger = memoryLedger();
  return { ledger, reopen: () => ledger, end: () => ledger.close() };
});

ledgerConformance('SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  const open = (): Ledger => {
    const opened = openLedger({ folder });
    if (!opened.ok) throw new Error(opened.error.text);
    return opened.value.ledger;
  };
  let current = open();
  return {
    ledger: current,
    reopen: () => {
      current.close();
      current = open();
      return current;
    },
    end: () => {
      current.close();
      rmSync(folder, { recursive: true });
    },
  };
});
