import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openapiDocument } from '../../../src/shared/wire/openapi.ts';
import { PROBLEMS, Problem, ProblemCode, problemCode, problemType } from '../../../src/shared/wire/problem.ts';
import { AGENT_ROUTES } from '../../../src/shared/wire/routes.ts';
import { CALLS } from './wire-examples.ts';

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
