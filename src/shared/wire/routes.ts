import type { z } from 'zod';
import * as m from './messages.ts';
import type { ProblemCode } from './problem.ts';

/** One call of a JSON API. Clients parse `reply`, servers parse `params` and `request`; OpenAPI is made from it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With `:name` for each field of `params`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: 'none' | 'agent' | 'operator';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly request?: z.ZodType;
  readonly reply: z.ZodType;
  /** Problems of this call beside the ones every call has (EVERY_CALL_PROBLEMS). */
  readonly problems: readonly ProblemCode[];
};

export const EVERY_CALL_PROBLEMS = [
  'invalid-request',
  'unauthorized',
  'too-large',
  'rate-limited',
  'internal',
  'unavailable',
] as const satisfies readonly ProblemCode[];

const PREFIX = '/agent/v1';
const RECIPIENT = `${PREFIX}/recipients/:id`;

/** The contract between agent and cloud, in the order of one mail's life. */
export const AGENT_ROUTES = {
  pair: {
    method: 'POST',
    path: `${PREFIX}/pair`,
    summary: 'Exchange a pairing code for an agent token',
    auth: 'none',
    request: m.PairRequest,
    reply: m.PairReply,
    problems: ['pairing-code-invalid'],
  },
  claim: {
    method: 'POST',
    path: `${PREFIX}/claims`,
    summary: 'Take the oldest queued mails of this user; the same claim_id always answers the same mails',
    auth: 'agent',
    request: m.ClaimRequest,
    reply: m.ClaimReply,
    problems: [],
  },
  begin: {
    method: 'POST',
    path: `${RECIPIENT}/begin`,
    summary: 'Ask the single-use permission to hand this mail over; the same nonce may ask again',
    auth: 'agent',
    params: m.RecipientParams,
    request: m.BeginRequest,
    reply: m.BeginReply,
    problems: [
      'not-found',
      'already-begun',
      'cancelled',
      'expired',
      'already-final',
      'not-holder',
      'payload-changed',
      'nonce-retired',
    ],
  },
  notSent: {
    method: 'POST',
    path: `${RECIPIENT}/not-sent`,
    summary: 'Tell that the attempt with this nonce did not send; clears the begun mark and retires the nonce',
    auth: 'agent',
    params: m.RecipientParams,
    request: m.NotSentRequest,
    reply: m.NotSentReply,
    problems: ['not-found', 'payload-changed'],
  },
  result: {
    method: 'POST',
    path: `${RECIPIENT}/result`,
    summary: 'Tell what became of the mail; repeating it is harmless, another result is refused',
    auth: 'agent',
    params: m.RecipientParams,
    request: m.ResultRequest,
    reply: m.ResultReply,
    problems: ['not-found', 'conflicting-result', 'not-sending', 'wrong-nonce', 'payload-changed', 'not-holder'],
  },
  fact: {
    method: 'POST',
    path: `${RECIPIENT}/facts`,
    summary: 'Tell what was learned after the result: the mail bounced, or was answered; the result stays',
    auth: 'agent',
    params: m.RecipientParams,
    request: m.FactRequest,
    reply: m.FactReply,
    problems: ['not-found', 'payload-changed'],
  },
  release: {
    method: 'POST',
    path: `${RECIPIENT}/release`,
    summary: 'Give a mail back to the queue that has not begun',
    auth: 'agent',
    params: m.RecipientParams,
    request: m.ReleaseRequest,
    reply: m.ReleaseReply,
    problems: ['not-found', 'already-begun', 'not-holder', 'not-sending', 'payload-changed'],
  },
  heartbeat: {
    method: 'POST',
    path: `${PREFIX}/heartbeat`,
    summary: 'Say that this agent lives; the answer carries commands',
    auth: 'agent',
    request: m.HeartbeatRequest,
    reply: m.HeartbeatReply,
    problems: [],
  },
  sync: {
    method: 'POST',
    path: `${PREFIX}/sync`,
    summary: 'List the mails the cloud holds for this agent, with payload and begun nonce, page by page',
    auth: 'agent',
    request: m.SyncRequest,
    reply: m.SyncReply,
    problems: [],
  },
} as const satisfies Record<string, Route>;

export type AgentRouteName = keyof typeof AGENT_ROUTES;
