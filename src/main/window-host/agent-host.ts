import { ok, type Result } from '../../shared/result.ts';
import { AppChoices, USUAL_PACE, USUAL_PROXY } from '../../shared/settings.ts';
import type { StatusView } from '../../shared/status.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { HEARTBEAT_INTERVAL_SECONDS } from '../../shared/wire/messages.ts';
import type { Tunnels } from '../adapters/tunnel/open-tunnel.ts';
import type { ResolveRoutes } from '../adapters/tunnel/tunnel.ts';
import { assemblePorts } from '../assemble.ts';
import { agentState } from '../core/plan.ts';
import { type Agent, type StopMode, type StopReport, startAgent } from '../engine/agent.ts';
import { heldMails, liftChanges } from '../engine/held-addresses.ts';
import { pauseChange, resolveChange, resumeChanges, tryNowChanges } from '../engine/person.ts';
import type { Clock, Ledger, LedgerChange, Log, Secrets } from '../engine/ports.ts';
import { currentTasks, mailCounts } from '../engine/status.ts';
import { createMailSecrets, type MailSecrets } from '../mail-secrets.ts';
import { readSetUp, type SetUp } from '../set-up.ts';
import { tunnelsOf } from '../tunnels.ts';
import type { WindowSize } from './window-size.ts';

/** Mails taken from the queue and not yet sent, at most. */
const HOLD_MAX = 20;
/** After a fault of the agent's own it starts anew, but not in a tight circle. */
const RESTART_MS = 60_000;
/** After a sleep the network comes back a little later than the computer: so long a missing connection is no news. */
const GRACE_MS = 30_000;

export type HostParts = {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly folder: string;
  readonly version: string;
  /** The system's language, for a person who chose none. */
  readonly systemLanguage: Language;
  /** What the computer or a proxy script says about the way to a server. */
  readonly resolveRoutes: ResolveRoutes;
  /** Replaced in tests. */
  readonly assemble?: typeof assemblePorts;
};

/**
 * The agent as the desktop app keeps it: not started before set-up is done, started anew when what it was started with
 * changed, resting while the computer sleeps, and never two at once.
 */
export type AgentHost = {
  status(): StatusView;
  setUp(): SetUp;
  choices(): AppChoices;
  language(): Language;
  isSetUp(): boolean;
  /** The ways out that the stored proxy setting means. */
  tunnels(): Tunnels;
  /** Forgets the ways made so far: the proxy's password is another now. */
  renewTunnels(): void;
  /** What the mail account logs in with; never shown to the window. */
  readonly mailSecrets: MailSecrets;
  /** Calls back after anything changed, synchronously; returns its own undo. */
  onChange(listener: () => void): () => void;
  /** Writes; where a running agent was started with what changed, it finishes its mail and starts anew. */
  save(changes: readonly LedgerChange[], effect: 'restart' | 'none'): Result<void, 'ledger'>;
  pause(untilMs: number | null): Result<void, 'ledger'>;
  resume(): Result<void, 'ledger'>;
  tryNow(): Result<void, 'ledger'>;
  checkNow(): void;
  resolve(mailId: string, as: 'sent' | 'not-sent'): Result<void, 'unknown-mail' | 'not-uncertain' | 'ledger'>;
  liftAddress(address: string): Result<void, 'ledger'>;
  /** No new mail begins; the one under way comes to its end. */
  sleep(): void;
  /** Goes on over fresh connections, and asks the cloud at once. */
  wake(): void;
  /** The computer was unlocked, and perhaps its keychain with it: what waited for that is tried again at once. */
  unlocked(): void;
  /** The size the window had last, as it was stored. */
  windowSize(): unknown;
  keepWindowSize(size: WindowSize): void;
  /** Ends it for good. A second call with `abandon` ends it sooner. Null where none ran. */
  stop(mode: StopMode): Promise<StopReport | null>;
};

type Mode = 'up' | 'asleep' | 'closed';

