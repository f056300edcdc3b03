import { z } from 'zod';
import { createLog } from '../../src/main/adapters/log/log.ts';
import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import { openDirect } from '../../src/main/adapters/tunnel/open-tunnel.ts';
import { assemblePorts } from '../../src/main/assemble.ts';
import { type Agent, startAgent } from '../../src/main/engine/agent.ts';
import type { Log, Secrets } from '../../src/main/engine/ports.ts';
import { createMailSecrets } from '../../src/main/mail-secrets.ts';
import { err, ok } from '../../src/shared/result.ts';
import { MailAccount, Pace, Pairing } from '../../src/shared/settings.ts';
import { SENDER } from './bench-mail.ts';
import { serveParent } from './child.ts';
import { BenchServer, Round, stopwatch } from './round.ts';

/** The agent's side of each pair: its own engine, ledger, log, cloud client and mailer, as the terminal starts them. */
const Start = z.object({
  kind: z.literal('start'),
  folder: z.string(),
  cloudUrl: z.string(),
  server: BenchServer,
  agentId: z.string(),
  userId: z.string(),
  token: z.string(),
});
const Request = z.discriminatedUnion('kind', [Start, Round]);

/** As many as the terminal holds. */
const HOLD_MAX = 20;
/** Shorter than the life of any round, so that each has its heartbeats as it would have in a day. */
const HEARTBEAT_MS = 60_000;

let running: { readonly agent: Agent; close(): Promise<void> } | null = null;
let mailEnded: () => void = () => undefined;

serveParent(
  async (input) => {
    const request = Request.parse(input);
    if (request.kind === 'start') {
      running = start(request);
      return null;
    }
    if (running === null) throw new Error('the agent was not started');
    const watch = stopwatch(request);
    mailEnded = watch.mailEnded;
    running.agent.resume();
    const measured = await watch.done;
    running.agent.pause(null);
    return measured;
  },
  async () => {
    running?.agent.stop('abandon');
    await running?.close();
  },
);

function start(request: z.infer<typeof Start>): { readonly agent: Agent; close(): Promise<void> } {
  const { folder, cloudUrl, server, agentId, userId, token } = request;
  const opened = openLedger({ folder });
  if (!opened.ok) throw new Error(opened.error.text);
  const { ledger } = opened.value;
  const log = createLog({ folder: `${folder}/log` });
  const pairing = Pairing.parse({ cloudUrl, agentId, agentName: 'bench', userId, userName: 'bench' });
  const account = MailAccount.parse({
    address: SENDER.address,
    userName: server.user,
    smtp: server.smtp,
  });
  const secrets = inMemory(token, server.password);
  const assembled = assemblePorts({
    ledger,
    log: counting(log),
    secrets,
    mailSecrets: createMailSecrets({ secrets, ledger, tunnel: () => openDirect }),
    pairing,
    account,
    version: '0.0.0',
    tunnels: { web: openDirect, mail: openDirect },
    folder,
  });
  const agent = startAgent(assembled.ports, {
    pairing,
    account,
    pace: Pace.parse({ gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null }),
    language: 'en',
    version: '0.0.0',
    heartbeatIntervalMs: HEARTBEAT_MS,
    holdMax: HOLD_MAX,
  });
  agent.pause(null);
  return {
    agent,
    async close() {
      await agent.ended;
      await assembled.close();
      ledger.close();
      await log.close();
    },
  };
}

/** Hears the end of each mail; everything is still logged. */
function counting(log: Log): Log {
  return {
    ...log,
    info(event, fields) {
      log.info(event, fields);
      if (event !== 'mail.attempt-ended') return;
      if (fields?.['outcome'] !== 'accepted') throw new Error(`a mail was not accepted: ${JSON.stringify(fields)}`);
      mailEnded();
    },
  };
}

function inMemory(token: string, password: string): Secrets {
  return {
    get: async (name) => ok(name === 'agent-token' ? token : password),
    set: async () => err({ kind: 'unavailable', text: 'nothing is stored here' }),
    delete: async () => err({ kind: 'unavailable', text: 'nothing is stored here' }),
  };
}
