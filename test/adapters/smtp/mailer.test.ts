import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Mailer } from '../../../src/main/engine/ports.ts';
import { err, ok } from '../../../src/shared/result.ts';
import {
  both,
  cut,
  drop,
  inTurn,
  later,
  type PeerOptions,
  raw,
  ScriptedSmtp,
  say,
  silence,
  takeBody,
  USUAL_OFFERS,
} from '../../support/scripted-smtp.ts';
import { inShort, LARGE, mailerFor, message, PASSWORD, type Setting, send, sendOne, shut } from './mailer-harness.ts';

const FRESH = ['connect', 'auth', 'envelope', 'body', 'handed-over'];
const KEPT = ['envelope', 'body', 'handed-over'];

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** A peer and a mailer for several mails. */
async function pair(
  options: PeerOptions = {},
  setting: Setting = {},
): Promise<{ readonly peer: ScriptedSmtp; readonly mailer: Mailer }> {
  const peer = await ScriptedSmtp.start(options);
  const mailer = mailerFor(peer, setting);
  toClose.push(async () => {
    await mailer.close();
    await peer.close();
  });
  return { peer, mailer };
}

/** Until what the peer just did has been read: on a busy machine one long pause may end before any socket is read. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await pause(10);
}

describe('a mail that is accepted', () => {
  it('goes through the stages in order and arrives as it was given', async () => {
    const { submission, stages, peer } = await sendOne({});

    expect(submission).toEqual({
      kind: 'accepted',
      reply: { code: 250, enhanced: '2.0.0', text: 'taken as 4711' },
    });
    expect(stages).toEqual(FRESH);
    expect(peer.messages).toEqual([
      {
        from: 'MAIL FROM:<anna@example.com> SIZE=40',
        recipients: ['RCPT TO:<bert@example.net>'],
        data: 'Subject: a test\r\n\r\nHello.\r\n..hidden dot\r\n',
        accepted: true,
      },
    ]);
  });

  it('arrives whole where its last bytes were held back', async () => {
    const { submission, peer } = await sendOne({}, {}, { message: message(LARGE) });

    expect(inShort(submission)).toBe('accepted 250');
    expect(peer.messages[0]?.data).toBe(LARGE.toString());
  });

  it('waits for a late reply', async () => {
    const { submission } = await sendOne({ script: { endOfData: later(300, say('250 taken at last')) } });

    expect(inShort(submission)).toBe('accepted 250');
  });

  it('logs in by LOGIN where PLAIN is not offered', async () => {
    const { submission, peer } = await sendOne({ offers: ['AUTH LOGIN'] });

    expect(inShort(submission)).toBe('accepted 250');
    expect(peer.commands.slice(1, 4)).toEqual([
      'AUTH LOGIN',
      Buffer.from('anna@example.com').toString('base64'),
      Buffer.from(PASSWORD).toString('base64'),
    ]);
  });

  it('says its address and no made-up name in EHLO', async () => {
    const { peer } = await sendOne({});

    expect(peer.commands[0]).toBe('EHLO [127.0.0.1]');
  });

  it('says the name it was given in EHLO', async () => {
    const { peer } = await sendOne({}, { mailer: { clientName: 'pc.example.com' } });

    expect(peer.commands[0]).toBe('EHLO pc.example.com');
  });
});

describe('the gate', () => {
  it('keeps the end of the mail back while it is shut', async () => {
    const { submission, stages, peer } = await sendOne({}, {}, { gate: shut });

    expect(submission).toEqual({ kind: 'held-back' });
    expect(stages).toEqual(['connect', 'auth', 'envelope', 'body']);
    expect(peer.endOfDataCount).toBe(0);
  });

  it('keeps the end of a long mail back while it is shut', async () => {
    const { submission, peer } = await sendOne({}, {}, { gate: shut, message: message(LARGE) });

    expect(submission).toEqual({ kind: 'held-back' });
    expect(peer.endOfDataCount).toBe(0);
  });

  it('is shut when it fails', async () => {
    const gate = (): Promise<'open'> => Promise.reject(new Error('the ledger is gone'));

    const { submission, peer } = await sendOne({}, {}, { gate });

    expect(submission).toEqual({ kind: 'held-back' });
    expect(peer.endOfDataCount).toBe(0);
  });

  it('is asked after 354 only, once, and before the stage handed-over', async () => {
    const { peer, mailer } = await pair();
    const order: string[] = [];

    await send(mailer, {
      onStage: (stage) => order.push(stage),
      gate: async () => {
        order.push(`gate after ${peer.commands.at(-1)}`);
        await pause(50);
        order.push(`end of data ${peer.endOfDataCount}`);
        return 'open';
      },
    });

    expect(order).toEqual(['connect', 'auth', 'envelope', 'body', 'gate after DATA', 'end of data 0', 'handed-over']);
    expect(peer.endOfDataCount).toBe(1);
  });

  it.each([
    ['PIPELINING', USUAL_OFFERS],
    ['one command at a time', ['AUTH PLAIN']],
  ])('lets nothing go where an acceptance has arrived while it was asked (%s)', async (_name, offers) => {
    const { peer, mailer } = await pair({ offers });
    const gate = async (): Promise<'open'> => {
      for (const connection of peer.openConnections) connection.write('250 2.0.0 taken already\r\n');
      return 'open';
    };

    const { submission } = await send(mailer, { gate });

    expect(inShort(submission)).toBe('broken body out-of-step');
    expect(peer.endOfDataCount).toBe(0);
  });

  it('is not reached where DATA is granted after a refusal', async () => {
    const { submission, stages } = await sendOne({ script: { rcpt: say('550 5.1.1 nobody') } });

    expect(inShort(submission)).toBe('replied envelope 550');
    expect(stages.at(-1)).toBe('envelope');
  });

  it('is not asked where the envelope is refused', async () => {
    let asked = 0;
    const gate = async (): Promise<'open'> => {
      asked += 1;
      return 'open';
    };

    await sendOne({ script: { data: say('451 4.3.0 later') } }, {}, { gate });

    expect(asked).toBe(0);
  });

  it('that opens after the connection broke sends nothing', async () => {
    const gate = async (): Promise<'open'> => {
      await pause(200);
      return 'open';
    };

    const { submission, stages, peer } = await sendOne(
      { script: { data: both((one) => one.enter('body'), cut('354 go on\r\n')) } },
      {},
      { gate },
    );
    await pause(250);

    expect(inShort(submission)).toBe('broken body dropped');
    expect(stages).not.toContain('handed-over');
    expect(peer.endOfDataCount).toBe(0);
  });
});

describe('stopping', () => {
  for (const stage of ['connect', 'auth', 'envelope', 'body'] as const) {
    it(`at ${stage} drops the connection and sends nothing`, async () => {
      const stop = new AbortController();

      const { submission, peer } = await sendOne(
        {},
        {},
        {
          signal: stop.signal,
          onStage: (entered) => {
            if (entered === stage) stop.abort();
          },
        },
      );

      expect(inShort(submission)).toBe(`broken ${stage} stopped`);
      expect(peer.endOfDataCount).toBe(0);
    });
  }

  it('while the gate is asked sends nothing', async () => {
    const stop = new AbortController();
    const gate = async (): Promise<'open'> => {
      stop.abort();
      return 'open';
    };

    const { submission, peer } = await sendOne({}, {}, { signal: stop.signal, gate });

    expect(inShort(submission)).toBe('broken body stopped');
    expect(peer.endOfDataCount).toBe(0);
  });

  it('after the mail was handed over waits for its reply', async () => {
    const stop = new AbortController();

    const { submission } = await sendOne(
      { script: { endOfData: later(100, say('250 taken')) } },
      {},
      {
        signal: stop.signal,
        onStage: (stage) => {
          if (stage === 'handed-over') stop.abort();
        },
      },
    );

    expect(inShort(submission)).toBe('accepted 250');
  });

  it('beforehand opens no connection', async () => {
    const { submission, stages, peer } = await sendOne({}, {}, { signal: AbortSignal.abort() });

    expect(inShort(submission)).toBe('broken connect stopped');
    expect(stages).toEqual([]);
    expect(peer.connectionCount).toBe(0);
  });
});

describe('the kept connection', () => {
  it('carries a run of mails', async () => {
    const { peer, mailer } = await pair();

    const runs = [await send(mailer), await send(mailer), await send(mailer)];

    expect(runs.map((run) => run.stages)).toEqual([FRESH, KEPT, KEPT]);
    expect(peer.connectionCount).toBe(1);
    expect(peer.endOfDataCount).toBe(3);
    expect(peer.commands).not.toContain('RSET');
  });

  it('ends a refused transaction before the next mail', async () => {
    const { peer, mailer } = await pair({
      script: { rcpt: inTurn(say('550 5.1.1 nobody'), say('250 ok')), data: inTurn(say('554 no recipient'), takeBody) },
    });

    const first = await send(mailer);
    const second = await send(mailer);

    expect(first.submission).toMatchObject({
      kind: 'replied',
      stage: 'envelope',
      command: 'rcpt',
      reply: { code: 550 },
    });
    expect(second).toMatchObject({ submission: { kind: 'accepted' }, stages: KEPT });
    expect(peer.commands.filter((line) => line === 'RSET')).toHaveLength(1);
    expect(peer.endOfDataCount).toBe(1);
  });

  it('is asked whether it stands after an idle time', async () => {
    const { peer, mailer } = await pair({}, { mailer: { keep: { verifyAfterMs: -1 } } });

    await send(mailer);
    const { stages } = await send(mailer);

    expect(stages).toEqual(KEPT);
    expect(peer.commands).toContain('RSET');
  });

  for (const [name, rset] of [
    ['answers with a goodbye', cut('421 4.4.2 idle too long\r\n')],
    ['refuses', say('500 what')],
    ['answers twice', say('250 ok\r\n250 ok')],
    ['is gone', drop],
  ] as const) {
    it(`is replaced where the server ${name} when asked`, async () => {
      const { peer, mailer } = await pair({ script: { rset } }, { mailer: { keep: { verifyAfterMs: -1 } } });

      await send(mailer);
      const { submission, stages } = await send(mailer);

      expect(inShort(submission)).toBe('accepted 250');
      expect(stages).toEqual(FRESH);
      expect(peer.connectionCount).toBe(2);
      expect(peer.endOfDataCount).toBe(2);
    });
  }

  it('is replaced where the server is silent when asked', async () => {
    const { peer, mailer } = await pair(
      { script: { rset: silence } },
      { shorten: 'verifyMs', mailer: { keep: { verifyAfterMs: -1 } } },
    );

    await send(mailer);
    const { stages } = await send(mailer);

    expect(stages).toEqual(FRESH);
    expect(peer.connectionCount).toBe(2);
  });

  for (const [name, act] of [
    ['closes it between two mails', drop],
    ['says goodbye between two mails', cut('421 4.4.2 idle too long\r\n')],
    ['says something between two mails', raw('250 by the way\r\n')],
  ] as const) {
    it(`is replaced where the server ${name}`, async () => {
      const { peer, mailer } = await pair();

      await send(mailer);
      for (const connection of peer.openConnections) act(connection);
      await arrived();
      const { submission, stages } = await send(mailer);

      expect(inShort(submission)).toBe('accepted 250');
      expect(stages).toEqual(FRESH);
      expect(peer.connectionCount).toBe(2);
      expect(peer.endOfDataCount).toBe(2);
    });
  }

  for (const [name, act] of [
    ['is dropped', drop],
    ['ends with 421', cut('421 4.4.2 idle too long\r\n')],
  ] as const) {
    it(`that ${name} at MAIL is replaced once within the same mail`, async () => {
      const { peer, mailer } = await pair({ script: { mail: inTurn(say('250 ok'), act, say('250 ok')) } });

      await send(mailer);
      const { submission, stages } = await send(mailer);

      expect(inShort(submission)).toBe('accepted 250');
      expect(stages).toEqual(KEPT);
      expect(peer.connectionCount).toBe(2);
      expect(peer.endOfDataCount).toBe(2);
    });
  }

  it('is not replaced a second time for the same mail', async () => {
    const { peer, mailer } = await pair({ script: { mail: inTurn(say('250 ok'), drop) } });

    await send(mailer);
    const { submission } = await send(mailer);

    expect(inShort(submission)).toBe('broken envelope dropped');
    expect(peer.connectionCount).toBe(2);
  });

  it('tells a failure of its replacement by its own stage', async () => {
    const { mailer } = await pair({
      script: { mail: inTurn(say('250 ok'), drop), auth: inTurn(say('235 ok'), say('535 5.7.8 changed')) },
    });

    await send(mailer);
    const { submission, stages } = await send(mailer);

    expect(inShort(submission)).toBe('replied auth 535');
    expect(stages).toEqual(['envelope']);
  });

  it('that breaks after DATA was granted is not replaced within the same mail', async () => {
    const { peer, mailer } = await pair({
      script: {
        data: inTurn(
          takeBody,
          both((one) => one.enter('body'), cut('354 go on\r\n')),
        ),
      },
    });

    await send(mailer);
    const { submission } = await send(mailer);

    expect(submission.kind === 'broken' && submission.stage).toMatch(/body|handed-over/);
    expect(peer.connectionCount).toBe(1);
  });

  it('is given up after its number of mails', async () => {
    const { peer, mailer } = await pair({}, { mailer: { keep: { mailsMax: 2 } } });

    for (let count = 0; count < 5; count += 1) await send(mailer);

    expect(peer.connectionCount).toBe(3);
    expect(peer.commands.filter((line) => line === 'QUIT')).toHaveLength(2);
  });

  it('is given up when it stood idle for long', async () => {
    const { peer, mailer } = await pair({}, { mailer: { keep: { idleMaxMs: 50 } } });

    await send(mailer);
    await expect.poll(() => peer.openConnections.length, { timeout: 20_000 }).toBe(0);
    await send(mailer);

    expect(peer.connectionCount).toBe(2);
  });

  it('is given up when the account changed', async () => {
    const { peer } = await pair();
    let userName = 'anna';
    const server = { host: '127.0.0.1', port: peer.port, security: 'none', caFile: null } as const;
    const mailer = mailerFor(peer, { mailer: { account: () => ({ server, userName }) } });

    await send(mailer);
    userName = 'bert';
    await send(mailer);
    await mailer.close();

    expect(peer.connectionCount).toBe(2);
  });

  it('is given up after a mail that was held back', async () => {
    const { peer, mailer } = await pair();

    await send(mailer, { gate: shut });
    const { stages } = await send(mailer);

    expect(stages).toEqual(FRESH);
    expect(peer.endOfDataCount).toBe(1);
  });

  it('stays where a mail is found unfit before MAIL', async () => {
    const { peer, mailer } = await pair({ offers: ['SIZE 1000', 'AUTH PLAIN'] });

    const first = await send(mailer, { message: message(LARGE) });
    const second = await send(mailer);

    expect(inShort(first.submission)).toBe('broken envelope size-exceeded');
    expect(first.stages).toEqual(['connect', 'auth']);
    expect(second.stages).toEqual(KEPT);
    expect(peer.connectionCount).toBe(1);
  });

  it('says QUIT when the mailer closes', async () => {
    const { peer, mailer } = await pair();

    await send(mailer);
    await mailer.close();

    expect(peer.commands.at(-1)).toBe('QUIT');
  });

  it('is closed even where QUIT has no reply', async () => {
    const { peer, mailer } = await pair({ script: { quit: silence } });

    await send(mailer);
    await mailer.close();

    await expect.poll(() => peer.openConnections.length, { timeout: 20_000 }).toBe(0);
  });
});

describe('what is shown of a reply', () => {
  it.each([
    [
      'lines joined, codes dropped',
      '550-5.1.1 Nobody here.\r\n550 5.1.1 See example.org',
      '5.1.1',
      'Nobody here. See example.org',
    ],
    ['control and escape characters taken out', '550 5.0.0 a\u0007b\u001b[31mred\u0000', '5.0.0', 'ab[31mred'],
    ['no enhanced code', '550 no', null, 'no'],
    ['an enhanced code of another shape', '550 5.1 no', null, '5.1 no'],
    ['an empty text', '550', null, ''],
    [
      'the password and its encoded forms',
      `550 ${PASSWORD} ${Buffer.from(PASSWORD).toString('base64')}`,
      null,
      '*** ***',
    ],
  ])('has %s', async (_name, text, enhanced, shown) => {
    const { submission } = await sendOne({ script: { rcpt: say(text), data: say('554 no') } });

    expect(submission).toEqual({
      kind: 'replied',
      stage: 'envelope',
      command: 'rcpt',
      reply: { code: 550, enhanced, text: shown },
    });
  });

  it('is read as GB18030 where it is not UTF-8', async () => {
    const text = Buffer.from([0xd3, 0xc3, 0xbb, 0xa7, 0xb2, 0xbb, 0xb4, 0xe6, 0xd4, 0xda]);

    const { submission } = await sendOne({
      script: { auth: raw(Buffer.concat([Buffer.from('535 '), text, Buffer.from('\r\n')])) },
    });

    expect(submission).toMatchObject({ kind: 'replied', reply: { text: '用户不存在' } });
  });

  it('is cut after 512 characters, however long it is', async () => {
    const { submission } = await sendOne({ script: { endOfData: say(`250 2.0.0 ${'queue'.repeat(200_000)}`) } });

    expect(submission).toMatchObject({ kind: 'accepted', reply: { code: 250, enhanced: '2.0.0' } });
    expect(submission.kind === 'accepted' && submission.reply.text).toHaveLength(512);
  });

  it('never holds a password with an invisible character in it', async () => {
    const secret = async () => ok({ kind: 'password', value: 'se\u200bcret' } as const);

    const { submission } = await sendOne({ script: { auth: say('535 no: se\u200bcret') } }, { mailer: { secret } });

    expect(submission).toMatchObject({ kind: 'replied', reply: { text: 'no: ***' } });
  });

  it('never holds the password, even where the server hides it between control characters', async () => {
    const hidden = `535 ${[...PASSWORD].join('\u0001')}`;

    const { submission } = await sendOne({ script: { auth: say(hidden) } });

    expect(submission).toMatchObject({ kind: 'replied', reply: { text: '***' } });
  });
});

describe('what is refused before a connection is opened', () => {
  for (const to of [
    '',
    'bert',
    'bert@example.net, carl@example.net',
    'bert@example.net>\r\nRCPT TO:<carl@example.net',
    '<bert@example.net>',
    'bert@example.net\n',
    'bert @example.net',
    'a@b@c',
  ]) {
    it(`is the recipient ${JSON.stringify(to)}`, async () => {
      const { submission, stages, peer } = await sendOne({}, {}, { message: message(undefined, { to }) });

      expect(submission).toMatchObject({ kind: 'broken', stage: 'prepare', cause: 'out-of-step' });
      expect(stages).toEqual([]);
      expect(peer.connectionCount).toBe(0);
    });
  }

  it('is a connection without TLS to another machine', async () => {
    const { submission, peer } = await sendOne({}, { server: { host: 'smtp.example.com', security: 'none' } });

    expect(inShort(submission)).toBe('broken connect tls');
    expect(peer.connectionCount).toBe(0);
  });

  it('is a mail whose password cannot be read', async () => {
    const secret = async () => err({ kind: 'keychain', text: 'The keychain is locked.' } as const);

    const { submission, peer } = await sendOne({}, { mailer: { secret } });

    expect(submission).toEqual({
      kind: 'broken',
      stage: 'auth',
      cause: 'no-credentials',
      text: 'The keychain is locked.',
    });
    expect(peer.connectionCount).toBe(0);
  });
});

describe('a server that cannot be reached', () => {
  it('refuses the connection', async () => {
    const peer = await ScriptedSmtp.start();
    const { port } = peer;
    await peer.close();
    const mailer = mailerFor(peer, { server: { port } });

    const { submission } = await send(mailer);

    expect(inShort(submission)).toBe('broken connect refused');
  });

  it('has no address', async () => {
    const { submission } = await sendOne({}, { server: { host: 'no-such-host.invalid', security: 'tls' } });

    expect(inShort(submission)).toBe('broken connect dns');
  });
});

describe('the mailer', () => {
  it('takes one mail at a time', async () => {
    const { peer, mailer } = await pair();

    const first = send(mailer);
    const second = send(mailer);

    await expect(second).rejects.toThrow('one mail at a time');
    expect(inShort((await first).submission)).toBe('accepted 250');
    expect(peer.endOfDataCount).toBe(1);
  });

  it('sends no second recipient and no options of its own', async () => {
    const { peer } = await sendOne({ offers: [...USUAL_OFFERS, 'DSN', 'REQUIRETLS'] });

    expect(peer.commands.slice(2)).toEqual([
      'MAIL FROM:<anna@example.com> SIZE=40',
      'RCPT TO:<bert@example.net>',
      'DATA',
      'QUIT',
    ]);
  });

  it('survives what a server does after its reply', async () => {
    const { submission } = await sendOne({
      script: { endOfData: both(say('250 taken'), later(20, raw('nonsense')), later(40, drop)) },
    });
    await pause(80);

    expect(inShort(submission)).toBe('accepted 250');
  });
});
