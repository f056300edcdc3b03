import { createHash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result } from '../../src/shared/result.ts';
import type { PairReply, PairRequest } from '../../src/shared/wire/messages.ts';
import { InstantText, storable } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { type Failure, fail } from '../failure.ts';
import { newToken, tokenHash } from './token.ts';

/** Capital letters and digits that nobody takes for one another when reading them out. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeHash = (code: string): Buffer => createHash('sha256').update(code, 'utf8').digest();

const ADD_CODE = {
  name: 'add-pairing-code',
  text: `
INSERT INTO pairing_codes (code_hash, user_id, expires_at)
SELECT $1, id, now() + interval '10 minutes' FROM users WHERE id = $2
RETURNING expires_at`,
  row: z.object({ expires_at: InstantText }),
};

/** A code of 40 random bits, good once and for ten minutes by the database's clock. */
export async function createPairingCode(
  queries: Queries,
  userId: string,
): Promise<Result<{ pairing_code: string; expires_at: string }, Failure>> {
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  const [added] = await queries.rows(ADD_CODE, [codeHash(code), userId]);
  return added === undefined ? fail('not-found', 'there is no such user') : ok({ pairing_code: code, ...added });
}

/** Uses the code up and makes the agent in one statement: of two who know the code, one gets in. */
const PAIR = {
  name: 'pair',
  text: `
WITH code AS (
  UPDATE pairing_codes SET used_at = now()
   WHERE code_hash = $1 AND used_at IS NULL AND expires_at > now()
  RETURNING user_id
), agent AS (
  INSERT INTO agents (user_id, name, platform, version, token_hash)
  SELECT user_id, $2, $3, $4, $5 FROM code
  RETURNING id, user_id
)
SELECT agent.id AS agent_id, users.id AS user_id, users.name AS user_name
  FROM agent JOIN users ON users.id = agent.user_id`,
  row: z.object({ agent_id: z.string(), user_id: z.string(), user_name: z.string() }),
};

export async function pairAgent(queries: Queries, request: PairRequest): Promise<Result<PairReply, Failure>> {
  const token = newToken();
  const [paired] = await queries.rows(PAIR, [
    codeHash(request.pairing_code),
    storable(request.agent_name),
    storable(request.platform),
    storable(request.version),
    tokenHash(token),
  ]);
  if (paired === undefined) return fail('pairing-code-invalid');
  return ok({ agent_id: paired.agent_id, token, user: { id: paired.user_id, name: paired.user_name } });
}
