import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../database/database.ts';
import type { AgentIdentity } from '../queue/moves.ts';

/** A known token is looked up again after this time: a revoked one is refused within it. Milliseconds. */
const TRUST_MS = 3_000;
const CACHE_MAX = 10_000;

/** 256 random bits, of which the cloud keeps only the digest. */
export const newToken = (): string => randomBytes(32).toString('base64url');
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

const AGENT_BY_TOKEN = {
  name: 'agent-by-token',
  text: 'SELECT id, user_id FROM agents WHERE token_hash = $1 AND revoked_at IS NULL',
  row: z.object({ id: z.string(), user_id: z.string() }),
};

export type TokenCheck = (token: string) => Promise<AgentIdentity | null>;

/** Who a token belongs to, null where nobody or where it was revoked. */
export function tokenCheck(queries: Queries, nowMs: () => number): TokenCheck {
  const known = new Map<string, { readonly agent: AgentIdentity; readonly untilMs: number }>();
  return async (token) => {
    const hash = tokenHash(token);
    const key = hash.toString('base64');
    const trusted = known.get(key);
    if (trusted !== undefined && trusted.untilMs > nowMs()) return trusted.agent;
    known.delete(key);
    const [row] = await queries.rows(AGENT_BY_TOKEN, [hash]);
    if (row === undefined) return null;
    const agent = { agentId: row.id, userId: row.user_id };
    const oldest = known.keys().next();
    if (known.size >= CACHE_MAX && oldest.done !== true) known.delete(oldest.value);
    known.set(key, { agent, untilMs: nowMs() + TRUST_MS });
    return agent;
  };
}
