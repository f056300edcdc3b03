import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeartbeatReply, type HeartbeatRequest } from '../../../src/shared/wire/messages.ts';
import { samplePayload, startTestCloud, type TestAgent, type TestCloud } from '../../support/cloud.ts';
import { claimed, heartbeatRequest, heldMail, newUser } from '../../support/cloud-mails.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());

const newAgent = async () => cloud.pairedAgent(await newUser(cloud));
async function commands(agent: TestAgent, change: Parameters<typeof heartbeatRequest>[0] = {}): Promise<string[]> {
  const answer = await agent.call('heartbeat', heartbeatRequest(change));
  return HeartbeatReply.parse(answer.body).commands.map(({ kind }) => kind);
}
const seen = async ({ agentId }: TestAgent) =>
  (await cloud.operator.must('listAgents', {})).items.find(({ id }) => id === agentId);
const order = (agent: TestAgent, what: 'pauseAgent' | 'resumeAgent') =>
  cloud.operator.must(what, { params: { id: agent.agentId } });

describe('heartbeat', () => {
  it("answers the database's time and is shown to the operator", async () => {
    const agent = await newAgent();
    const request: HeartbeatRequest = {
      ...heartbeatRequest({ state: 'needs-you', why: '登录失败\0' }),
      version: '0.2.0',
    };

    const answer = await agent.call('heartbeat', request);

    expect(HeartbeatReply.parse(answer.body).server_time).toMatch(/Z$/);
    expect(await seen(agent)).toMatchObject({
      online: true,
      version: '0.2.0',
      last_heartbeat: { state: 'needs-you', why: '登录失败\uFFFD', interval_seconds: 60 },
    });
  });

  it('answers how far the tasks of its user are, over all agents, and of nobody else', async () => {
    const userId = await newUser(cloud);
    await cloud.queueMails(await newUser(cloud), [samplePayload(9)]);
    const [agent, other] = [await cloud.pairedAgent(userId), await cloud.pairedAgent(userId)];
    const [, second = ''] = await cloud.queueMails(userId, [1, 2, 3, 4, 5].map(samplePayload));
    await claimed(other, 1);
    await cloud.operator.must('cancel', { request: { ids: [second] } });
    const tasks = async () => HeartbeatReply.parse((await agent.call('heartbeat', heartbeatRequest())).body).tasks;

    expect(await tasks()).toMatchObject([{ name: 'A task', total: 4, queued: 3, sent: 0, failed: 0 }]);
    await cloud.operator.must('createTask', {
      request: { user_id: userId, name: 'Not confirmed', recipients: [{ payload: samplePayload(6) }] },
    });
    expect(await tasks()).toHaveLength(1);
  });

  it('keeps one row an agent, updated in place', async () => {
    const agent = await newAgent();
    for (let beat = 0; beat < 5; beat += 1) await commands(agent);

    expect(await cloud.sql('SELECT 1 FROM heartbeats WHERE agent_id = $1', [agent.agentId])).toHaveLength(1);
  });

  it('calls an agent offline after max(interval × 3, interval + 180 s), by the clock of the database', async () => {
    const agent = await newAgent();
    expect((await seen(agent))?.online).toBe(false);
    const silentFor = async (interval: number, seconds: number) => {
      await commands(agent, { interval_seconds: interval });
      await cloud.sql('UPDATE heartbeats SET at = now() - make_interval(secs => $2) WHERE agent_id = $1', [
        agent.agentId,
        seconds,
      ]);
      return (await seen(agent))?.online;
    };

    expect(await silentFor(60, 230)).toBe(true);
    expect(await silentFor(60, 241)).toBe(false);
    expect(await silentFor(200, 590)).toBe(true);
    expect(await silentFor(200, 601)).toBe(false);
  });

  it('repeats pause until the agent is paused, and resume until it is seen at work', async () => {
    const agent = await newAgent();
    expect(await commands(agent)).toEqual([]);

    await order(agent, 'pauseAgent');
    expect(await commands(agent, { state: 'sending' })).toEqual(['pause']);
    expect(await commands(agent, { state: 'idle' })).toEqual(['pause']);
    expect(await commands(agent, { state: 'paused' })).toEqual([]);
    await order(agent, 'resumeAgent');
    expect(await commands(agent, { state: 'paused' })).toEqual(['resume']);
    expect(await commands(agent, { state: 'needs-you' })).toEqual(['resume']);
    expect(await commands(agent, { state: 'sending' })).toEqual([]);
    expect(await commands(agent, { state: 'paused' })).toEqual([]);
  });

  it('never resumes an agent that its own user paused', async () => {
    const agent = await newAgent();

    await order(agent, 'resumeAgent');

    expect(await commands(agent, { state: 'paused' })).toEqual([]);
  });

  it('asks for a sync when the counts of held mails differ twice in a row with nothing left to tell', async () => {
    const { agent } = await heldMail(cloud);
    const boot_id = randomUUID();

    expect(await commands(agent, { boot_id, holding: 1 })).toEqual([]);
    expect(await commands(agent, { boot_id, holding: 0 })).toEqual([]);
    expect(await commands(agent, { boot_id, holding: 0 })).toEqual(['sync']);
    expect(await commands(agent, { boot_id, holding: 0 })).toEqual(['sync']);
    expect(await commands(agent, { boot_id, holding: 1 })).toEqual([]);
    expect(await commands(agent, { boot_id, holding: 0 })).toEqual([]);
    expect(await commands(agent, { boot_id, holding: 0, untold: 1 })).toEqual([]);
    expect(await commands(agent, { boot_id, holding: 0 })).toEqual([]);
  });

  it('asks the copy of a data folder that differs for a sync, though the other one agrees in between', async () => {
    const agent = await newAgent();
    const [first, copy] = [randomUUID(), randomUUID()];
    const beat = async (boot_id: string, holding: number) => commands(agent, { boot_id, holding });

    expect(await beat(first, 3)).toEqual([]);
    expect(await beat(copy, 0)).toEqual([]);
    expect(await beat(first, 3)).toEqual(['sync']);
    expect(await beat(copy, 0)).toEqual([]);
    expect(await beat(copy, 0)).toEqual([]);
    expect(await beat(copy, 3)).toEqual([]);
  });
});
