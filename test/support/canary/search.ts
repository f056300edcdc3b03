import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Form, formsOf } from './forms.ts';

/** A secret that was made to be found, by the name under which a finding tells of it. */
export type Canaries = Readonly<Record<string, string>>;

/** Where a secret was found, as `<place>: <canary> as <form>`; the secret itself is never repeated. */
export type Findings = readonly string[];

const PIECE_BYTES = 8 * 1024 * 1024;

/** Looks for secrets in bytes, files, folders and processes, in every form of `formsOf`. */
export function canarySearch(canaries: Canaries) {
  const forms: readonly (Form & { readonly canary: string })[] = Object.entries(canaries).flatMap(
    ([canary, secret]) => {
      if (secret.length < 12) throw new Error(`the canary "${canary}" is too short to be told from chance`);
      return formsOf(secret).map((form) => ({ canary, ...form }));
    },
  );
  const overlap = Math.max(...forms.map(({ bytes }) => bytes.length)) - 1;

  const inBytes = (place: string, bytes: Buffer): Findings =>
    forms.filter((form) => bytes.includes(form.bytes)).map(({ canary, name }) => `${place}: ${canary} as ${name}`);

  const inText = (place: string, text: string): Findings => inBytes(place, Buffer.from(text, 'utf8'));

  /** Piece by piece, with what may lie across two pieces read twice. */
  async function inFile(file: string): Promise<Findings> {
    const found = new Set<string>();
    const handle = await open(file, 'r');
    try {
      const piece = Buffer.alloc(PIECE_BYTES + overlap);
      let kept = 0;
      for (;;) {
        const { bytesRead } = await handle.read(piece, kept, PIECE_BYTES, null);
        if (bytesRead === 0) break;
        const end = kept + bytesRead;
        for (const one of inBytes(file, piece.subarray(0, end))) found.add(one);
        const keep = Math.min(overlap, end);
        piece.copyWithin(0, end - keep, end);
        kept = keep;
      }
    } finally {
      await handle.close();
    }
    return [...found];
  }

  /** Every file below `folder` and every name; links are not followed, sockets and pipes hold nothing. */
  async function inFolder(folder: string): Promise<{ readonly findings: Findings; readonly fileCount: number }> {
    const findings: string[] = [];
    let fileCount = 0;
    const walk = async (where: string): Promise<void> => {
      for (const entry of await entriesOf(where)) {
        const place = path.join(where, entry.name);
        findings.push(...inText(`the name ${place}`, entry.name));
        if (entry.isDirectory()) await walk(place);
        if (!entry.isFile()) continue;
        fileCount += 1;
        findings.push(...(await inFile(place).catch(absent)));
      }
    };
    await walk(folder);
    return { findings, fileCount };
  }

  /** Command line and environment of a process and of all that it started, as the system shows them. Linux only. */
  function inProcesses(pid: number): { readonly findings: Findings; readonly processCount: number } {
    const pids = [pid, ...descendants(pid)];
    const findings = pids.flatMap((one) =>
      ['cmdline', 'environ'].flatMap((what) => inBytes(`process ${one} ${what}`, processFile(one, what))),
    );
    return { findings, processCount: pids.length };
  }

  return { inBytes, inText, inFile, inFolder, inProcesses };
}

/** A running program removes files and folders while they are looked at. */
const absent = (error: NodeJS.ErrnoException): readonly never[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};
const entriesOf = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(absent);

function processFile(pid: number, what: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${what}`);
  } catch {
    // It ended meanwhile, and took the file along.
    return Buffer.alloc(0);
  }
}

function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = processFile(Number(name), 'stat').toString('latin1');
    // The name of the program stands in brackets and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const own = children.get(next) ?? [];
    found.push(...own);
    queue.push(...own);
  }
  return found;
}
