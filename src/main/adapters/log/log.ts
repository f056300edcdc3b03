import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import openRollingFile, { type RollingFile } from 'pino-roll';
import type { Log, LogFields } from '../../engine/ports.ts';
import { redactFields, redactText } from './redact.ts';

/** Log files are named agent.1.log, agent.2.log and so on; the highest number is the newest. */
export const LOG_FILE = 'agent';
const FILE_SIZE = '10m';
const FILES_KEPT = 5;
/** Lines that wait while the file is opened, and bytes that wait for a slow disk; what is more is dropped. */
const WAITING_LINES_MAX = 1_000;
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** How long flushing or closing may take. */
const DISK_MS = 2_000;

export type LogLevel = 'info' | 'warn' | 'error';
export type FileLog = Log & {
  /** Resolves once every line so far is in the file, or could not be written; after 2 s at the latest. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The agent's log: one JSON line for each event with `level`, `time` (UTC), `event` and `fields`, redacted, in five
 * files of 10 MB that their owner alone may read. A log that cannot be written never stops the agent: its lines are
 * dropped. Never throws.
 */
export function createLog(options: { readonly folder: string; readonly level?: LogLevel }): FileLog {
  const file = openLazily(options.folder);
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  );
  const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(level)) return;
    if (fields === undefined) logger[level](redactText(event));
    else logger[level]({ fields: redactFields(fields) }, redactText(event));
  };
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    flush: () => file.flush(),
    close: () => file.close(),
  };
}

type LazyFile = { write(line: string): void; flush(): Promise<void>; close(): Promise<void> };

/** Takes lines at once and writes them as soon as the file is open. */
function openLazily(folder: string): LazyFile {
  const waiting: string[] = [];
  let target: RollingFile | 'opening' | 'shut' = 'opening';

  const open = async (): Promise<void> => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const opened = await openRollingFile({
        file: path.join(folder, LOG_FILE),
        size: FILE_SIZE,
        limit: { count: FILES_KEPT, removeOtherLogFiles: true },
        mode: 0o600,
        maxLength: WAITING_BYTES_MAX,
        // Each line is written at once; with 0, flushing would not wait for it.
        minLength: 1,
      });
      // Without a listener a full disk would end the agent; the lines are lost, the mails are not.
      opened.on('error', () => undefined);
      for (const line of waiting) opened.write(line);
      target = opened;
    } catch {
      target = 'shut';
    }
    waiting.length = 0;
  };
  const opening = open();

  const flush = async (): Promise<void> => {
    await opening;
    const open = target;
    if (typeof open !== 'object') return;
    await within(DISK_MS, (done) => open.flush(done));
  };

  return {
    write(line) {
      if (target === 'shut') return;
      if (target !== 'opening') target.write(line);
      else if (waiting.length < WAITING_LINES_MAX) waiting.push(line);
    },
    flush,
    async close() {
      await flush();
      const open = target;
      target = 'shut';
      if (typeof open !== 'object') return;
      await within(DISK_MS, (done) => {
        open.once('close', done);
        open.end();
      });
      open.destroy();
    },
  };
}

/** Waits for `done` to be called, but no longer: a full disk never says that it is finished. */
function within(ms: number, work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
