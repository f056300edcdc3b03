import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openapiDocument } from '../../../src/shared/wire/openapi.ts';
import { PROBLEMS, Problem, ProblemCode, problemCode, problemType } from '../../../src/shared/wire/problem.ts';
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

const CALLS = Object.entries(AGENT_ROUTES).map(([name, route]) => {
  const example = EXAMPLES[name as keyof typeof EXAMPLES];
  const bound: Route = route;
  return { name, route: bound, ...example };
});

/** The value with one unknown field in every object of it, one at a time. */
function withStranger(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => withStranger(item).map((changed) => value.with(index, changed)));
  }
  if (typeof value !== 'object' || value === null) return [];
  const deeper = Object.entries(value).flatMap(([key, item]) =>
    withStranger(item).map((changed) => ({ ...value, [key]: changed })),
  );
  return [{ ...value, stranger: 1 }, ...deeper];
}

describe('the agent routes', () => {
  it.each(CALLS)(
    'let the cloud read a request of $name and refuse an unknown field anywhere in it',
    ({ route, request }) => {
      const schema = route.request ?? z.never();

      expect(schema.parse(request)).toEqual(request);
      for (const strange of withStranger(request)) expect(schema.safeParse(strange).success).toBe(false);
    },
  );

  it.each(CALLS)('let the cloud refuse a request of $name that lacks any field', ({ route, request }) => {
    for (const field of Object.keys(request)) {
      const { [field]: _left, ...rest } = request as Record<string, unknown>;
      expect(route.request?.safeParse(rest).success, field).toBe(false);
    }
  });

  it.each(CALLS)('let the agent read a reply of $name and ignore unknown fields anywhere in it', ({ route, reply }) => {
    expect(route.reply.parse(reply)).toEqual(reply);
    for (const strange of withStranger(reply)) expect(route.reply.parse(strange)).toEqual(reply);
  });

  it.each(CALLS)('let the agent refuse a reply of $name that lacks any field', ({ route, reply }) => {
    for (const field of Object.keys(reply)) {
      const { [field]: _left, ...rest } = reply as Record<string, unknown>;
      expect(route.reply.safeParse(rest).success, field).toBe(false);
    }
  });

  it('have a version in their path, no two alike, and a parameter for every name in it', () => {
    const places = CALLS.map(({ route }) => `${route.method} ${route.path}`);

    expect(new Set(places).size).toBe(places.length);
    for (const { route } of CALLS) {
      expect(route.path).toMatch(/^\/agent\/v1\//);
      const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(route.params?.shape ?? {})).toEqual(named);
    }
  });
});

describe('openapiDocument', () => {
  const document = JSON.stringify(openapiDocument(AGENT_ROUTES, { title: 'T', version: '1', description: 'D' }));
  const Operation = z.object({
    operationId: z.string(),
    security: z.array(z.record(z.string(), z.array(z.string()))),
    parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })),
    requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) }).optional(),
    responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()) })),
  });
  const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });
  const operations = Object.values(Document.parse(JSON.parse(document)).paths).flatMap((item) => Object.values(item));

  it('holds every call once, with its token, its parameters and each of its problems', () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual(CALLS.map(({ name }) => name));
    for (const { name, route } of CALLS) {
      const operation = operations.find(({ operationId }) => operationId === name);
      expect(operation?.security).toEqual(route.auth === 'none' ? [] : [{ [route.auth]: [] }]);
      expect(operation?.parameters.map((parameter) => parameter.name)).toEqual(Object.keys(route.params?.shape ?? {}));
      for (const code of route.problems) {
        expect(JSON.stringify(operation?.responses[PROBLEMS[code].status])).toContain(problemType(code));
      }
    }
  });

  it('shows requests closed to unknown fields and replies open to them', () => {
    for (const { requestBody, responses } of operations) {
      expect(requestBody?.content['application/json']?.schema['additionalProperties']).toBe(false);
      expect(JSON.stringify(responses['200'])).not.toContain('"additionalProperties":false');
    }
  });

  it('refers to nothing that is not in it', () => {
    const references = [...document.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);

    expect([...new Set(references)]).toEqual(['#/components/schemas/Problem']);
  });
});

describe('problems', () => {
  it.each(ProblemCode.options)('find the code %s again in its type', (code) => {
    expect(problemCode(problemType(code))).toBe(code);
    expect(Problem.safeParse({ type: problemType(code), ...PROBLEMS[code] }).success).toBe(true);
  });

  it.each(['about:blank', 'urn:mail-agent:problem:', 'urn:mail-agent:problem:toString', 'internal'])(
    'know no code in %s',
    (type) => {
      expect(problemCode(type)).toBeNull();
    },
  );
});
