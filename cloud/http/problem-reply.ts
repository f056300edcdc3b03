import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem, problemType } from '../../src/shared/wire/problem.ts';
import { DatabaseUnavailable, IllegalMove } from '../database/database.ts';
import type { Failure } from '../failure.ts';

const RETRY_AFTER_SECONDS = 5;

/** Answers with the problem document of a failure. Source: RFC 9457. */
export function sendProblem(reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, title } = PROBLEMS[failure.code];
  const problem: Problem = { type: problemType(failure.code), title, status };
  if (failure.detail !== undefined) problem.detail = failure.detail;
  if (failure.errors !== undefined) problem.errors = [...failure.errors];
  if (failure.stored !== undefined) problem.stored = failure.stored;
  if (failure.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (failure.code === 'unavailable') reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problem));
}

/** Turns whatever is thrown, by the framework or by a bug, into a problem. `onFault` hears of what is nobody's fault but ours. */
export function answerProblems(app: FastifyInstance, onFault: (error: unknown, request: FastifyRequest) => void): void {
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, { code: 'not-found' }));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const failure = failureOf(error);
    if (failure.code === 'internal' || failure.code === 'unavailable') onFault(error, request);
    return sendProblem(reply, failure);
  });
}

function failureOf(error: FastifyError): Failure {
  if (error instanceof DatabaseUnavailable) return { code: 'unavailable', detail: 'the database cannot be reached' };
  if (error instanceof IllegalMove) return { code: 'illegal-move', detail: error.message };
  if (error.statusCode === 413) return { code: 'too-large' };
  if (error.statusCode === 429) return { code: 'rate-limited' };
  if (error.statusCode === 503) return { code: 'unavailable' };
  // What the framework refuses before any handler runs: broken JSON, another media type, a wrong length.
  if (error.statusCode !== undefined && error.statusCode < 500)
    return { code: 'invalid-request', detail: error.message };
  return { code: 'internal' };
}
