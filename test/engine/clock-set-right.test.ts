import { describe, expect, it } from 'vitest';
import { messageIdOf as nameOf } from '../../src/main/core/message-id.ts';
import { Pace } from '../../src/shared/settings.ts';
import { ModelMailbox } from '../support/fakes-mailbox.ts';
import { CONFIG, World } from '../support/fakes-world.ts';

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** A computer whose clock ran ten years ahead while something happened, and is set right after it. */
async function afterClockAhead(world: World, happens: () => Promise<void>): Promise<void> {
  world.clock.jump(TEN_YEARS_MS);
  await happens();
  world.clock.jump(-TEN_YEARS_MS);
}

describe('a clock that ran ahead and is set right', () => {
  it('does not leave a mail waiting for years that was put off meanwhile', async () => {
    const world = new World();
    world.cloud.queue('1');
    const reply = { code: 450, enhanced: '4.2.0', text: 'greylisted, try later' };
    world.smtp.plays.push({ kind: 'reply', stage: 'envelope', command: 'rcpt', reply });
    world.start();

    await afterClockAhead(world, () => world.clock.runUntil(() => world.cloud.mail('1').retired.length > 0));
    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('does not leave the account backed off for years', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.smtp.plays.push({ kind: 'break', stage: 'connect', cause: 'refused' });
    world.start();

    await afterClockAhead(world, () => world.clock.runUntil(() => world.ledger.holds().length > 0));
    await world.untilStatus('1', 'sent');

    expect(world.smtp.accepted).toEqual(['1']);
  });

  it('does not leave a report waiting for years that the cloud could not take', async () => {
    const world = new World();
    world.cloud.queue('1');
    world.cloud.faults.set('result', [{ problem: 'unavailable' }]);
    world.start();

    await afterClockAhead(world, () => world.clock.runUntil(() => world.cloud.faults.get('result')?.length === 0));
    await world.untilStatus('1', 'sent');

    expect(world.state('1')).toBe('sent');
  });

  it('does not make the pace wait for ever, in this process or after a restart', async () => {
    const world = new World();
    world.cloud.queueMany(3);
    const pace = Pace.parse({ gapMinMs: 1_000, gapMaxMs: 1_000, perMinute: null, perHour: null, perDay: 1_000 });
    const agent = world.start({ pace });

    await afterClockAhead(world, () => world.untilStatus('1', 'sent'));
    await world.untilStatus('2', 'sent');
    await world.end(agent);
    world.start({ pace });
    await world.untilStatus('3', 'sent');

    expect(world.smtp.accepted).toEqual(['1', '2', '3']);
  });

  it('does not leave the letters of the account unread for years', async () => {
    const world = new World();
    const mailbox = new ModelMailbox();
    world.mailbox = mailbox;
    world.cloud.queue('1');
    world.start();
    await world.untilStatus('1', 'sent');

    await afterClockAhead(world, () =>
      world.clock.runUntil(() => mailbox.visits.filter(isRead).length > 1, 4 * 3_600_000),
    );
    const readCount = mailbox.visits.filter(isRead).length;
    await world.clock.advance(3 * 3_600_000);

    expect(mailbox.visits.filter(isRead).length).toBeGreaterThan(readCount);
  });

  it('does not pass for hours in which a mail was missing from Sent', async () => {
    const world = new World();
    const mailbox = new ModelMailbox();
    world.mailbox = mailbox;
    world.smtp.plays.push({ kind: 'break', stage: 'handed-over', arrived: true });
    world.cloud.queueMany(2);
    world.start({ account: { ...CONFIG.account, savesSentCopy: 'yes' } });
    await world.untilState('2', 'sent');
    mailbox.put(messageIdOf(world.cloud.mail('2')));

    for (let day = 0; day < 10; day += 1) {
      world.clock.jump(86_400_000);
      await world.clock.advance(2 * 60_000);
    }
    // Its copy shows late.
    mailbox.put(messageIdOf(world.cloud.mail('1')));
    await world.untilStatus('1', 'sent', 12 * 3_600_000);

    expect(world.smtp.accepted).toEqual(['1', '2']);
  });
});

const isRead = (visit: ModelMailbox['visits'][number]): boolean => visit === 'letters';
const messageIdOf = ({ key, hash }: { readonly key: string; readonly hash: string }): string =>
  nameOf({ idempotencyKey: key, payloadHash: hash, fromDomain: 'example.com' });
