import { AGENT_ROUTES, type Route } from '../../../src/shared/wire/routes.ts';

const KEY = 'email-recipient-7';
const HASH = `sha256:${'0'.repeat(64)}`;
const NONCE = 'n'.repeat(22);
const UUID = '6f1c1d52-3a55-4f0e-9d0f-0f6f3f6d8c11';
const PAYLOAD = {
  from: { address: 'anna@firma.example' },
  to: { address: 'wang@example.cn' },
  subject: 'Angebot',
  text: 'Guten Tag',
};
const ITEM = {
  id: '7',
  user_id: 'anna',
  idempotency_key: KEY,
  payload_hash: HASH,
  task: { id: '1', name: 'Autumn' },
  not_before: null,
  not_after: '2026-12-01T00:00:00.000Z',
  payload: PAYLOAD,
};
const STAGED = { stage: 'envelope', class: 'content', code: 550, enhanced_code: '5.7.1', reply: 'no' };

/** One sound request and reply of every call: a new call has none until it is written here. */
const EXAMPLES: Record<keyof typeof AGENT_ROUTES, { readonly request: object; readonly reply: object }> = {
  pair: {
    request: { pairing_code: 'ABCD-1234', agent_name: 'Anna PC', platform: 'win32', version: '1.0.0' },
    reply: { agent_id: 'a1', token: 't'.repeat(43), user: { id: 'anna', name: 'Anna' } },
  },
  claim: {
    request: { claim_id: UUID, limit: 10, wait: 25 },
    reply: { claim_id: UUID, items: [ITEM] },
  },
  begin: {
    request: { idempotency_key: KEY, payload_hash: HASH, nonce: NONCE, attempt: 1 },
    reply: { id: '7', nonce: NONCE, granted: true },
  },
  notSent: {
    request: { idempotency_key: KEY, nonce: NONCE, attempt: 1, ...STAGED },
    reply: { id: '7', nonce: NONCE, cleared: true },
  },
  result: {
    request: {
      idempotency_key: KEY,
      payload_hash: HASH,
      nonce: NONCE,
      attempt: 1,
      outcome: 'sent',
      smtp_message_id: '<a@b.example>',
      error_message: null,
      ...STAGED,
      evidence: null,
    },
    reply: { id: '7', status: 'sent', deduplicated: false },
  },
  fact: {
    request: {
      idempotency_key: KEY,
      payload_hash: HASH,
      fact_id: 'f'.repeat(32),
      kind: 'bounced',
      at: '2026-12-01T00:00:00.000Z',
      bounce: { hard: true, status: '5.1.1', text: 'no such user' },
    },
    reply: { id: '7', fact_id: 'f'.repeat(32), deduplicated: false },
  },
  release: { request: { idempotency_key: KEY }, reply: { id: '7', status: 'queued' } },
  heartbeat: {
    request: {
      interval_seconds: 60,
      boot_id: UUID,
      state: 'idle',
      why: null,
      counts: { holding: 0, sent: 1, failed: 0, uncertain: 0, untold: 0 },
      version: '1.0.0',
    },
    reply: { server_time: '2026-11-29T12:00:00.000Z', commands: [{ kind: 'pause' }] },
  },
  sync: {
    request: { boot_id: UUID, after: null, limit: 50, known: ['7'] },
    reply: {
      items: [{ ...ITEM, begun_nonce: null, uncertain: false }],
      next_after: null,
      others: [{ id: '8', status: 'unknown', smtp_message_id: null, error_message: null }],
    },
  },
};

export const CALLS = Object.entries(AGENT_ROUTES).map(([name, route]) => {
  const example = EXAMPLES[name as keyof typeof EXAMPLES];
  const bound: Route = route;
  return { name, route: bound, ...example };
});
