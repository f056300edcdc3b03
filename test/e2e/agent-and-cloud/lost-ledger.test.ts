import { describe, expect, it } from 'vitest';
import { expectInvariants } from './invariants.ts';
import { ADDRESS, useWorlds, type World } from './world.ts';

const scene = useWorlds();

/** Runs the agent until the end of its first mail has arrived, and kills it before the server says a word. */
async function killAtFirstEnd(world: World): Promise<void> {
  world.smtp.script = { endOfData: () => void world.agent.kill() };
  world.agent.start();
  expect(await world.agent.gone()).toBe('SIGKILL');
  world.heal();
}

describe('When the ledger is gone', () => {
  it('without its mails, what had begun is uncertain and the rest is sent', async () => {
    const { world } = scene;
    await world.queue(3);
    await killAtFirstEnd(world);
    world.agent.forgetMails();

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['uncertain', 'sent', 'sent']);
  });

  it('without its mails, a result that was not told is not guessed', async () => {
    const { world } = scene;
    const [first] = await world.queue(2);
    world.proxy.intercept({ route: 'result', mailId: first }, () => void world.agent.kill());
    world.agent.start();
    expect(await world.agent.gone()).toBe('SIGKILL');
    world.heal();
    world.agent.forgetMails();

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fate(first)).toBe('uncertain');
  });

  it('altogether, the folder is paired again and the office decides about what the lost one held', async () => {
    const { world } = scene;
    const { operator } = world.cloud;
    const [begun, ...waiting] = await world.queue(3);
    await killAtFirstEnd(world);
    const { agentId: lostId } = world.agent;
    await world.agent.deleteLedger();

    // The same folder, by the commands a person uses.
    expect((await world.agent.command(['run'])).code).toBe(3);
    const { pairing_code } = await operator.must('createPairingCode', { params: { id: world.userId } });
    const smtp = ['--host', '127.0.0.1', '--port', String(world.smtp.port), '--security', 'none'];
    const commands = [
      ['pair', world.proxy.url, pairing_code],
      ['account', '--address', ADDRESS, ...smtp, '--password-stdin'],
      ['set', 'pace', '{"gapMinMs":0,"gapMaxMs":0,"perMinute":null,"perHour":null,"perDay":null}'],
    ];
    for (const args of commands) expect(await world.agent.command(args, 'correct horse\n')).toMatchObject({ code: 0 });
    const agents = (await operator.must('listAgents', {})).items.filter(({ user_id }) => user_id === world.userId);
    const renewed = agents.find(({ id }) => id !== lostId);
    world.replaceAgent(world.agent.renamed(renewed?.id ?? 'nobody'));
    world.agent.start();

    // Nothing comes back by itself: for the cloud this is another agent.
    await operator.must('revokeAgent', { params: { id: lostId } });
    for (const id of waiting) await operator.must('giveBack', { params: { id } });
    expect((await operator.call('giveBack', { params: { id: begun } })).ok).toBe(false);
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['uncertain', 'sent', 'sent']);
    const evidence = { kind: 'person', note: 'It is in the Sent folder.' } as const;
    await operator.must('resolve', { params: { id: begun }, request: { as: 'sent', evidence } });
    await expectInvariants(world);
  });
});

describe('When an older copy of the ledger is put back', () => {
  it('mails that were sent and told since are not sent again', async () => {
    const { world } = scene;
    await world.queue(2);
    world.agent.start();
    await world.rest();
    await world.agent.stop();
    const backup = await world.agent.copy();
    await world.queue(3);
    world.agent.start();
    await world.rest();
    await world.agent.kill();

    await world.agent.restoreLedgerOf(backup);
    await world.queue(1);
    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(new Set(await world.fates())).toEqual(new Set(['sent']));
    expect(world.smtp.messages).toHaveLength(6);
    await backup.remove();
  });

  it('mails it still shows as waiting are known to be sent', async () => {
    const { world } = scene;
    await world.queue(3);
    world.smtp.script = { greeting: () => void world.agent.kill() };
    world.agent.start();
    await world.agent.gone();
    world.heal();
    const backup = await world.agent.copy();
    world.agent.start();
    await world.rest();
    await world.agent.kill();

    await world.agent.restoreLedgerOf(backup);
    expect([...world.agent.ledger().values()].map(({ state }) => state.kind)).not.toContain('sent');
    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['sent', 'sent', 'sent']);
    expect([...world.agent.ledger().values()].map(({ state }) => state.kind)).toEqual(['sent', 'sent', 'sent']);
    await backup.remove();
  });

  it('a mail whose end was handed over since is uncertain', async () => {
    const { world } = scene;
    world.smtp.script = { greeting: () => void world.agent.kill() };
    await world.queue(3);
    world.agent.start();
    await world.agent.gone();
    const backup = await world.agent.copy();
    await killAtFirstEnd(world);

    await world.agent.restoreLedgerOf(backup);
    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['uncertain', 'sent', 'sent']);
    await backup.remove();
  });
});
