import { describe, expect, it } from 'vitest';
import { lastObject } from '../../headless/command-line.ts';
import { inTurn, type PeerConnection, say, takeBody } from '../../support/scripted-smtp.ts';
import { expectInvariants } from './invariants.ts';
import { until } from './until.ts';
import { useWorlds, type World } from './world.ts';

const scene = useWorlds();

const greet = say('220 scripted.example ESMTP');
const EVIDENCE = { kind: 'person', note: 'The customer has answered it.' } as const;

/** One mail that is uncertain here and in the cloud; its agent runs. */
async function uncertainMail(world: World): Promise<string> {
  const [id] = await world.queue(1);
  world.smtp.script = { endOfData: (connection) => connection.drop() };
  world.agent.start();
  await world.rest();
  world.heal();
  expect(await world.fate(id)).toBe('uncertain');
  return id;
}

describe('A cancel that the cloud acknowledged', () => {
  it('while the mail waits at its agent keeps it from being sent', async () => {
    const { world } = scene;
    const [, second] = await world.queue(3);
    let held: PeerConnection | undefined;
    world.smtp.script = {
      greeting: inTurn((connection) => {
        held = connection;
      }, greet),
    };
    world.agent.start();
    await until(() => held !== undefined);

    expect(await world.cancel(second ?? '')).toBe('stopped');
    if (held !== undefined) greet(held);
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'cancelled', 'sent']);
  });

  it('while the mail is under way and has not begun keeps it from being sent', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    world.proxy.intercept({ route: 'begin', mailId: first }, async (passage) => {
      expect(await world.cancel(first)).toBe('stopped');
      passage.answer(await passage.forward());
    });

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['cancelled', 'sent']);
  });

  it('is refused as too late once the mail has begun, and the mail is sent', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    let answer = '';
    world.smtp.script = {
      data: async (connection) => {
        await world.begun(first);
        answer ||= await world.cancel(first);
        takeBody(connection);
      },
    };

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(answer).toBe('too-late');
    expect(await world.fates()).toEqual(['sent', 'sent']);
  });

  it('in the middle of a batch stops exactly as many as it says', async () => {
    const { world } = scene;
    const ids = await world.queue(25);
    let held: PeerConnection | undefined;
    const accept = say('250 2.0.0 taken');
    world.smtp.script = {
      endOfData: (connection) => {
        if (world.smtp.messages.length === 5) held = connection;
        else accept(connection);
      },
    };
    world.agent.start();
    await until(() => held !== undefined);

    const answer = await world.cloud.operator.must('cancel', { request: { ids: [...ids] } });
    for (const id of ids) if ((await world.fate(id)) === 'cancelled') world.cancelled.add(id);
    if (held !== undefined) accept(held);
    await world.rest();

    await expectInvariants(world);
    expect(answer).toEqual({ stopped: 20, too_late: 5, already_cancelled: 0 });
    expect(world.cancelled.size).toBe(20);
    expect(world.smtp.messages).toHaveLength(5);
  });
});

describe('An uncertain mail', () => {
  it('is shown by the status command and settled by the agent’s own person', async () => {
    const { world } = scene;
    const id = await uncertainMail(world);
    const status = lastObject((await world.agent.command(['status'])).out);
    expect(status).toMatchObject({ running: true, state: 'needs-you', uncertainMails: [id] });

    expect((await world.agent.command(['resolve', id, 'not-sent'])).code).toBe(0);
    await until(async () => (await world.fate(id)) === 'send_failed');
    await world.rest();

    await expectInvariants(world);
    expect((await world.mail(id)).result).toMatchObject({ evidence: { kind: 'person' } });
  });

  it('that the operator settles is settled at its agent too', async () => {
    const { world } = scene;
    const id = await uncertainMail(world);

    await world.cloud.operator.must('resolve', { params: { id }, request: { as: 'sent', evidence: EVIDENCE } });
    await world.agree();

    await expectInvariants(world);
    expect(world.agent.ledger().get(id)?.state.kind).toBe('sent');
  });

  it('that two people settle differently keeps the cloud’s word, and the conflict is shown', async () => {
    const { world } = scene;
    const id = await uncertainMail(world);
    await world.agent.stop();

    await world.cloud.operator.must('resolve', { params: { id }, request: { as: 'sent', evidence: EVIDENCE } });
    expect((await world.agent.command(['resolve', id, 'not-sent'])).code).toBe(0);
    world.agent.start();
    await until(async () => (await world.agent.status())?.counts.conflicts === 1);
    await world.rest();

    await expectInvariants(world, { conflicts: [id] });
    expect(await world.fate(id)).toBe('sent');
    expect((await world.agent.status())?.state).toBe('needs-you');
  });

  it('that is settled as not sent goes out again under a key of its own', async () => {
    const { world } = scene;
    const id = await uncertainMail(world);
    const { operator } = world.cloud;
    await operator.must('resolve', { params: { id }, request: { as: 'send_failed', evidence: EVIDENCE } });

    const again = await operator.must('sendAgain', { params: { id } });
    world.mailIds.push(again.id);
    await world.rest();
    await world.agree();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['send_failed', 'sent']);
  });
});

describe('The office', () => {
  it('sees an agent online and at work while one of its mails hangs', async () => {
    const { world } = scene;
    await world.queue(1);
    let held: PeerConnection | undefined;
    world.smtp.script = {
      endOfData: (connection) => {
        held = connection;
      },
    };
    world.agent.start();
    await until(() => held !== undefined);
    const beats = world.proxy.seen('heartbeat').length;

    await world.agent.tell({ command: 'check-now' });
    await until(() => world.proxy.seen('heartbeat').length > beats);
    const isSeen = async () => {
      const { items } = await world.cloud.operator.must('listAgents', {});
      const agent = items.find(({ id }) => id === world.agent.agentId);
      return agent?.online === true && agent.last_heartbeat?.state === 'sending' && agent.holding === 1;
    };
    await until(isSeen);
    if (held !== undefined) say('250 2.0.0 taken at last')(held);
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent']);
  });
});
