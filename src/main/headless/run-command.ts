import path from 'node:path';
import { HEARTBEAT_INTERVAL_SECONDS } from '../../shared/wire/messages.ts';
import { createLog } from '../adapters/log/log.ts';
import { assemblePorts } from '../assemble.ts';
import { type Agent, startAgent } from '../engine/agent.ts';
import { createMailSecrets } from '../mail-secrets.ts';
import { type ControlReply, type ControlRequest, serveControl } from './control.ts';
import { EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, requireAccount, requirePairing, setUpOf } from './open.ts';
import { progressLine } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** Mails taken from the queue and not yet sent, at most. */
const HOLD_MAX = 20;
const REDRAW_MS = 1_000;

/** `run`: the agent, until Ctrl-C. The first one drains, the second one abandons. */
export async function runCommand(terminal: Terminal): Promise<void> {
  const ledger = openForWriting(terminal);
  const log = createLog({ folder: logFolder(terminal.folder) });
  try {
    const setUp = setUpOf(ledger);
    const pairing = requirePairing(terminal, setUp);
    const account = requireAccount(terminal, setUp);
    const secrets = openSecrets(terminal);
    const tunnels = openTunnels(terminal, setUp);
    const mailSecrets = createMailSecrets({ secrets, ledger, tunnel: () => tunnels.web });
    const parts = { ledger, log, secrets, mailSecrets, pairing, account, tunnels };
    const assembled = assemblePorts({ ...parts, version: VERSION, folder: terminal.folder });
    const agent = startAgent(assembled.ports, {
      pairing,
      account,
      pace: setUp.pace,
      language: terminal.language,
      version: VERSION,
      heartbeatIntervalMs: HEARTBEAT_INTERVAL_SECONDS * 1000,
      holdMax: HOLD_MAX,
    });
    stopOnSignals(terminal, agent);
    const unwatch = watch(terminal, agent);
    const control = serveControl(terminal.folder, (request) => obey(terminal, agent, request));
    try {
      terminal.say(terminal.texts.running(pairing.userName, account.address));
      // Without its socket the agent could not be paused from outside: it does not run so.
      const [report] = await Promise.all([agent.ended, control.catch(stopAndThrow(agent))]);
      terminal.result({ ended: true, ...report }, terminal.texts.ended(report));
    } finally {
      unwatch();
      await control.then((served) => served.close()).catch(() => undefined);
      await assembled.close();
    }
  } finally {
    ledger.close();
    await log.close();
  }
}

const stopAndThrow = (agent: Agent) => async (cause: unknown) => {
  agent.stop('drain');
  await agent.ended;
  throw cause;
};

export const logFolder = (folder: string): string => path.join(folder, 'log');

function watch(terminal: Terminal, agent: Agent): () => void {
  const draw = () => {
    const status = agent.status();
    terminal.progress(terminal.json ? JSON.stringify(status) : progressLine(status, terminal.language));
  };
  let due = false;
  // Many changes in one moment are one line; a clock ticks for the times in it.
  const unlisten = agent.onChange(() => {
    due = true;
  });
  const timer = setInterval(() => {
    if (due || process.stdout.isTTY) draw();
    due = false;
  }, REDRAW_MS);
  return () => {
    clearInterval(timer);
    unlisten();
    draw();
  };
}

/** For as long as the process lives: a signal during the last steps must not cut them off. */
function stopOnSignals(terminal: Terminal, agent: Agent): void {
  let asked = 0;
  const onSignal = () => {
    asked += 1;
    if (asked === 1) {
      terminal.say(terminal.texts.draining);
      agent.stop('drain');
    } else if (asked === 2) {
      terminal.say(terminal.texts.abandoning);
      process.exitCode = EXIT.abandoned;
      agent.stop('abandon');
    } else {
      // Whatever still hangs, the person has asked three times; the ledger is safe at every moment.
      process.exit(EXIT.abandoned);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function obey(terminal: Terminal, agent: Agent, request: ControlRequest): ControlReply {
  switch (request.command) {
    case 'status':
      return { ok: true, value: agent.status() };
    case 'pause':
      agent.pause(request.untilMs);
      return { ok: true, value: null };
    case 'resume':
      agent.resume();
      return { ok: true, value: null };
    case 'try-now':
      agent.tryNow();
      return { ok: true, value: null };
    case 'check-now':
      agent.checkNow();
      return { ok: true, value: null };
    case 'lift':
      return agent.liftAddress(request.address).ok ? { ok: true, value: null } : { ok: false, error: 'ledger' };
    case 'resolve': {
      const resolved = agent.resolve(request.mailId, request.as);
      if (resolved.ok) return { ok: true, value: null };
      return { ok: false, error: resolveProblem(terminal, request.mailId, resolved.error) };
    }
  }
}

export function resolveProblem(
  { texts }: Terminal,
  mailId: string,
  problem: 'unknown-mail' | 'not-uncertain' | 'ledger',
): string {
  switch (problem) {
    case 'unknown-mail':
      return texts.noSuchMail(mailId);
    case 'not-uncertain':
      return texts.notUncertain(mailId);
    case 'ledger':
      return 'ledger';
  }
}
