import { describe, expect, it } from 'vitest';
import { planNext } from '../../src/main/engine/next-mail.ts';
import { claimed, commitAll, newMail } from '../conformance/ledger-samples.ts';
import { bareContext } from '../support/bare-context.ts';
import { World } from '../support/fakes-world.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

describe('an agent that starts', () => {
  it('sends nothing before ledger and cloud were compared', () => {
    const { context, ledger } = bareContext();
    commitAll(ledger, claimed([newMail(1)]));

    expect(planNext(context, 0)).toMatchObject({ kind: 'wait', why: 'not-synced' });
  });
});

describe('a disk that begins to fail', () => {
  it('wakes the send loop, which tries it again, and is told to whoever watches, once', async () => {
    const ledger = memoryLedger({ failure: () => ({ kind: 'full', text: 'disk full' }) });
    const { context, changes, rung } = bareContext({ ledger });

    context.journal.probe();
    context.journal.probe();

    expect(changes()).toBe(1);
    expect(await rung()).toEqual(['send']);
  });
});

describe('a comparison that is wanted', () => {
  it('begins at once while nothing moves', async () => {
    const world = new World();
    const agent = world.start();
    agent.pause(null);
    await world.clock.advance(90_000);
    world.cloud.commands.push('sync');
    const before = world.cloud.callsOf('sync').length;

    await world.clock.runUntil(() => world.cloud.commands.length === 0);

    expect(world.cloud.callsOf('sync').length).toBe(before + 1);
  });
});
