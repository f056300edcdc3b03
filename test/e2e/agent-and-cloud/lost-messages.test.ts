import { describe, expect, it } from 'vitest';
import { answerInstead, deliverTwice, loseReply } from '../../support/http-proxy.ts';
import { drop, inTurn, say, takeBody } from '../../support/scripted-smtp.ts';
import { expectInvariants } from './invariants.ts';
import { until } from './until.ts';
import { useWorlds } from './world.ts';

const scene = useWorlds();

describe('When an answer of the cloud is lost', () => {
  it('the claim is asked again under its id and answers the same mails', async () => {
    const { world } = scene;
    await world.queue(3);
    world.proxy.intercept({ route: 'claim' }, loseReply);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent', 'sent']);
    const [lost, again] = world.proxy.seen('claim');
    expect(again?.body['claim_id']).toBe(lost?.body['claim_id']);
  });

  it('the begin is asked again with the same nonce and the mail goes out', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    world.proxy.intercept({ route: 'begin', mailId: first }, loseReply);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent']);
    const [lost, again, ...more] = world.proxy.seen('begin', first);
    expect(again?.body).toEqual(lost?.body);
    expect(more).toEqual([]);
  });

  it('the result is told again, byte for byte, and counted once', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    world.proxy.intercept({ route: 'result', mailId: first, times: 2 }, loseReply);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent']);
    const told = world.proxy.seen('result', first);
    expect(told.map(({ statuses }) => statuses)).toEqual([[200], [200], [200]]);
    expect(new Set(told.map(({ text }) => text)).size).toBe(1);
  });

  it('the word that nothing was sent is told again before the mail is tried again', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    world.smtp.script = {
      data: inTurn((connection) => void world.begun(first).then(() => connection.drop()), takeBody),
    };
    world.proxy.intercept({ route: 'notSent', mailId: first }, loseReply);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent']);
    const order = world.proxy.requests.filter(({ mailId }) => mailId === first).map(({ route }) => route);
    expect(order).toEqual(['begin', 'notSent', 'notSent', 'begin', 'result']);
  });
});

describe('When the network delivers late or twice', () => {
  it('a begin that arrives after its not-sent is refused, and the next attempt sends the mail', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    const { proxy, smtp } = world;
    const isRetired = () => proxy.seen('notSent', first).some(({ statuses }) => statuses.includes(200));
    proxy.intercept({ route: 'begin', mailId: first }, async (passage) => {
      await until(isRetired);
      await passage.forward();
    });
    const dropOnceAsked = () => until(() => proxy.seen('begin', first).length > 0);
    smtp.script = {
      rcpt: inTurn((connection) => void dropOnceAsked().then(() => connection.drop()), say('250 2.1.5 ok')),
      // The second attempt waits here until the late one has arrived.
      data: (connection) =>
        void until(() => proxy.seen('begin', first)[0]?.statuses.length === 1).then(() => takeBody(connection)),
    };

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent']);
    expect(proxy.seen('begin', first).map(({ statuses }) => statuses)).toEqual([[409], [200]]);
  });

  it('a begin of a killed process that arrives before the next one leaves the mail uncertain, and sends nothing', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    const { proxy, agent, smtp } = world;
    let arrive: () => Promise<unknown> = () => Promise.reject(new Error('no begin came'));
    proxy.intercept({ route: 'begin', mailId: first }, (passage) => {
      arrive = passage.forward;
      void agent.kill();
    });
    agent.start();
    expect(await agent.gone()).toBe('SIGKILL');
    proxy.intercept({ route: 'begin', mailId: first }, async (passage) => {
      await arrive();
      passage.answer(await passage.forward());
    });

    agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['uncertain', 'sent']);
    expect(smtp.messages.filter(({ data }) => data.includes(`email-recipient-${first}.`))).toEqual([]);
  });

  it('a begin of a killed process that arrives after the next one is refused', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    const { proxy, agent } = world;
    let arrive: () => Promise<unknown> = () => Promise.reject(new Error('no begin came'));
    proxy.intercept({ route: 'begin', mailId: first }, (passage) => {
      arrive = passage.forward;
      void agent.kill();
    });
    agent.start();
    expect(await agent.gone()).toBe('SIGKILL');
    proxy.intercept({ route: 'begin', mailId: first }, async (passage) => {
      const granted = await passage.forward();
      await arrive();
      passage.answer(granted);
    });

    agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent']);
    expect(proxy.seen('begin', first).map(({ statuses }) => statuses)).toEqual([[409], [200]]);
  });

  it('requests that arrive twice do nothing twice', async () => {
    const { world } = scene;
    await world.queue(4);
    world.smtp.script = { data: inTurn(drop, takeBody) };
    for (const route of ['sync', 'begin', 'notSent', 'result', 'heartbeat'] as const) {
      world.proxy.intercept({ route, times: Number.POSITIVE_INFINITY }, deliverTwice);
    }
    // Once: the next claim waits for mails that do not come.
    world.proxy.intercept({ route: 'claim' }, deliverTwice);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent', 'sent', 'sent']);
  });
});

describe('When the cloud talks nonsense for a while', () => {
  const NONSENSE = [
    { what: 'a page of a hotel', act: answerInstead(200, '<html><body>Welcome!</body></html>', 'text/html') },
    { what: 'JSON that is cut', act: answerInstead(200, '{"items":[{"id":"1","payl') },
    { what: 'JSON of another kind', act: answerInstead(200, '{"hello":"world"}') },
    { what: 'a failure without a problem document', act: answerInstead(500, 'Internal Server Error', 'text/plain') },
    { what: 'a bad gateway', act: answerInstead(502, '<html>502</html>', 'text/html') },
  ];
  for (const { what, act } of NONSENSE) {
    it(`${what} changes nothing and the work goes on after it`, async () => {
      const { world } = scene;
      const { proxy, agent } = world;
      await world.queue(3);
      for (const route of ['sync', 'claim', 'begin', 'result', 'heartbeat'] as const) {
        proxy.intercept({ route, times: 2 }, act);
      }

      agent.start();
      await until(async () => {
        await agent.tell({ command: 'check-now' });
        return proxy.seen('begin').length > 2;
      });
      await world.rest();

      await expectInvariants(world);
      expect(await world.fates()).toEqual(['sent', 'sent', 'sent']);
    });
  }
});
