import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import { LOG_FILE } from './log.ts';
import { redactFields, redactText } from './redact.ts';

const FILE_NAME = new RegExp(`^${LOG_FILE}\\.(\\d+)\\.log$`);
const LINES_AT_ONCE = 1_000;
/** A host name or an IPv4 address; bounded, so that no text makes it slow. */
const HOST = /\b(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/giu;

const Line = z.object({
  level: z.enum(['info', 'warn', 'error']),
  time: z.iso.datetime(),
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

export type ExportOptions = {
  /** Where the log is. */
  readonly folder: string;
  /** The file to write; replaced if it is there. */
  readonly to: string;
  /** The agent's version, for the header. */
  readonly version: string;
  /** Hosts that may be named, such as the account's own mail server; all others are taken out. */
  readonly keepHosts?: readonly string[];
};

/**
 * Writes one file for support: a header line, then all log files in order, redacted again and without the names of
 * foreign hosts. A line that is not the log's own is left out and counted. Answers the file's path, or why not.
 */
export async function exportLog(options: ExportOptions): Promise<Result<string, string>> {
  const { folder, to } = options;
  const draft = `${to}.${randomBytes(6).toString('hex')}.new`;
  try {
    const files = await logFiles(folder);
    const out = await open(draft, 'wx', 0o600);
    try {
      await out.write(`${JSON.stringify(header(options.version, files.length))}\n`);
      let unreadable = 0;
      for (const file of files) {
        let lines: string[] = [];
        for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
          const clean = cleanLine(line, options.keepHosts ?? []);
          if (clean === null) unreadable += 1;
          else lines.push(clean);
          if (lines.length >= LINES_AT_ONCE) {
            await out.write(`${lines.join('\n')}\n`);
            lines = [];
          }
        }
        if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
      }
      if (unreadable > 0) await out.write(`${JSON.stringify({ linesLeftOut: unreadable })}\n`);
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(draft, to);
    return ok(path.resolve(to));
  } catch (cause) {
    await rm(draft, { force: true });
    return err(`${to} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Oldest first. */
async function logFiles(folder: string): Promise<string[]> {
  const numbered = (await readdir(folder)).flatMap((name) => {
    const number = FILE_NAME.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => path.join(folder, name));
}

function header(version: string, files: number) {
  return {
    mailAgentLog: 1,
    version,
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    exportedAt: new Date().toISOString(),
    files,
  };
}

function cleanLine(text: string, keepHosts: readonly string[]): string | null {
  const line = parseLine(text);
  if (line === null) return null;
  const fields = Object.entries(redactFields(line.fields ?? {})).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(HOST, (host) => (keepHosts.includes(host) ? host : '[host]')) : value,
  ]);
  return JSON.stringify({ ...line, event: redactText(line.event), fields: Object.fromEntries(fields) });
}

function parseLine(text: string): z.infer<typeof Line> | null {
  try {
    const line = Line.safeParse(JSON.parse(text));
    return line.success ? line.data : null;
  } catch {
    return null;
  }
}
