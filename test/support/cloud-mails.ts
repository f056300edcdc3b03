import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type BeginRequest,
  type ClaimedItem,
  ClaimReply,
  type FactRequest,
  type HeartbeatRequest,
  type NotSentRequest,
  type ResultRequest,
} from '../../src/shared/wire/messages.ts';
import { type Answer, sampleClaim, sampleNonce, samplePayload, type TestAgent, type TestCloud } from './cloud.ts';

/** A mail that an agent holds. */
export type HeldMail = {
  readonly agent: TestAgent;
  readonly item: ClaimedItem;
  readonly params: { readonly id: string };
};

export async function newUser(cloud: TestCloud, name = '王芳'): Promise<string> {
  return (await cloud.operator.must('createUser', { request: { name } })).id;
}

/** Everything the agent may take now, up to `limit`. */
export async function claimed(agent: TestAgent, limit = 50): Promise<ClaimedItem[]> {
  const answer = await agent.call('claim', sampleClaim(limit));
  expect(answer.status).toBe(200);
  return ClaimReply.parse(answer.body).items;
}

/** A mail of a user of its own, claimed by this user's only agent. */
export async function heldMail(cloud: TestCloud): Promise<HeldMail> {
  const userId = await newUser(cloud);
  const agent = await cloud.pairedAgent(userId);
  await cloud.queueMails(userId, [samplePayload(1)]);
  const [item] = await claimed(agent);
  if (item === undefined) throw new Error('the mail was not claimed');
  return { agent, item, params: { id: item.id } };
}

/** The same, begun under the nonce that is answered with it. */
export async function begunMail(cloud: TestCloud): Promise<HeldMail & { readonly nonce: string }> {
  const mail = await heldMail(cloud);
  const nonce = sampleNonce();
  expect((await begin(mail, nonce)).status).toBe(200);
  return { ...mail, nonce };
}

/** The same, marked uncertain. */
export async function uncertainMail(cloud: TestCloud): Promise<HeldMail & { readonly nonce: string }> {
  const mail = await begunMail(cloud);
  const told = await result(mail, { outcome: 'uncertain', nonce: mail.nonce, error_message: 'no reply was read' });
  expect(told.body).toEqual({ id: mail.item.id, status: 'sending', deduplicated: false });
  return mail;
}

const keyOf = (mail: HeldMail) => ({ idempotency_key: mail.item.idempotency_key });

export const begin = (mail: HeldMail, nonce: string, change: Partial<BeginRequest> = {}): Promise<Answer> =>
  mail.agent.call(
    'begin',
    { ...keyOf(mail), payload_hash: mail.item.payload_hash, nonce, attempt: 1, ...change },
    mail.params,
  );

export const notSent = (mail: HeldMail, nonce: string, change: Partial<NotSentRequest> = {}): Promise<Answer> =>
  mail.agent.call(
    'notSent',
    {
      ...keyOf(mail),
      nonce,
      attempt: 1,
      stage: 'body',
      class: 'connection',
      code: null,
      enhanced_code: null,
      reply: null,
      ...change,
    },
    mail.params,
  );

export const resultRequest = (
  item: Pick<ClaimedItem, 'idempotency_key' | 'payload_hash'>,
  known: Pick<ResultRequest, 'outcome' | 'nonce'> & Partial<ResultRequest>,
): ResultRequest => ({
  idempotency_key: item.idempotency_key,
  payload_hash: item.payload_hash,
  attempt: 1,
  smtp_message_id: known.outcome === 'sent' ? '<1@example.com>' : null,
  error_message: null,
  stage: null,
  class: null,
  code: null,
  enhanced_code: null,
  reply: null,
  evidence: null,
  ...known,
});

export const result = (
  mail: HeldMail,
  known: Pick<ResultRequest, 'outcome' | 'nonce'> & Partial<ResultRequest>,
): Promise<Answer> => mail.agent.call('result', resultRequest(mail.item, known), mail.params);

export const fact = (mail: HeldMail, known: Partial<FactRequest> = {}): Promise<Answer> =>
  mail.agent.call(
    'fact',
    {
      ...keyOf(mail),
      payload_hash: mail.item.payload_hash,
      fact_id: 'a'.repeat(32),
      kind: 'bounced',
      at: '2026-11-29T10:00:00.000Z',
      bounce: { hard: true, status: '5.1.1', text: 'no such user' },
      ...known,
    },
    mail.params,
  );

export const release = (mail: HeldMail): Promise<Answer> => mail.agent.call('release', keyOf(mail), mail.params);

export const cancel = (cloud: TestCloud, id: string) => cloud.operator.must('cancel', { request: { ids: [id] } });

export const heartbeatRequest = (
  change: Partial<Omit<HeartbeatRequest, 'counts'>> & { readonly holding?: number; readonly untold?: number } = {},
): HeartbeatRequest => {
  const { holding = 0, untold = 0, ...rest } = change;
  return {
    interval_seconds: 60,
    boot_id: randomUUID(),
    state: 'idle',
    why: null,
    counts: { holding, sent: 0, failed: 0, uncertain: 0, untold },
    version: '0.1.0',
    ...rest,
  };
};
