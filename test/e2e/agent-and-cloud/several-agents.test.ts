import { describe, expect, it } from 'vitest';
import { expectInvariants } from './invariants.ts';
import { until } from './until.ts';
import { useWorlds } from './world.ts';

const scene = useWorlds();

describe('Two agents', () => {
  it('of one user share the queue and send no mail twice', async () => {
    const { world } = scene;
    await world.queue(40);
    const second = await world.addAgent();

    world.agent.start();
    second.start();
    await world.rest();

    await expectInvariants(world);
    expect(new Set(await world.fates())).toEqual(new Set(['sent']));
    expect(world.smtp.messages).toHaveLength(40);
  });

  it('go on with each other’s mails only when they are given back', async () => {
    const { world } = scene;
    const ids = await world.queue(3);
    world.smtp.script = { greeting: () => void world.agent.kill() };
    world.agent.start();
    await world.agent.gone();
    world.heal();
    const second = await world.addAgent();
    second.start();
    for (const id of ids) await world.cloud.operator.must('giveBack', { params: { id } });
    await world.rest();

    // The first one comes back and finds them sent.
    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent', 'sent']);
    expect([...world.agent.ledger().values()].map(({ state }) => state.kind)).toEqual(['sent', 'sent', 'sent']);
  });
});

describe('Two copies of one data folder with the same token', () => {
  it('that run at the same time send no mail twice', async () => {
    const { world } = scene;
    await world.queue(8);
    world.smtp.script = { greeting: () => void world.agent.kill() };
    world.agent.start();
    await world.agent.gone();
    world.heal();
    const copy = await world.agent.copy();
    world.agents.push(copy);

    world.agent.start();
    copy.start();
    await world.queue(6);
    await world.rest();
    await world.agree();

    await expectInvariants(world);
    expect(world.smtp.messages.length).toBeGreaterThan(0);
  });

  it('do not both send the mail that one of them has begun', async () => {
    const { world } = scene;
    const { agent, smtp, proxy } = world;
    const [first] = await world.queue(1);
    smtp.script = { greeting: () => void agent.kill() };
    agent.start();
    await agent.gone();
    world.heal();
    const copy = await agent.copy();
    world.agents.push(copy);
    // Neither is answered before both stand before the gate.
    proxy.intercept({ route: 'begin', times: 2 }, async (passage) => {
      await until(() => proxy.seen('begin', first).length === 2);
      passage.answer(await passage.forward());
    });

    agent.start();
    copy.start();
    await world.rest();
    await world.agree();

    await expectInvariants(world);
    expect(smtp.messages).toHaveLength(1);
    const answers = proxy.seen('begin', first).flatMap(({ statuses }) => statuses);
    expect(answers.sort()).toEqual([200, 409]);
  });
});
