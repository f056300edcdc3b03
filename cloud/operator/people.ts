import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import { AgentState } from '../../src/shared/wire/messages.ts';
import { InstantText, NoColumns, storable } from '../database/columns.ts';
import { oneRow, type Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { OPERATOR_ACTOR } from '../queue/moves.ts';
import type { Agent } from './routes.ts';

const UserRow = z.object({ id: z.string(), name: z.string(), created_at: InstantText });

const ADD_USER = {
  name: 'add-user',
  text: 'INSERT INTO users (name) VALUES ($1) RETURNING id, name, created_at',
  row: UserRow,
};
const ALL_USERS = {
  name: 'all-users',
  text: 'SELECT id, name, created_at FROM users ORDER BY name, id',
  row: UserRow,
};

export const createUser = (queries: Queries, name: string) => oneRow(queries, ADD_USER, [storable(name)]);
export const listUsers = (queries: Queries) => queries.rows(ALL_USERS, []);

/** An agent with its last heartbeat; offline after max(interval × 3, interval + 180 s) by the database's clock. */
const AGENTS = {
  name: 'agents',
  text: `
SELECT a.id, a.user_id, u.name AS user_name, a.name, a.platform, coalesce(h.version, a.version) AS version,
       a.desired_state, a.revoked_at IS NOT NULL AS revoked, a.created_at,
       coalesce(h.at + make_interval(secs => greatest(h.interval_seconds * 3, h.interval_seconds + 180)) > now(),
                false) AS online,
       (SELECT count(*)::integer FROM recipients r WHERE r.agent_id = a.id AND r.status = 'sending') AS held,
       h.at, h.interval_seconds, h.state, h.why, h.holding, h.sent, h.failed, h.uncertain, h.untold
  FROM agents a JOIN users u ON u.id = a.user_id LEFT JOIN heartbeats h ON h.agent_id = a.id
 WHERE $1::uuid IS NULL OR a.id = $1
 ORDER BY u.name, a.created_at, a.id`,
  row: z.object({
    id: z.string(),
    user_id: z.string(),
    user_name: z.string(),
    name: z.string(),
    platform: z.string(),
    version: z.string(),
    desired_state: z.enum(['running', 'paused']),
    revoked: z.boolean(),
    created_at: InstantText,
    online: z.boolean(),
    held: z.int(),
    at: InstantText.nullable(),
    interval_seconds: z.int().nullable(),
    state: AgentState.nullable(),
    why: z.string().nullable(),
    holding: z.int().nullable(),
    sent: z.int().nullable(),
    failed: z.int().nullable(),
    uncertain: z.int().nullable(),
    untold: z.int().nullable(),
  }),
};

export async function listAgents(queries: Queries, agentId: string | null = null): Promise<Agent[]> {
  const rows = await queries.rows(AGENTS, [agentId]);
  return rows.map((row) => {
    const { at, interval_seconds, state, why, holding, sent, failed, uncertain, untold, held, ...agent } = row;
    const last_heartbeat =
      at === null || state === null
        ? null
        : {
            at,
            interval_seconds: interval_seconds ?? 0,
            state,
            why,
            holding: holding ?? 0,
            sent: sent ?? 0,
            failed: failed ?? 0,
            uncertain: uncertain ?? 0,
            untold: untold ?? 0,
          };
    return { ...agent, holding: held, last_heartbeat };
  });
}

const AgentRow = z.object({ id: z.string() });
const ORDERS = {
  pause: {
    name: 'pause-agent',
    text: "UPDATE agents SET desired_state = 'paused', resume_pending = false WHERE id = $1 RETURNING id",
    row: AgentRow,
  },
  resume: {
    name: 'resume-agent',
    text: `
UPDATE agents SET desired_state = 'running', resume_pending = resume_pending OR desired_state = 'paused'
 WHERE id = $1 RETURNING id`,
    row: AgentRow,
  },
  revoke: {
    name: 'revoke-agent',
    text: 'UPDATE agents SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING id',
    row: AgentRow,
  },
};

/**
 * Nobody will tell any more how these ended: they stand before a person from now on. A begin that its agent was granted
 * in the moment of the revocation is found by revoking again.
 */
const DOUBT_BEGUN = {
  name: 'doubt-begun',
  text: `
UPDATE recipients SET uncertain_since = now(), uncertain_reason = $2, actor = $3
 WHERE agent_id = $1 AND status = 'sending' AND begun_nonce IS NOT NULL AND uncertain_since IS NULL`,
  row: NoColumns,
};
const REVOKED_MIDWAY = 'its agent was revoked after it had begun to send this mail';

export async function orderAgent(
  queries: Queries,
  agentId: string,
  order: keyof typeof ORDERS,
): Promise<Result<Agent, Failure>> {
  await queries.rows(ORDERS[order], [agentId]);
  if (order === 'revoke') await queries.rows(DOUBT_BEGUN, [agentId, REVOKED_MIDWAY, OPERATOR_ACTOR]);
  const [agent] = await listAgents(queries, agentId);
  return agent === undefined ? fail('not-found', 'there is no such agent') : ok(agent);
}
