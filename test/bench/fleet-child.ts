import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createCloudClient } from '../../src/main/adapters/cloud-http/cloud-client.ts';
import type { Cloud } from '../../src/main/engine/ports.ts';
import { ok } from '../../src/shared/result.ts';
import { ClaimedItemHead, type ResultRequest } from '../../src/shared/wire/messages.ts';
import { serveParent } from './child.ts';

/** Many agents at once, each through the agent's own cloud client: claim, then begin and result for each mail. */
const Request = z.object({ cloudUrl: z.string(), tokens: z.array(z.string()), limit: z.int(), ms: z.number() });

const FOREVER = new AbortController().signal;

serveParent(
  async (input) => {
    const { cloudUrl, tokens, limit, ms } = Request.parse(input);
    const clients = tokens.map((token) =>
      createCloudClient({ cloudUrl, token: async () => ok(token), version: '0.0.0' }),
    );
    const startedMs = performance.now();
    const told = await Promise.all(clients.map((client) => work(client, limit, startedMs + ms)));
    const spentMs = performance.now() - startedMs;
    await Promise.all(clients.map((client) => client.close()));
    return { mails: told.reduce((sum, count) => sum + count, 0), ms: spentMs };
  },
  async () => undefined,
);

/** Returns how many mails this agent claimed and reported until `endMs`; the last batch is finished. */
async function work(cloud: Cloud, limit: number, endMs: number): Promise<number> {
  let told = 0;
  while (performance.now() < endMs) {
    const claimed = must(await cloud.claim({ claimId: randomUUID(), limit, waitSeconds: 0 }, FOREVER));
    if (claimed.items.length === 0) throw new Error('the queue ran empty: nothing was measured');
    for (const item of claimed.items) {
      await sendOne(cloud, ClaimedItemHead.parse(item));
      told += 1;
    }
  }
  return told;
}

async function sendOne(cloud: Cloud, item: ClaimedItemHead): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const mail = { idempotency_key: item.idempotency_key, payload_hash: item.payload_hash, nonce, attempt: 1 };
  must(await cloud.begin(item.id, mail, FOREVER));
  const result: ResultRequest = {
    ...mail,
    outcome: 'sent',
    smtp_message_id: `<${item.id}@example.com>`,
    error_message: null,
    stage: 'handed-over',
    class: null,
    code: 250,
    enhanced_code: '2.0.0',
    reply: 'taken',
    evidence: null,
  };
  must(await cloud.report({ mailId: item.id, route: 'result', body: JSON.stringify(result) }, FOREVER));
}

function must<T>(answer: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
