import { err, ok, type Result } from '../../shared/result.ts';
import type { StatusView } from '../../shared/status.ts';
import { claimLoop } from './claim-loop.ts';
import { type AgentConfig, type Context, createContext } from './context.ts';
import { heartbeatLoop } from './heartbeat-loop.ts';
import { liftChanges } from './held-addresses.ts';
import { mailboxLoop } from './mailbox-loop.ts';
import { readPaceMemory } from './pace-memory.ts';
import { pauseChange, resolveChange, resumeChanges, tryNowChanges } from './person.ts';
import type { Ports } from './ports.ts';
import { reportLoop, tellTheRest } from './report-loop.ts';
import { sendLoop } from './send-loop.ts';
import { statusOf } from './status.ts';
import { syncLoop } from './sync-loop.ts';

/** How long the last reports may take when the agent ends; what is left is told at the next start. */
const LAST_REPORTS_MS = 10_000;

/** Drain finishes the mail under way; abandon drops it unless it was handed over. */
export type StopMode = 'drain' | 'abandon';

/** A running agent, as a window or a terminal drives it. */
export type Agent = {
  status(): StatusView;
  /** Calls back soon after anything changed; returns its own undo. */
  onChange(listener: () => void): () => void;
  pause(untilMs: number | null): void;
  /** Ends every hold a person can end, and tries again at once. */
  resume(): void;
  /** Ends the waits of the account, not a pause that somebody chose. */
  tryNow(): void;
  /** Polls, tells and sends now where nothing forbids it. */
  checkNow(): void;
  /** A person's word on an uncertain mail. */
  resolve(mailId: string, as: 'sent' | 'not-sent'): Result<void, 'unknown-mail' | 'not-uncertain' | 'ledger'>;
  /** Mails to an address that bounced may begin again. */
  liftAddress(address: string): Result<void, 'ledger'>;
  stop(mode: StopMode): void;
  /** Resolves when everything has ended, with what is pending; rejects on a fault of the agent's own. */
  readonly ended: Promise<StopReport>;
};

export type StopReport = { readonly waiting: number; readonly untold: number; readonly uncertain: number };

/**
 * Starts every loop of the agent over its ports; the loops end together. The ports stay the caller's to close, after
 * `ended`.
 */
export function startAgent(ports: Ports, config: AgentConfig): Agent {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const startMs = ports.clock.nowMs();
  const context = createContext(ports, config, readPaceMemory(ports.ledger, config, startMs), changed);
  const drain = new AbortController();
  const abandon = new AbortController();
  const ended = run(context, drain, abandon);
  const { journal, bells } = context;

  const ringAll = () => {
    for (const bell of Object.values(bells)) bell.ring();
  };
  return {
    status: () => statusOf(context),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pause(untilMs) {
      journal.insist([pauseChange(config.language, ports.clock.nowMs(), untilMs)]);
      ringAll();
      changed();
    },
    resume() {
      journal.insist(resumeChanges());
      ringAll();
      changed();
    },
    tryNow() {
      journal.insist(tryNowChanges());
      ringAll();
      changed();
    },
    checkNow: ringAll,
    resolve(mailId, as) {
      const mail = ports.ledger.mail(mailId);
      if (mail === null) return err('unknown-mail');
      if (mail.state.kind !== 'uncertain') return err('not-uncertain');
      const by = { language: config.language, accountAddress: config.account.address, nowMs: ports.clock.nowMs() };
      if (!journal.commit([resolveChange(mail, as, by)]).ok) return err('ledger');
      bells.report.ring();
      changed();
      return ok(undefined);
    },
    liftAddress(address) {
      const lifted = journal.commit(liftChanges(ports.ledger, address, ports.clock.nowMs()));
      ringAll();
      changed();
      return lifted.ok ? ok(undefined) : err('ledger');
    },
    stop(mode) {
      drain.abort();
      if (mode === 'abandon') abandon.abort();
    },
    ended,
  };
}

async function run(context: Context, drain: AbortController, abandon: AbortController): Promise<StopReport> {
  const { ports } = context;
  const stop = { drain: drain.signal, abandon: abandon.signal };
  const over = new AbortController();
  ports.log.info('agent.started', { boot: context.bootId, version: context.config.version });
  // Sending and claiming end first; heartbeat and reports go on until the mail under way has its outcome.
  const beside = [
    heartbeatLoop(context, over.signal),
    reportLoop(context, over.signal),
    syncLoop(context, drain.signal),
    mailboxLoop(context, drain.signal),
  ];
  const sending = [sendLoop(context, stop), claimLoop(context, stop)];
  try {
    const main = Promise.all(sending);
    // A fault in a loop beside ends the agent at once; a loop beside that merely ends does not.
    await Promise.race([main, ...beside.map((loop) => loop.then(() => main))]);
    over.abort();
    await Promise.all(beside);
    const late = new AbortController();
    void ports.clock.sleep(LAST_REPORTS_MS, abandon.signal).then(() => late.abort());
    const untold = await tellTheRest(context, late.signal);
    const { waiting, uncertain } = statusOf(context).counts;
    ports.log.info('agent.ended', { waiting, untold, uncertain });
    return { waiting, untold, uncertain };
  } finally {
    drain.abort();
    abandon.abort();
    over.abort();
    // The ledger is closed after this: after a fault in one loop the others still write what they know.
    await Promise.allSettled([...sending, ...beside]);
    await ports.mailer.close();
    await ports.cloud.close();
  }
}
