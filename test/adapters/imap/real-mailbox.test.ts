import { readFileSync } from 'node:fs';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createImapMailbox } from '../../../src/main/adapters/imap/mailbox.ts';
import { ok } from '../../../src/shared/result.ts';
import { ImapServer } from '../../../src/shared/settings.ts';
import { type MailServers, startMailServers } from '../../support/mail-servers.ts';

const NEVER = new AbortController().signal;
const AT_MS = Date.UTC(2026, 4, 5, 2, 3, 4);
let servers: MailServers;
beforeAll(async () => {
  servers = await startMailServers();
});
afterAll(() => servers?.stop());

let users = 0;
/** A mailbox of a user of its own. */
function freshUser(over: { readonly password?: string } = {}) {
  users += 1;
  const user = `user${users}@${servers.domain}`;
  const mailbox = createImapMailbox({
    server: ImapServer.parse({
      host: servers.host,
      port: servers.ports.imaps,
      security: 'tls',
      caFile: servers.caFile,
    }),
    userName: user,
    version: '1.0.0',
    secret: async () => ok({ kind: 'password', value: over.password ?? servers.password }),
  });
  return { user, mailbox };
}

const messageBytes = (headers: readonly string[]): Buffer =>
  Buffer.from([...headers, 'From: a@mail.test', 'To: b@mail.test', 'Subject: hello', '', 'Body', ''].join('\r\n'));

async function asUser<T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const client = new ImapFlow({
    host: servers.host,
    port: servers.ports.imaps,
    secure: true,
    auth: { user, pass: servers.password },
    tls: { ca: readFileSync(servers.caFile, 'utf8') },
    logger: false,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.logout();
  }
}

it('keeps one copy in Sent, read and under its own date, however often it is asked to', async () => {
  const { user, mailbox } = freshUser();
  const messageId = '<email-recipient-7.aaaaaaaaaaaaaaaa@mail.test>';
  const copy = { messageId, bytes: messageBytes([`Message-ID: ${messageId}`]), dateMs: AT_MS };

  expect(await mailbox.find('sent', [messageId], NEVER)).toEqual(ok({ folder: 'Sent', found: [] }));
  expect(await mailbox.keepCopies([copy], NEVER)).toEqual(ok(new Map([[messageId, 'kept']])));
  expect(await mailbox.keepCopies([copy], NEVER)).toEqual(ok(new Map([[messageId, 'there-already']])));

  const found = { messageId, by: 'message-id', currentMessageId: messageId, copies: 1 };
  expect(await mailbox.find('sent', [messageId, '<other@mail.test>'], NEVER)).toEqual(
    ok({ folder: 'Sent', found: [found] }),
  );
  const rows = await asUser(user, async (client) => {
    await client.mailboxOpen('Sent');
    return client.fetchAll('1:*', { flags: true, internalDate: true, source: true });
  });
  expect(rows).toHaveLength(1);
  expect([...(rows[0]?.flags ?? [])]).toContain('\\Seen');
  expect(new Date(rows[0]?.internalDate ?? 0).getTime()).toBe(AT_MS);
  expect(rows[0]?.source?.equals(copy.bytes)).toBe(true);
});

it("finds a mail by Microsoft's header where its Message-ID was replaced", async () => {
  const { user, mailbox } = freshUser();
  const messageId = '<email-recipient-8.bbbbbbbbbbbbbbbb@mail.test>';
  const headers = ['Message-ID: <x@outlook.com>', `X-Microsoft-Original-Message-ID: ${messageId}`];
  await asUser(user, (client) => client.append('Sent', messageBytes(headers)));
  const found = { messageId, by: 'original-message-id', currentMessageId: '<x@outlook.com>', copies: 1 };
  expect(await mailbox.find('sent', [messageId], NEVER)).toEqual(ok({ folder: 'Sent', found: [found] }));
});

it('does not take a longer Message-ID for the one it looks for', async () => {
  const { user, mailbox } = freshUser();
  const longer = '<email-recipient-9.cccccccccccccccc@mail.test.example>';
  await asUser(user, (client) => client.append('INBOX', messageBytes([`Message-ID: ${longer}`])));
  const wanted = '<email-recipient-9.cccccccccccccccc@mail.test>';
  expect(await mailbox.find('inbox', [wanted], NEVER)).toEqual(ok({ folder: 'INBOX', found: [] }));
});

it('says that the login was refused', async () => {
  const { mailbox } = freshUser({ password: 'wrong' });
  expect(await mailbox.find('sent', ['<a@b>'], NEVER)).toMatchObject({ ok: false, error: { kind: 'login' } });
});
