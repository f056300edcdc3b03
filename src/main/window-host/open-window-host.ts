import { createHash } from 'node:crypto';
import { resolveMx } from 'node:dns/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Language } from '../../shared/texts/language.ts';
import { systemClock } from '../adapters/clock.ts';
import { createKeychain } from '../adapters/keychain/keychain.ts';
import type { StartChild } from '../adapters/keychain/start-child.ts';
import { createLog, type FileLog } from '../adapters/log/log.ts';
import { type OpenFailure, openLedger } from '../adapters/sqlite/open-ledger.ts';
import type { SetAside } from '../adapters/sqlite/set-aside.ts';
import { openWindowReads } from '../adapters/sqlite/window-reads.ts';
import type { ResolveRoutes } from '../adapters/tunnel/tunnel.ts';
import { type AgentHost, createAgentHost } from './agent-host.ts';
import { createHandlers, type Desktop, type Handlers } from './handlers.ts';
import { createPendingAnswers, type PendingAnswers } from './pending-answers.ts';

const LOOK_UP_MS = 3_000;
/** Names of receiving servers taken from an answer. */
const RECEIVERS_MAX = 10;

/** Everything behind the window, on one data folder. */
export type WindowHost = {
  readonly host: AgentHost;
  readonly handlers: Handlers;
  readonly answers: PendingAnswers;
  readonly log: FileLog;
  /** A damaged ledger was put aside: to be shown to the person. */
  readonly notice: SetAside | null;
  close(): Promise<void>;
};

export function openWindowHost(parts: {
  readonly folder: string;
  readonly version: string;
  readonly systemLanguage: Language;
  readonly startChild: StartChild;
  readonly desktop: Omit<Desktop, 'receiversOf'>;
  readonly resolveRoutes: ResolveRoutes;
}): Result<WindowHost, OpenFailure> {
  const { folder, version, systemLanguage, startChild, resolveRoutes } = parts;
  const opened = openLedger({ folder });
  if (!opened.ok) return err(opened.error);
  const { ledger, notice } = opened.value;
  const reads = openWindowReads(folder);
  const log = createLog({ folder: logFolder(folder) });
  // Two data folders on one computer are two agents, each with secrets of its own.
  const profile = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16);
  const secrets = createKeychain({ profile, folder, startChild });
  const clock = systemClock;
  const host = createAgentHost({ ledger, log, secrets, clock, version, systemLanguage, resolveRoutes });
  const answers = createPendingAnswers(clock, (mailId, as) => {
    const resolved = host.resolve(mailId, as);
    if (!resolved.ok) log.warn('answer.not-taken', { mailId, why: resolved.error });
  });
  const desktop: Desktop = { ...parts.desktop, receiversOf };
  const handlers = createHandlers({ host, ledger, reads, secrets, clock, answers, desktop, version, resolveRoutes });
  return ok({
    host,
    handlers,
    answers,
    log,
    notice,
    async close() {
      reads.close();
      ledger.close();
      await log.close();
    },
  });
}

export const logFolder = (folder: string): string => path.join(folder, 'log');

async function receiversOf(domain: string): Promise<readonly string[]> {
  const limit = new Promise<readonly string[]>((resolve) => setTimeout(() => resolve([]), LOOK_UP_MS).unref());
  // Nobody knows, or there is no network: then the person is asked.
  const asked = resolveMx(domain).then(
    (records) => records.map(({ exchange }) => exchange),
    () => [],
  );
  return (await Promise.race([asked, limit])).slice(0, RECEIVERS_MAX);
}
