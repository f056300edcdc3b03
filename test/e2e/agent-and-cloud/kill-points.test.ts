import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { type HttpAct, loseReply, loseRequest } from '../../support/http-proxy.ts';
import { type Act, both, say } from '../../support/scripted-smtp.ts';
import { expectInvariants } from './invariants.ts';
import { until } from './until.ts';
import { World } from './world.ts';

let cloud: TestCloud;
let world: World;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.close());
beforeEach(async () => {
  world = await World.start(cloud);
});
afterEach(() => world.close());

/** One moment of a mail's life, and where the mail may stand once the killed agent is back. */
type KillPoint = {
  readonly when: string;
  /** Has the agent killed at this moment of this mail. */
  readonly arm: (world: World, mailId: string) => void;
  readonly then: readonly string[];
  /** Large enough that part of the body leaves before the gate. */
  readonly text?: string;
};

const killNow = (): void => void world.agent.kill();
const killAct: Act = killNow;
const granted = (mailId: string) => () => world.proxy.seen('begin', mailId).some((seen) => seen.statuses.includes(200));

/** Kills once the cloud has granted `begin`. */
const killWhenBegun =
  (mailId: string): Act =>
  () =>
    void until(granted(mailId)).then(killNow);

/** The server goes away once the cloud has granted `begin`, so that there is something to be told as not sent. */
const dropWhenBegun =
  (mailId: string): Act =>
  (connection) =>
    void until(granted(mailId)).then(() => connection.drop());

const killThen =
  (act: HttpAct): HttpAct =>
  (passage) => {
    killNow();
    return act(passage);
  };
const killAfter =
  (act: HttpAct): HttpAct =>
  async (passage) => {
    await act(passage);
    killNow();
  };
const killBeforeReply: HttpAct = async (passage) => {
  await passage.forward();
  killNow();
};

const KILL_POINTS: readonly KillPoint[] = [
  {
    when: 'it asks what the cloud holds for it',
    arm: ({ proxy }) => proxy.intercept({ route: 'sync' }, killBeforeReply),
    then: ['sent'],
  },
  {
    when: 'its claim is on the way',
    arm: ({ proxy }) => proxy.intercept({ route: 'claim' }, killThen(loseRequest)),
    then: ['sent'],
  },
  {
    when: 'the answer to its claim is on the way',
    arm: ({ proxy }) => proxy.intercept({ route: 'claim' }, killBeforeReply),
    then: ['sent'],
  },
  {
    when: 'the mail server takes the connection',
    arm: ({ smtp }) => {
      smtp.script = { greeting: killAct };
    },
    then: ['sent'],
  },
  {
    when: 'it says EHLO',
    arm: ({ smtp }) => {
      smtp.script = { ehlo: killAct };
    },
    then: ['sent'],
  },
  {
    when: 'it logs in',
    arm: ({ smtp }) => {
      smtp.script = { auth: killAct };
    },
    then: ['sent'],
  },
  {
    when: 'it says MAIL and its begin has not arrived',
    arm: ({ smtp, proxy }, mailId) => {
      proxy.intercept({ route: 'begin', mailId, times: Number.POSITIVE_INFINITY }, () => undefined);
      smtp.script = { mail: killAct };
    },
    then: ['sent'],
  },
  {
    when: 'it says RCPT and has begun',
    arm: ({ smtp }, mailId) => {
      smtp.script = { rcpt: killWhenBegun(mailId) };
    },
    then: ['uncertain'],
  },
  {
    when: 'its begin is on the way and never arrives',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'begin', mailId }, killThen(loseRequest)),
    then: ['sent'],
  },
  {
    when: 'its begin is granted and the reply is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'begin', mailId }, killBeforeReply),
    then: ['uncertain'],
  },
  {
    when: 'it says DATA and has begun',
    arm: ({ smtp }, mailId) => {
      smtp.script = { data: killWhenBegun(mailId) };
    },
    then: ['uncertain'],
  },
  {
    when: 'the body is half across',
    text: 'A line of the offer.\r\n'.repeat(3_000),
    arm: ({ smtp }, mailId) => {
      smtp.script = { body: { afterBytes: 2_000, act: killWhenBegun(mailId) } };
    },
    then: ['uncertain'],
  },
  {
    when: 'the end of the mail has arrived and no reply was said',
    arm: ({ smtp }) => {
      smtp.script = { endOfData: killAct };
    },
    then: ['uncertain'],
  },
  {
    when: 'the server has just accepted',
    arm: ({ smtp }) => {
      smtp.script = { endOfData: both(say('250 2.0.0 taken'), killAct) };
    },
    // Either the reply was on disk before the end came, or nobody here knows of it.
    then: ['sent', 'uncertain'],
  },
  {
    when: 'its result is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'result', mailId }, killThen(loseRequest)),
    then: ['sent'],
  },
  {
    when: 'its result is stored and the reply is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'result', mailId }, killBeforeReply),
    then: ['sent'],
  },
  {
    when: 'its word that nothing was sent is on the way',
    arm: ({ smtp, proxy }, mailId) => {
      smtp.script = { data: dropWhenBegun(mailId) };
      proxy.intercept({ route: 'notSent', mailId }, killThen(loseRequest));
    },
    then: ['sent'],
  },
  {
    when: 'its word that nothing was sent is stored and the reply is on the way',
    arm: ({ smtp, proxy }, mailId) => {
      smtp.script = { data: dropWhenBegun(mailId) };
      proxy.intercept({ route: 'notSent', mailId }, killAfter(loseReply));
    },
    then: ['sent'],
  },
];

describe('An agent that is killed and started again', () => {
  it.each(KILL_POINTS)('sends no mail twice and loses none when $when', async ({ arm, text, then }) => {
    const [first] = await world.queue(3, text === undefined ? {} : { text });
    arm(world, first);

    world.agent.start();
    await until(() => !world.agent.running);
    world.heal();
    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(then).toContain(await world.fate(first));
    // What was not under way when the power failed goes out by itself.
    expect((await world.fates()).at(-1)).toBe('sent');
  });
});
