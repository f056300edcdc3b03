import { createHash } from 'node:crypto';
import path from 'node:path';
import type { CheckProgress } from '../../shared/account-check.ts';
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
import { discoverAccount } from '../discover-account.ts';
import { type AgentHost, createAgentHost } from './agent-host.ts';
import { createHandlers, type Desktop, type Handlers } from './handlers.ts';
import { createPendingAnswers, type PendingAnswers } from './pending-answers.ts';

/** Everything behind the window, on one data folder. */
export type WindowHost = {
  readonly host: AgentHost;
  readonly handlers: Handlers;
  readonly answers: PendingAnswers;
  readonly log: FileLog;
  /** A damaged ledger was put aside: to be shown to the person. */
  readonly notice: SetAside | null;
  /** Hears the steps of an account's check, for the window; one listener. */
  onAccountCheck(listener: (progress: CheckProgress) => void): void;
  close(): Promise<void>;
};

export function openWindowHost(parts: {
  readonly folder: string;
  readonly version: string;
  readonly systemLanguage: Language;
  readonly startChild: StartChild;
  readonly desktop: Desktop;
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
  const host = createAgentHost({ ledger, log, secrets, clock, folder, version, systemLanguage, resolveRoutes });
  const answers = createPendingAnswers(clock, (mailId, as) => {
    const resolved = host.resolve(mailId, as);
    if (!resolved.ok) log.warn('answer.not-taken', { mailId, why: resolved.error });
  });
  let hearCheck: (progress: CheckProgress) => void = () => undefined;
  const handlers = createHandlers({
    host,
    ledger,
    reads,
    secrets,
    clock,
    answers,
    desktop: parts.desktop,
    version,
    resolveRoutes,
    discover(mailbox) {
      const options = { dnsServers: [], caFile: null, tunnels: host.tunnels() };
      return discoverAccount(mailbox, options, new AbortController().signal);
    },
    tellCheck: (progress) => hearCheck(progress),
  });
  return ok({
    host,
    handlers,
    answers,
    log,
    notice,
    onAccountCheck: (listener) => {
      hearCheck = listener;
    },
    async close() {
      reads.close();
      ledger.close();
      await log.close();
    },
  });
}

export const logFolder = (folder: string): string => path.join(folder, 'log');
