import { describe, expect, it } from 'vitest';
import { type HttpAct, loseReply, loseRequest } from '../../support/http-proxy.ts';
import { type Act, both, say } from '../../support/scripted-smtp.ts';
import { expectInvariants } from './invariants.ts';
import { useWorlds, type World } from './world.ts';

const scene = useWorlds();

/** One moment of a mail's life, and where the mail may stand once the killed agent is back. */
type KillPoint = {
  readonly when: string;
  /** Has the agent killed at this moment of this mail. */
  readonly arm: (world: World, mailId: string) => void;
  readonly fates: readonly string[];
  /** Large enough that part of the body leaves before the gate. */
  readonly text?: string;
};

const killNow = (): void => void scene.world.agent.kill();
const killAct: Act = killNow;
/** Kills once the cloud has granted `begin`. */
const killWhenBegun =
  (mailId: string): Act =>
  () =>
    void scene.world.begun(mailId).then(killNow);

const stopReading: Act = (connection) => connection.stopReading();

/** The server goes away once the cloud has granted `begin`, so that there is something to be told as not sent. */
const dropWhenBegun =
  (mailId: string): Act =>
  (connection) =>
    void scene.world.begun(mailId).then(() => connection.drop());

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
    fates: ['sent'],
  },
  {
    when: 'its claim is on the way',
    arm: ({ proxy }) => proxy.intercept({ route: 'claim' }, killThen(loseRequest)),
    fates: ['sent'],
  },
  {
    when: 'the answer to its claim is on the way',
    arm: ({ proxy }) => proxy.intercept({ route: 'claim' }, killBeforeReply),
    fates: ['sent'],
  },
  {
    when: 'the mail server takes the connection',
    arm: ({ smtp }) => {
      smtp.script = { greeting: killAct };
    },
    fates: ['sent'],
  },
  {
    when: 'it says EHLO',
    arm: ({ smtp }) => {
      smtp.script = { ehlo: killAct };
    },
    fates: ['sent'],
  },
  {
    when: 'it logs in',
    arm: ({ smtp }) => {
      smtp.script = { auth: killAct };
    },
    fates: ['sent'],
  },
  {
    when: 'it says MAIL and its begin has not arrived',
    arm: ({ smtp, proxy }, mailId) => {
      proxy.intercept({ route: 'begin', mailId, times: Number.POSITIVE_INFINITY }, () => undefined);
      smtp.script = { mail: killAct };
    },
    fates: ['sent'],
  },
  {
    when: 'it says RCPT and has begun',
    arm: ({ smtp }, mailId) => {
      smtp.script = { rcpt: killWhenBegun(mailId) };
    },
    fates: ['uncertain'],
  },
  {
    when: 'its begin is on the way and never arrives',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'begin', mailId }, killThen(loseRequest)),
    fates: ['sent'],
  },
  {
    when: 'its begin is granted and the reply is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'begin', mailId }, killBeforeReply),
    fates: ['uncertain'],
  },
  {
    when: 'it says DATA and has begun',
    arm: ({ smtp }, mailId) => {
      smtp.script = { data: killWhenBegun(mailId) };
    },
    fates: ['uncertain'],
  },
  {
    when: 'the body is half across',
    text: 'A line of the offer.\r\n'.repeat(3_000),
    arm: ({ smtp }, mailId) => {
      smtp.script = { body: { afterBytes: 2_000, act: both(stopReading, killWhenBegun(mailId)) } };
    },
    fates: ['uncertain'],
  },
  {
    when: 'the end of the mail has arrived and no reply was said',
    arm: ({ smtp }) => {
      smtp.script = { endOfData: killAct };
    },
    fates: ['uncertain'],
  },
  {
    when: 'the server has just accepted',
    arm: ({ smtp }) => {
      smtp.script = { endOfData: both(say('250 2.0.0 taken'), killAct) };
    },
    // Either the reply was on disk before the end came, or nobody here knows of it.
    fates: ['sent', 'uncertain'],
  },
  {
    when: 'its result is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'result', mailId }, killThen(loseRequest)),
    fates: ['sent'],
  },
  {
    when: 'its result is stored and the reply is on the way',
    arm: ({ proxy }, mailId) => proxy.intercept({ route: 'result', mailId }, killBeforeReply),
    fates: ['sent'],
  },
  {
    when: 'its word that nothing was sent is on the way',
    arm: ({ smtp, proxy }, mailId) => {
      smtp.script = { data: dropWhenBegun(mailId) };
      proxy.intercept({ route: 'notSent', mailId }, killThen(loseRequest));
    },
    fates: ['sent'],
  },
  {
    when: 'its word that nothing was sent is stored and the reply is on the way',
    arm: ({ smtp, proxy }, mailId) => {
      smtp.script = { data: dropWhenBegun(mailId) };
      proxy.intercept({ route: 'notSent', mailId }, killAfter(loseReply));
    },
    fates: ['sent'],
  },
];

describe('An agent that is killed and started again', () => {
  for (const { when, arm, text, fates } of KILL_POINTS) {
    it(`sends no mail twice and loses none when ${when}`, async () => {
      const { world } = scene;
      const [first] = await world.queue(3, text === undefined ? {} : { text });
      arm(world, first);

      world.agent.start();
      expect(await world.agent.gone()).toBe('SIGKILL');
      world.heal();
      world.agent.start();
      await world.rest();

      await expectInvariants(world);
      expect(fates).toContain(await world.fate(first));
      // What was not under way when it was killed goes out by itself.
      expect((await world.fates()).at(-1)).toBe('sent');
    });
  }
});
