import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../cloud/database/database.ts';
import { cancelMails, giveBack, resolveUncertain, sendAgain } from '../../cloud/operator/interventions.ts';
import { beginMail } from '../../cloud/queue/begin.ts';
import { claimMails } from '../../cloud/queue/claim.ts';
import { storeFact } from '../../cloud/queue/fact.ts';
import type { AgentIdentity } from '../../cloud/queue/moves.ts';
import { retireNonce } from '../../cloud/queue/not-sent.ts';
import { storeResult } from '../../cloud/queue/result.ts';
import type { Cloud } from '../../src/main/engine/ports.ts';
import { assertNever, type Result } from '../../src/shared/result.ts';
import type { FactRequest, ResultRequest } from '../../src/shared/wire/messages.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../support/cloud.ts';
import { newUser, resultRequest } from '../support/cloud-mails.ts';
import { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import { ModelCloud } from '../support/fakes-cloud.ts';

const SEQUENCES = 100;
const CALLS = 20;
const TIMEOUT_MS = 10 * 60_000;

/** One call to the queue, by one of two agents of the same user or by an operator. */
type QueueCall =
  | { readonly kind: 'claim'; readonly agent: number }
  | { readonly kind: 'begin' | 'not-sent'; readonly agent: number; readonly nonce: string }
  | {
      readonly kind: 'result';
      readonly agent: number;
      readonly known: Pick<ResultRequest, 'outcome' | 'nonce'> & Partial<ResultRequest>;
    }
  | { readonly kind: 'fact'; readonly agent: number; readonly factId: string; readonly hash: 'same' | 'other' }
  | { readonly kind: 'cancel' | 'give-back' | 'send-again' }
  | { readonly kind: 'resolve'; readonly as: 'sent' | 'send_failed' };

const NONCES = ['a', 'b', 'c'].map((letter) => letter.repeat(22));

function drawCall(random: SeededRandom): QueueCall {
  const agent = random.chance(0.75) ? 0 : 1;
  const nonce = random.oneOf(NONCES);
  const draw = random.fraction();
  if (draw < 0.22) return { kind: 'claim', agent };
  if (draw < 0.48) return { kind: 'begin', agent, nonce };
  if (draw < 0.6) return { kind: 'not-sent', agent, nonce };
  if (draw < 0.76) {
    const outcome = random.oneOf(['sent', 'send_failed', 'uncertain'] as const);
    const evidence = random.chance(0.3) ? ({ kind: 'person', note: 'asked the buyer' } as const) : null;
    const error_message = outcome === 'sent' ? null : random.oneOf(['refused', 'no reply']);
    return {
      kind: 'result',
      agent,
      known: { outcome, nonce: random.chance(0.3) ? null : nonce, evidence, error_message },
    };
  }
  if (draw < 0.8) return { kind: 'cancel' };
  if (draw < 0.85) return { kind: 'give-back' };
  if (draw < 0.88) return { kind: 'send-again' };
  if (draw < 0.94) {
    const factId = random.oneOf(['a', 'b']).repeat(32);
    return { kind: 'fact', agent, factId, hash: random.chance(0.8) ? 'same' : 'other' };
  }
  return { kind: 'resolve', as: random.oneOf(['sent', 'send_failed']) };
}

let cloud: TestCloud;
let database: Database;
beforeAll(async () => {
  cloud = await startTestCloud();
  database = openDatabase(cloud.databaseUrl, (error) => expect.unreachable(String(error)), 2);
});
afterAll(async () => {
  await database.close();
  await cloud.close();
});

const word = (answer: Result<unknown, { readonly code: string }>): string => (answer.ok ? 'done' : answer.error.code);

/** What the queue on PostgreSQL answers. */
async function askReal(
  call: QueueCall,
  id: string,
  agents: readonly AgentIdentity[],
  head: ResultRequest,
): Promise<string> {
  const agent = 'agent' in call ? agents[call.agent] : agents[0];
  if (agent === undefined) throw new Error('there are two agents');
  const { idempotency_key, payload_hash } = head;
  switch (call.kind) {
    case 'claim': {
      const claimed = await claimMails(database, agent, { claimId: randomUUID(), limit: 10 });
      return claimed.kind === 'claimed' ? claimed.items.map((item) => item.id).join() : '';
    }
    case 'begin':
      return word(
        await beginMail(database, agent, id, { idempotency_key, payload_hash, nonce: call.nonce, attempt: 1 }),
      );
    case 'not-sent':
      return word(await retireNonce(database, agent, id, { ...NOT_SENT, idempotency_key, nonce: call.nonce }));
    case 'result':
      return word(await storeResult(database, agent, id, resultRequest(head, call.known)));
    case 'fact':
      return word(await storeFact(database, agent, id, factOf(call, head)));
    case 'cancel':
      return (await cancelMails(database, { ids: [id] })).stopped === 1 ? 'stopped' : 'too-late';
    case 'give-back':
      return word(await giveBack(database, id));
    case 'send-again': {
      const again = await sendAgain(database, id);
      if (again.ok) await cancelMails(database, { ids: [again.value.id] });
      return word(again);
    }
    case 'resolve': {
      const evidence = { kind: 'person', note: 'asked the buyer' } as const;
      return word(await resolveUncertain(database, id, { as: call.as, smtp_message_id: null, evidence }));
    }
    default:
      return assertNever(call);
  }
}

/** What the model cloud answers to the same. */
async function askModel(
  call: QueueCall,
  id: string,
  model: ModelCloud,
  ports: readonly Cloud[],
  head: ResultRequest,
): Promise<string> {
  const port = 'agent' in call ? ports[call.agent] : ports[0];
  if (port === undefined) throw new Error('there are two agents');
  const { idempotency_key, payload_hash } = head;
  const told = (answer: Result<unknown, { readonly kind: string }>): string =>
    answer.ok ? 'done' : 'code' in answer.error ? String(answer.error.code) : answer.error.kind;
  const report = async (route: 'result' | 'notSent' | 'fact', body: unknown) =>
    told(await port.report({ mailId: id, route, body: JSON.stringify(body) }, NEVER));
  switch (call.kind) {
    case 'claim': {
      const answer = await port.claim({ claimId: randomUUID(), limit: 10, waitSeconds: 0 }, NEVER);
      const items: readonly unknown[] = answer.ok ? answer.value.items : [];
      return items.map((item) => (item as { readonly id: string }).id).join();
    }
    case 'begin':
      return told(await port.begin(id, { idempotency_key, payload_hash, nonce: call.nonce, attempt: 1 }, NEVER));
    case 'not-sent':
      return report('notSent', { ...NOT_SENT, idempotency_key, nonce: call.nonce });
    case 'result':
      return report('result', resultRequest(head, call.known));
    case 'fact':
      return report('fact', factOf(call, head));
    case 'cancel':
      return model.cancel(id);
    case 'give-back':
      return model.giveBack(id) === 'queued' ? 'done' : 'illegal-move';
    case 'send-again': {
      const again = model.sendAgain(id);
      if (again !== null) model.cancel(again.id);
      return again === null ? 'illegal-move' : 'done';
    }
    case 'resolve': {
      const errorMessage = call.as === 'send_failed' ? 'asked the buyer' : null;
      return model.settle(id, call.as, { errorMessage }) === 'settled' ? 'done' : 'illegal-move';
    }
    default:
      return assertNever(call);
  }
}

const NEVER = new AbortController().signal;
const NOT_SENT = {
  attempt: 1,
  stage: 'body',
  class: 'connection',
  code: null,
  enhanced_code: null,
  reply: null,
} as const;

function factOf(call: Extract<QueueCall, { kind: 'fact' }>, head: ResultRequest): FactRequest {
  return {
    idempotency_key: head.idempotency_key,
    payload_hash: call.hash === 'same' ? head.payload_hash : `sha256:${'0'.repeat(64)}`,
    fact_id: call.factId,
    kind: 'replied',
    at: '2026-03-02T01:00:00Z',
    bounce: null,
  };
}

/** The columns that decide, as PostgreSQL has them. */
async function realRow(id: string): Promise<unknown> {
  const [row] = await cloud.sql(
    `SELECT status, agent_id, begun_nonce, retired_nonces, uncertain_since IS NOT NULL AS uncertain, smtp_message_id,
            error_message, ARRAY(SELECT fact_id FROM recipient_facts WHERE recipient_id = recipients.id ORDER BY 1) AS facts
       FROM recipients WHERE id = $1`,
    [id],
  );
  return row;
}

describe('the queue on PostgreSQL and the model cloud', () => {
  it('answer the same to every sequence of calls, and hold the same rows', { timeout: TIMEOUT_MS }, async () => {
    const userId = await newUser(cloud);
    const agents: readonly AgentIdentity[] = [
      await cloud.pairedAgent(userId, 'PC'),
      await cloud.pairedAgent(userId, 'Laptop'),
    ];
    const endings = new Set<string>();
    for (let seed = 1; seed <= SEQUENCES; seed += 1) {
      const random = new SeededRandom(seed);
      const payload = samplePayload(seed);
      const [id = ''] = await cloud.queueMails(userId, [payload]);
      const model = new ModelCloud(new VirtualClock());
      const { key, hash } = model.queue(id, { payload });
      const head = resultRequest({ idempotency_key: key, payload_hash: hash }, { outcome: 'uncertain', nonce: null });
      const ports = agents.map(({ agentId }) => model.port(agentId));
      const story: string[] = [];
      for (let turn = 0; turn < CALLS; turn += 1) {
        const call = drawCall(random);
        const real = await askReal(call, id, agents, head);
        story.push(`${JSON.stringify(call)}: ${real}`);
        const expected = `seed ${seed}\n${story.join('\n')}`;
        const ours = await askModel(call, id, model, ports, head);
        expect(ours, expected).toBe(real);
        const mail = model.mail(id);
        expect(
          {
            status: mail.status,
            agent_id: mail.agentId,
            begun_nonce: mail.begun,
            retired_nonces: mail.retired,
            uncertain: mail.uncertain,
            smtp_message_id: mail.smtpMessageId,
            error_message: mail.errorMessage,
            facts: [...mail.facts.keys()].sort(),
          },
          expected,
        ).toEqual(await realRow(id));
        endings.add(`${call.kind} ${real === id ? 'mail' : real}`);
      }
      await cancelMails(database, { ids: [id] });
    }
    // Every kind of call was granted and refused; the same refusals on both sides prove little otherwise.
    expect([...endings].sort()).toEqual(expect.arrayContaining(SEEN));
  });
});

const SEEN = [
  'begin already-begun',
  'begin already-final',
  'begin cancelled',
  'begin done',
  'begin nonce-retired',
  'begin not-holder',
  'cancel stopped',
  'cancel too-late',
  'claim mail',
  'fact done',
  'fact payload-changed',
  'give-back done',
  'give-back illegal-move',
  'not-sent done',
  'resolve done',
  'resolve illegal-move',
  'result conflicting-result',
  'result done',
  'result not-holder',
  'result not-sending',
  'result wrong-nonce',
  'send-again done',
  'send-again illegal-move',
];
