import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishSetAside, setAside } from '../../../src/main/adapters/sqlite/set-aside.ts';
import { inFolder, opened } from './ledger-folder.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const NAME = 'ledger.damaged-2026-01-02T03-04-05-006Z.sqlite';

describe('Putting a damaged ledger aside', () => {
  it('moves it with its side files under a dated name', () =>
    inFolder((folder) => {
      for (const side of ['', '-wal', '-shm']) writeFileSync(path.join(folder, `ledger.sqlite${side}`), `old${side}`);
      expect(setAside(folder, 'it is torn', NOW_MS)).toEqual({
        kind: 'damaged-set-aside',
        file: path.join(folder, NAME),
        why: 'it is torn',
      });
      expect(readdirSync(folder).sort()).toEqual([NAME, `${NAME}-shm`, `${NAME}-wal`]);
      expect(readFileSync(path.join(folder, `${NAME}-wal`), 'utf8')).toBe('old-wal');
    }));

  it('never overwrites one that was put aside before', () =>
    inFolder((folder) => {
      for (const content of ['first', 'second', 'third']) {
        writeFileSync(path.join(folder, 'ledger.sqlite'), content);
        setAside(folder, 'it is torn', NOW_MS);
      }
      expect(readFileSync(path.join(folder, NAME), 'utf8')).toBe('first');
      expect(readFileSync(path.join(folder, NAME.replace('Z', 'Z-2')), 'utf8')).toBe('second');
      expect(readFileSync(path.join(folder, NAME.replace('Z', 'Z-3')), 'utf8')).toBe('third');
    }));

  it('is finished by the next start when it was cut short, and still said', () =>
    inFolder((folder) => {
      opened(folder).ledger.close();
      writeFileSync(path.join(folder, 'ledger.set-aside'), `${NAME}\nit is torn\n`);
      writeFileSync(path.join(folder, 'ledger.sqlite-wal'), 'old-wal');
      renameSync(path.join(folder, 'ledger.sqlite-wal'), path.join(folder, `${NAME}-wal`));
      const { ledger, notice } = opened(folder);
      expect(notice).toEqual({ kind: 'damaged-set-aside', file: path.join(folder, NAME), why: 'it is torn' });
      expect(existsSync(path.join(folder, NAME))).toBe(true);
      expect(existsSync(path.join(folder, 'ledger.set-aside'))).toBe(false);
      ledger.close();
    }));

  it.each(['../elsewhere', `../${NAME}`, `${NAME}/../../elsewhere`])(
    'does not take a name from a marker that is not one of its own: %s',
    (name) =>
      inFolder((folder) => {
        writeFileSync(path.join(folder, 'ledger.sqlite'), 'old');
        writeFileSync(path.join(folder, 'ledger.set-aside'), `${name}\n`);
        expect(finishSetAside(folder, NOW_MS)?.file).toBe(path.join(folder, NAME));
      }),
  );

  it.each(['', NAME])('says that it was damaged where its marker was cut short: %j', (marker) =>
    inFolder((folder) => {
      writeFileSync(path.join(folder, 'ledger.sqlite'), 'old');
      writeFileSync(path.join(folder, 'ledger.set-aside'), marker);
      expect(finishSetAside(folder, NOW_MS)).toEqual({
        kind: 'damaged-set-aside',
        file: path.join(folder, NAME),
        why: 'the ledger was damaged',
      });
    }),
  );

  it('does nothing where nothing was begun', () =>
    inFolder((folder) => {
      expect(finishSetAside(folder, NOW_MS)).toBeNull();
    }));
});
