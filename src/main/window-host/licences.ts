import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { LicenceView } from '../../shared/ipc/views.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** Beside the built main program; written by the build from what it really bundled. */
export const LICENCES_FILE = 'licences.json';

const Licences = z.array(z.object({ name: z.string(), version: z.string(), license: z.string(), text: z.string() }));

/** The programs inside this one and their licences, as the build listed them. Read when asked for: it is long. */
export async function readLicences(file: string): Promise<Result<readonly LicenceView[], 'unreadable'>> {
  try {
    return ok(Licences.parse(JSON.parse(await readFile(file, 'utf8'))));
  } catch {
    // Missing or not as the build writes it: a broken installation either way.
    return err('unreadable');
  }
}
