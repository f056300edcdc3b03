import { z } from 'zod';
import type { COMMANDS, HeartbeatReply, HeartbeatRequest } from '../../src/shared/wire/messages.ts';
import { InstantText, storable } from '../database/columns.ts';
import { oneRow, type Queries } from '../database/database.ts';
import type { AgentIdentity } from '../queue/moves.ts';
import { taskTotals } from './task-totals.ts';

/** Heartbeats in a row with another count than ours before the agent is asked to sync: one may cross a report. */
const MISMATCHES_BEFORE_SYNC = 2;

/**
 * One row an agent, written in place. Counts differ while reports are on their way, so only a heartbeat with nothing
 * left to tell is compared. Where a copied data folder runs beside the first, one of the two may differ while the
 * other agrees: a beat that agrees clears nothing where another process beat before it.
 */
const BEAT = {
  name: 'heartbeat',
  text: `
WITH held AS (
  SELECT $10::integer = 0 AND count(*)::integer <> $6::integer AS differs
    FROM recipients WHERE agent_id = $1 AND status = 'sending'
), beat AS (
  INSERT INTO heartbeats AS h (agent_id, at, interval_seconds, boot_id, state, why, holding, sent, failed, uncertain,
                               untold, version, mismatches)
  SELECT $1, now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
         held.differs::integer
    FROM held
  ON CONFLICT (agent_id) DO UPDATE
     SET at = excluded.at, interval_seconds = excluded.interval_seconds, boot_id = excluded.boot_id,
         state = excluded.state, why = excluded.why, holding = excluded.holding, sent = excluded.sent,
         failed = excluded.failed, uncertain = excluded.uncertain, untold = excluded.untold,
         version = excluded.version,
         mismatches = CASE WHEN excluded.mismatches > 0 THEN least(h.mismatches + 1, 1000)
                           WHEN h.boot_id = excluded.boot_id THEN 0
                           ELSE h.mismatches END
  RETURNING agent_id, at, mismatches
)
SELECT beat.at AS server_time, beat.mismatches, held.differs, agents.desired_state, agents.resume_pending
  FROM beat JOIN agents ON agents.id = beat.agent_id CROSS JOIN held`,
  row: z.object({
    server_time: InstantText,
    mismatches: z.int(),
    differs: z.boolean(),
    desired_state: z.enum(['running', 'paused']),
    resume_pending: z.boolean(),
  }),
};

const RESUMED = {
  name: 'agent-resumed',
  text: "UPDATE agents SET resume_pending = false WHERE id = $1 AND desired_state = 'running' AND resume_pending",
  row: z.object({}),
};

/**
 * Notes that the agent lives; answers what the operator wants of it and how far the user's tasks are. `pause` and `resume` are repeated until the
 * agent is seen to follow; an agent that its own user paused is never resumed by this.
 */
export async function heartbeat(
  queries: Queries,
  agent: AgentIdentity,
  request: HeartbeatRequest,
): Promise<HeartbeatReply> {
  const { counts } = request;
  const beat = await oneRow(queries, BEAT, [
    agent.agentId,
    request.interval_seconds,
    request.boot_id,
    request.state,
    request.why === null ? null : storable(request.why),
    counts.holding,
    counts.sent,
    counts.failed,
    counts.uncertain,
    counts.untold,
    storable(request.version),
  ]);
  const commands: (typeof COMMANDS)[number][] = [];
  const atWork = request.state === 'idle' || request.state === 'sending';
  if (beat.desired_state === 'paused' && request.state !== 'paused') commands.push('pause');
  if (beat.desired_state === 'running' && beat.resume_pending) {
    if (atWork) await queries.rows(RESUMED, [agent.agentId]);
    else commands.push('resume');
  }
  if (beat.differs && beat.mismatches >= MISMATCHES_BEFORE_SYNC) commands.push('sync');
  const tasks = await taskTotals(queries, agent.userId);
  return { server_time: beat.server_time, commands: commands.map((kind) => ({ kind })), tasks };
}
