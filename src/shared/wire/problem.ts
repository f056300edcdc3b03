import { z } from 'zod';

/** Every error of the contract: its stable code, HTTP status and title. Source: RFC 9457. */
export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request does not fit the contract' },
  unauthorized: { status: 401, title: 'The token is missing, unknown or revoked' },
  'pairing-code-invalid': { status: 403, title: 'The pairing code is unknown, used or older than ten minutes' },
  'not-found': { status: 404, title: 'There is no such thing here' },
  'already-begun': { status: 409, title: 'The mail has begun under another nonce' },
  cancelled: { status: 409, title: 'The mail was cancelled' },
  expired: { status: 409, title: 'The time to send this mail has passed' },
  'already-final': { status: 409, title: 'The mail already has its final result' },
  'not-holder': { status: 409, title: 'The mail is not held by this agent' },
  'payload-changed': { status: 409, title: 'Key or payload hash differ from the queue' },
  'nonce-retired': { status: 409, title: 'The nonce was already told as not sent' },
  'wrong-nonce': { status: 409, title: 'The result names another nonce than the one that began' },
  'conflicting-result': { status: 409, title: 'Another result is stored for this mail' },
  'illegal-move': { status: 409, title: 'The mail cannot make this move from where it is' },
  'not-sending': { status: 422, title: 'The mail is not being sent' },
  'too-large': { status: 413, title: 'The request is too large' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'The cloud failed' },
  unavailable: { status: 503, title: 'The cloud cannot answer now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
export const ProblemCode = z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);

const TYPE_PREFIX = 'urn:mail-agent:problem:';
export const problemType = (code: ProblemCode): string => `${TYPE_PREFIX}${code}`;

/** The code inside a problem's `type`, or null where the type is not one of ours. */
export function problemCode(type: string): ProblemCode | null {
  const parsed = ProblemCode.safeParse(type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : '');
  return parsed.success ? parsed.data : null;
}

/** A problem document (`application/problem+json`); `stored` comes with `conflicting-result`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  /** What was wrong, field by field, with `invalid-request`. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  stored: z.unknown().optional(),
});
export type Problem = z.infer<typeof Problem>;
