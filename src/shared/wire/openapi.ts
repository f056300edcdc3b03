import { z } from 'zod';
import { PROBLEMS, Problem, type ProblemCode, problemType } from './problem.ts';
import { EVERY_CALL_PROBLEMS, type Route } from './routes.ts';

export type ApiInfo = { readonly title: string; readonly version: string; readonly description: string };

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.1 document of a table of routes. Requests are shown as the server reads them (unknown fields refused),
 * replies as a client should (unknown fields ignored). The order of routes and fields is that of the table.
 */
export function openapiDocument(routes: Readonly<Record<string, Route>>, info: ApiInfo): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem) },
      securitySchemes: {
        agent: { type: 'http', scheme: 'bearer', description: 'The token that pairing gave to this agent' },
        operator: { type: 'http', scheme: 'bearer', description: "The operator's token" },
      },
    },
  };
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    security: route.auth === 'none' ? [] : [{ [route.auth]: [] }],
    parameters: [...parameters('path', route.params), ...parameters('query', route.query)],
    ...(route.request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.request) } } } }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: schemaOf(route.reply) } } },
      ...problemResponses([...new Set([...EVERY_CALL_PROBLEMS, ...route.problems])]),
    },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined): readonly Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field),
  }));
}

/** One response a status, naming every problem that has it. */
function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => PROBLEMS[code].title).join('; '),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { type: { enum: same.map(problemType) } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

function schemaOf(schema: z.core.$ZodType): Json {
  // Inline, because a reference into a schema's own `$defs` would be read from the document's root.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
    unrepresentable: 'any',
  });
  return json;
}
