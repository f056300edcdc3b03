import { describe, expect, it } from 'vitest';
import { samplePayload } from '../../support/cloud.ts';
import { expectInvariants } from './invariants.ts';
import { useWorlds } from './world.ts';

const scene = useWorlds();

describe('A mail that cannot be sent as it is', () => {
  it('is reported with a reason a person understands and never stops the others', async () => {
    const { world } = scene;
    const { cloud, userId } = world;
    const [good] = await world.queue(1);
    const otherSender = { name: 'Li Na', address: 'li@example.org' };
    const { text: _text, html: _html, ...bodiless } = samplePayload(900);
    const bad = [
      { payload: samplePayload(901), hash: `sha256:${'0'.repeat(64)}`, reason: /changed|differ|hash/i },
      { payload: { ...samplePayload(902), from: otherSender }, reason: /li@example\.org/ },
      { payload: { ...bodiless, markdown: '# Offer' }, reason: /text/ },
      { payload: { ...samplePayload(903), to: { address: 'a@example.net, b@example.net' } }, reason: /to\.address/ },
      { payload: { ...samplePayload(904), subject: 'Offer\r\nBcc: x@example.net' }, reason: /subject/ },
    ];
    const badIds: string[] = [];
    for (const mail of bad) badIds.push(await cloud.queueRaw(userId, mail));
    world.mailIds.push(...badIds);
    const [last] = await world.queue(1);

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect([await world.fate(good), await world.fate(last)]).toEqual(['sent', 'sent']);
    for (const [index, id] of badIds.entries()) {
      const { status, error_message } = await world.mail(id);
      expect(status).toBe('send_failed');
      expect(error_message).toMatch(bad[index]?.reason ?? /never/);
    }
    expect(world.smtp.messages).toHaveLength(2);
  });

  it('because somebody changed it in the database after it was confirmed is never sent', async () => {
    const { world } = scene;
    const { cloud } = world;
    const [changed] = await world.queue(2);
    await cloud.sql('ALTER TABLE payloads DISABLE TRIGGER keep_payload');
    await cloud.sql("UPDATE payloads SET payload = replace(payload, 'offer', 'refund') WHERE recipient_id = $1", [
      changed,
    ]);
    await cloud.sql('ALTER TABLE payloads ENABLE TRIGGER keep_payload');

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fates()).toEqual(['send_failed', 'sent']);
    expect(world.smtp.messages.some(({ data }) => data.includes(`email-recipient-${changed}.`))).toBe(false);
  });

  it('because the mail server refuses it for good fails alone', async () => {
    const { world } = scene;
    const [refused] = await world.queue(3);
    const isFirst = () => world.smtp.messages.length === 1;
    const refuse = world.refuse('554 5.7.1 content rejected');
    world.smtp.script = {
      rcpt: (connection) =>
        connection.write(
          world.smtp.recipients.length === 2 ? '550 5.1.1 no such user here\r\n' : '250 2.1.5 recipient ok\r\n',
        ),
      endOfData: (connection) => (isFirst() ? refuse(connection) : connection.write('250 2.0.0 taken\r\n')),
    };

    world.agent.start();
    await world.rest();

    await expectInvariants(world);
    expect(await world.fate(refused)).toBe('send_failed');
    expect(await world.fates()).toEqual(['send_failed', 'send_failed', 'sent']);
  });
});