export function createAgentHost(parts: HostParts): AgentHost {
  const { ledger, log, secrets, clock, folder, version, resolveRoutes } = parts;
  const assemble = parts.assemble ?? assemblePorts;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let mode: Mode = 'up';
  let running: { readonly agent: Agent; readonly over: Promise<StopReport | null> } | null = null;
  let faultAtMs: number | null = null;
  let graceUntilMs = 0;
  let ways: { readonly proxy: string; readonly tunnels: Tunnels } | null = null;

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const setUp = (): SetUp => {
    const read = readSetUp(ledger);
    if (read.ok) return read.value;
    log.error('settings.unreadable');
    // An unreadable setting is as good as none: set-up asks again.
    return { pairing: null, account: null, pace: USUAL_PACE, proxy: USUAL_PROXY };
  };
  const choices = (): AppChoices => {
    const parsed = AppChoices.safeParse(ledger.setting('app') ?? {});
    return parsed.success ? parsed.data : AppChoices.parse({});
  };
  const language = (): Language => {
    const chosen = choices().language;
    return chosen === 'system' ? parts.systemLanguage : chosen;
  };
  const isSetUp = (): boolean => {
    const { pairing, account } = setUp();
    return pairing !== null && account !== null && choices().setUpDone;
  };

  // Kept while the setting stays, with what they know of a login that was refused.
  const tunnels = (): Tunnels => {
    const { proxy } = setUp();
    const key = JSON.stringify(proxy);
    if (ways?.proxy !== key) ways = { proxy: key, tunnels: tunnelsOf({ proxy, secrets, resolveRoutes }) };
    return ways.tunnels;
  };

  const mailSecrets = createMailSecrets({ secrets, ledger, tunnel: () => tunnels().web });

  /** Starts the agent where one should run and none does. */
  const settle = (): void => {
    const { pairing, account, pace } = setUp();
    if (running !== null || mode !== 'up' || faultAtMs !== null) return;
    if (pairing === null || account === null || !choices().setUpDone) return;
    const assembled = assemble({
      ledger,
      log,
      secrets,
      mailSecrets,
      pairing,
      account,
      version,
      tunnels: tunnels(),
      folder,
    });
    const agent = startAgent(assembled.ports, {
      pairing,
      account,
      pace,
      language: language(),
      version,
      heartbeatIntervalMs: HEARTBEAT_INTERVAL_SECONDS * 1000,
      holdMax: HOLD_MAX,
    });
    agent.onChange(changed);
    running = { agent, over: follow(agent, () => assembled.close()) };
    changed();
  };

  const follow = async (agent: Agent, close: () => Promise<void>): Promise<StopReport | null> => {
    let report: StopReport | null = null;
    try {
      report = await agent.ended;
    } catch (cause) {
      faultAtMs = clock.nowMs();
      log.error('agent.fault', { name: cause instanceof Error ? cause.name : 'unknown' });
    }
    await close();
    running = null;
    if (faultAtMs !== null) void startAfterFault();
    settle();
    changed();
    return report;
  };
  const startAfterFault = async (): Promise<void> => {
    await clock.sleep(RESTART_MS, closing.signal);
    faultAtMs = null;
    settle();
    changed();
  };

  const save: AgentHost['save'] = (changes, effect) => {
    const written = ledger.commit(changes);
    if (!written.ok) {
      log.warn('settings.unwritten', { kind: written.error.kind });
      return { ok: false, error: 'ledger' };
    }
    if (effect === 'restart') running?.agent.stop('drain');
    settle();
    changed();
    return ok(undefined);
  };

  const resting = (): StatusView => {
    const counts = mailCounts(ledger);
    const holds = [
      ...ledger.holds(),
      ...(faultAtMs === null
        ? []
        : [
            {
              kind: 'fault' as const,
              sinceMs: faultAtMs,
              untilMs: faultAtMs + RESTART_MS,
              text: DESKTOP_TEXTS[language()].fault,
            },
          ]),
    ];
    const state = agentState({
      holds: ledger.holds(),
      cloudReachable: true,
      sending: false,
      openQuestions: counts.uncertain + counts.conflicts + heldMails(ledger).length + (faultAtMs === null ? 0 : 1),
      nowMs: clock.nowMs(),
    });
    return {
      state,
      synced: false,
      counts,
      tasks: currentTasks(ledger, clock.nowMs()),
      current: null,
      waiting: null,
      holds,
      lastHeartbeatAtMs: null,
      cloudReachable: true,
    };
  };

  /** As it would be with a connection, where the missing one is not to be told yet. */
  const inGrace = (status: StatusView): StatusView => {
    if (status.state !== 'offline' || clock.nowMs() >= graceUntilMs) return status;
    const facts = { holds: ledger.holds(), sending: status.current !== null, openQuestions: 0, nowMs: clock.nowMs() };
    return { ...status, cloudReachable: true, state: agentState({ ...facts, cloudReachable: true }) };
  };
  const wakeGently = async (): Promise<void> => {
    graceUntilMs = clock.nowMs() + GRACE_MS;
    await clock.sleep(GRACE_MS, closing.signal);
    changed();
  };

  settle();
  return {
    status: () => inGrace(running?.agent.status() ?? resting()),
    setUp,
    choices,
    language,
    isSetUp,
    tunnels,
    mailSecrets,
    renewTunnels() {
      ways = null;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    save,
    pause(untilMs) {
      if (running === null) return save([pauseChange(language(), clock.nowMs(), untilMs)], 'none');
      running.agent.pause(untilMs);
      return ok(undefined);
    },
    resume() {
      if (running === null) return save(resumeChanges(), 'none');
      running.agent.resume();
      return ok(undefined);
    },
    tryNow() {
      if (running === null) return save(tryNowChanges(), 'none');
      running.agent.tryNow();
      return ok(undefined);
    },
    checkNow: () => running?.agent.checkNow(),
    resolve(mailId, as) {
      if (running !== null) return running.agent.resolve(mailId, as);
      const mail = ledger.mail(mailId);
      if (mail === null) return { ok: false, error: 'unknown-mail' };
      if (mail.state.kind !== 'uncertain') return { ok: false, error: 'not-uncertain' };
      const accountAddress = setUp().account?.address ?? '';
      return save([resolveChange(mail, as, { language: language(), accountAddress, nowMs: clock.nowMs() })], 'none');
    },
    liftAddress(address) {
      if (running !== null) return running.agent.liftAddress(address);
      return save(liftChanges(ledger, address, clock.nowMs()), 'none');
    },
    sleep() {
      if (mode !== 'up') return;
      mode = 'asleep';
      running?.agent.stop('drain');
    },
    wake() {
      if (mode === 'asleep') mode = 'up';
      void wakeGently();
      settle();
      running?.agent.checkNow();
    },
    unlocked() {
      if (ledger.holds().some(({ kind }) => kind === 'keychain')) {
        save([{ kind: 'hold-lifted', holdKind: 'keychain' }], 'none');
      }
      running?.agent.checkNow();
    },
    windowSize: () => ledger.setting('window'),
    keepWindowSize(size) {
      if (JSON.stringify(ledger.setting('window')) !== JSON.stringify(size)) {
        ledger.commit([{ kind: 'setting', key: 'window', value: size }]);
      }
    },
    async stop(stopMode) {
      mode = 'closed';
      closing.abort();
      running?.agent.stop(stopMode);
      return running === null ? null : running.over;
    },
  };
}
