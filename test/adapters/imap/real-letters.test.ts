import { readFileSync } from 'node:fs';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImapMailbox } from '../../../src/main/adapters/imap/mailbox.ts';
import { namesIn, readBounce } from '../../../src/main/core/bounce.ts';
import type { Letter } from '../../../src/main/core/letter.ts';
import type { InboxCursor } from '../../../src/main/engine/ports.ts';
import { ok } from '../../../src/shared/result.ts';
import { ImapServer } from '../../../src/shared/settings.ts';
import { bounceSamples, notBounces } from '../../support/bounces.ts';
import { type MailServers, startMailServers } from '../../support/mail-servers.ts';

const NEVER = new AbortController().signal;
const MESSAGE_ID = '<email-recipient-7.0123456789abcdef@mail.test>';
const ADDRESS = 'li@example.net';
const SAMPLES = bounceSamples(MESSAGE_ID, ADDRESS);
const OTHERS = notBounces(MESSAGE_ID, ADDRESS);

let servers: MailServers;
let letters: readonly Letter[] = [];
beforeAll(async () => {
  servers = await startMailServers();
  await append(
    'bounces',
    [...SAMPLES, ...OTHERS].map(({ source }) => source),
  );
  const read = await mailboxOf('bounces').letters(null, 0, NEVER);
  if (!read.ok) throw new Error(read.error.text);
  letters = read.value.letters;
});
afterAll(() => servers?.stop());

const userOf = (name: string): string => `${name}@${servers.domain}`;
const mailboxOf = (name: string) =>
  createImapMailbox({
    server: ImapServer.parse({
      host: servers.host,
      port: servers.ports.imaps,
      security: 'tls',
      caFile: servers.caFile,
    }),
    userName: userOf(name),
    version: '1.0.0',
    secret: async () => ok({ kind: 'password', value: servers.password }),
  });

async function append(name: string, sources: readonly string[]): Promise<void> {
  const client = new ImapFlow({
    host: servers.host,
    port: servers.ports.imaps,
    secure: true,
    auth: { user: userOf(name), pass: servers.password },
    tls: { ca: readFileSync(servers.caFile, 'utf8') },
    logger: false,
  });
  await client.connect();
  for (const source of sources) await client.append('INBOX', Buffer.from(source));
  await client.logout();
}

describe('A bounce', () => {
  it.each(SAMPLES.map((sample, index) => ({ ...sample, index })))(
    'is read: $name',
    ({ index, hard, status, words }) => {
      const letter = letters[index];
      if (letter === undefined) throw new Error('it did not arrive');
      expect(readBounce(letter)).toEqual({ hard, status, text: expect.stringMatching(words) });
      expect(namesIn(letter)).toContain(MESSAGE_ID);
    },
  );

  it.each(OTHERS.map((other, index) => ({ ...other, index })))('is not taken for one: $name', ({ index }) => {
    const letter = letters[SAMPLES.length + index];
    if (letter === undefined) throw new Error('it did not arrive');
    expect(readBounce(letter)).toBeNull();
  });
});

describe('The inbox', () => {
  it('is read once: each visit goes on behind the last letter, a folder made anew from the start', async () => {
    const mailbox = mailboxOf('cursor');
    const answer = (n: number): string =>
      [
        `Message-ID: <answer-${n}@example.net>`,
        'From: =?utf-8?B?5p2O5Zub?= <Li@Example.net>',
        `In-Reply-To: ${MESSAGE_ID}`,
        'References: <first@example.net>\r\n <second@example.net>',
        'Subject: Re: hello',
        '',
        'A private word.',
        '',
      ].join('\r\n');
    await append('cursor', [answer(1)]);
    const first = await mailbox.letters(null, 0, NEVER);
    if (!first.ok) throw new Error(first.error.text);
    expect(first.value.letters).toEqual([
      {
        key: '<answer-1@example.net>',
        arrivedAtMs: expect.any(Number),
        from: 'li@example.net',
        subject: 'Re: hello',
        answers: [MESSAGE_ID, '<second@example.net>', '<first@example.net>'],
        isAutomatic: false,
        isReport: false,
        // What people write is not read.
        body: null,
      },
    ]);

    expect(await mailbox.letters(first.value.cursor, 0, NEVER)).toEqual(ok({ ...first.value, letters: [] }));
    await append('cursor', [answer(2), answer(3)]);
    const third = await mailbox.letters(first.value.cursor, 0, NEVER);
    expect(third.ok && third.value.letters.map(({ key }) => key)).toEqual([
      '<answer-2@example.net>',
      '<answer-3@example.net>',
    ]);
    const anew = await mailbox.letters({ uidValidity: '1', uidNext: 9_999 }, 0, NEVER);
    expect(anew.ok && anew.value.letters).toHaveLength(3);
  });

  it('passes over no bounce where many come at once: the next visit goes on with the first one not read', async () => {
    const [sample] = SAMPLES;
    if (sample === undefined) throw new Error('there is no sample');
    const count = 45;
    await append(
      'storm',
      Array.from({ length: count }, (_, n) => sample.source.replace(/^Message-ID: .*$/m, `Message-ID: <storm-${n}@x>`)),
    );
    const read: Letter[] = [];
    let cursor: InboxCursor | null = null;
    for (let isRest = true; isRest; ) {
      const visit = await mailboxOf('storm').letters(cursor, 0, NEVER);
      if (!visit.ok) throw new Error(visit.error.text);
      read.push(...visit.value.letters);
      ({ cursor, isRest } = visit.value);
    }

    expect(read.map(({ key }) => key)).toEqual(Array.from({ length: count }, (_, n) => `<storm-${n}@x>`));
    expect(read.filter((letter) => readBounce(letter) === null)).toEqual([]);
  });

  it('is empty where nothing came', async () => {
    const read = await mailboxOf('nobody').letters(null, 0, NEVER);
    expect(read.ok && read.value).toMatchObject({ letters: [], isRest: false });
  });

  it('tells machines from people', async () => {
    const with_ = (n: number, header: string): string =>
      [`Message-ID: <auto-${n}@x.example>`, 'From: a@x.example', header, 'Subject: hello', '', 'x', ''].join('\r\n');
    const headers = [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'Return-Path: <>',
      'List-Id: <l.x>',
      'Auto-Submitted: no',
    ];
    await append(
      'machines',
      headers.map((header, n) => with_(n, header)),
    );
    const read = await mailboxOf('machines').letters(null, 0, NEVER);
    expect(read.ok && read.value.letters.map(({ isAutomatic }) => isAutomatic)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});
