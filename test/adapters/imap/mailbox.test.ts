import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { IMAP_DEADLINES, type ImapDeadlines } from '../../../src/main/adapters/imap/limits.ts';
import { createImapMailbox } from '../../../src/main/adapters/imap/mailbox.ts';
import { ok } from '../../../src/shared/result.ts';
import { type ScriptedImap, type ScriptedImapOptions, startScriptedImap } from '../../support/scripted-imap.ts';
import { type StoredCertificates, storeCertificates } from '../../support/tls-certificates.ts';

const NEVER = new AbortController().signal;
const ID = '<email-recipient-1.0123456789abcdef@example.com>';
let certificates: StoredCertificates;
let caFile: string;

beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

async function peerFor(options: ScriptedImapOptions): Promise<ScriptedImap> {
  const peer = await startScriptedImap({ certificate: certificates.good, ...options });
  onTestFinished(() => peer.close());
  return peer;
}

function mailboxAt(
  peer: Pick<ScriptedImap, 'port'>,
  security: 'none' | 'tls' | 'starttls' = 'none',
  over: { readonly deadlines?: Partial<ImapDeadlines>; readonly caFile?: string | null; readonly host?: string } = {},
) {
  const authority = over.caFile === undefined ? caFile : over.caFile;
  const host = over.host ?? (security === 'none' ? '127.0.0.1' : 'localhost');
  return createImapMailbox({
    server: { host, port: peer.port, security, caFile: authority, userName: null },
    userName: 'anna@example.com',
    version: '1.2.3',
    secret: async () => ok({ kind: 'password', value: 'secret' }),
    deadlines: { ...IMAP_DEADLINES, ...over.deadlines },
  });
}

describe('A visit to the mailbox', () => {
  it.each(['none', 'tls', 'starttls'] as const)('works with security %s and says goodbye', async (security) => {
    const peer = await peerFor({ security });
    expect(await mailboxAt(peer, security).find('sent', [ID], NEVER)).toEqual(ok({ folder: 'Sent', found: [] }));
    expect(peer.commands.at(-1)).toBe('LOGOUT');
  });

  it('names the program after the login and before any folder is opened, as NetEase demands', async () => {
    const peer = await peerFor({});
    await mailboxAt(peer).find('sent', [ID], NEVER);
    const verbs = peer.commands.map((line) => line.split(' ')[0]);
    const afterLogin = verbs.slice(verbs.indexOf('AUTHENTICATE') + 1);
    expect(afterLogin.indexOf('ID')).toBeGreaterThanOrEqual(0);
    expect(afterLogin.indexOf('ID')).toBeLessThan(afterLogin.indexOf('EXAMINE'));
    expect(peer.commands.find((line) => line.startsWith('ID'))).toMatch(/"name" "Mail Agent" "version" "1\.2\.3"/);
  });

  it('refuses a certificate that is not for this server, before the password is said', async () => {
    const peer = await peerFor({ security: 'tls', certificate: certificates.otherHost });
    expect(await mailboxAt(peer, 'tls').find('sent', [ID], NEVER)).toMatchObject({
      ok: false,
      error: { kind: 'unreachable', text: expect.stringContaining('not trusted') },
    });
    expect(peer.commands).toEqual([]);
  });

  it('goes no further where STARTTLS is not offered', async () => {
    const peer = await peerFor({ security: 'none' });
    const answer = await mailboxAt(peer, 'starttls').find('sent', [ID], NEVER);
    expect(answer).toMatchObject({
      ok: false,
      error: { kind: 'unreachable', text: expect.stringContaining('STARTTLS') },
    });
    expect(peer.commands).toEqual(['STARTTLS']);
  });

  it('uses nothing that was slipped in before the handshake', async () => {
    const peer = await peerFor({ security: 'starttls', afterStartTls: '* OK injected\r\n' });
    const answer = await mailboxAt(peer, 'starttls').find('sent', [ID], NEVER);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
  });

  it('tells a refused login apart from trouble that passes', async () => {
    const wrong = await peerFor({ script: { AUTHENTICATE: () => ({ tagged: 'NO [AUTHENTICATIONFAILED] wrong' }) } });
    expect(await mailboxAt(wrong).find('sent', [ID], NEVER)).toMatchObject({ ok: false, error: { kind: 'login' } });
    const busy = await peerFor({ script: { AUTHENTICATE: () => ({ tagged: 'NO [UNAVAILABLE] later' }) } });
    expect(await mailboxAt(busy).find('sent', [ID], NEVER)).toMatchObject({ ok: false, error: { kind: 'busy' } });
  });

  it('says so where no folder keeps sent mails, and where the folder cannot be opened', async () => {
    const bare = await peerFor({ script: { LIST: () => ({ lines: ['LIST () "/" INBOX'] }), LSUB: () => ({}) } });
    expect(await mailboxAt(bare).find('sent', [ID], NEVER)).toMatchObject({ ok: false, error: { kind: 'no-folder' } });
    const unsafe = await peerFor({
      script: { EXAMINE: () => ({ tagged: 'NO EXAMINE Unsafe Login. Please contact' }) },
    });
    expect(await mailboxAt(unsafe).find('inbox', [ID], NEVER)).toMatchObject({
      ok: false,
      error: { kind: 'refused', text: expect.stringContaining('Unsafe Login') },
    });
  });

  it.each([
    ['a greeting that never comes', { greeting: null }],
    ['a command that is never answered', { script: { CAPABILITY: () => null } }],
    ['a folder that is never opened', { script: { EXAMINE: () => null } }],
  ] satisfies [string, ScriptedImapOptions][])('ends within its deadline on %s', async (_, options) => {
    const peer = await peerFor({ ...options });
    const answer = await mailboxAt(peer, 'none', { deadlines: { visitMs: 600 } }).find('sent', [ID], NEVER);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
  });

  it('ends on an answer larger than it reads', async () => {
    const line = 'x'.repeat(2 * 1024 * 1024);
    const peer = await peerFor({ script: { EXAMINE: () => ({ lines: [line] }) } });
    expect(await mailboxAt(peer).find('sent', [ID], NEVER)).toMatchObject({ ok: false });
    expect(peer.commands.at(-1)).toMatch(/^EXAMINE/);
  });

  it('stops where it is told to', async () => {
    const stop = new AbortController();
    const script = {
      EXAMINE: () => {
        stop.abort();
        return null;
      },
    };
    const peer = await peerFor({ script });
    expect(await mailboxAt(peer).find('sent', [ID], stop.signal)).toMatchObject({
      ok: false,
      error: { kind: 'stopped' },
    });
  });

  it('finds a mail by its own headers where the search of the server finds nothing', async () => {
    const block = (headers: string) => `{${headers.length}}\r\n${headers}`;
    const row = (n: number, headers: string) => `${n} FETCH (UID ${n} BODY[HEADER.FIELDS (X)] ${block(headers)})`;
    const script = {
      EXAMINE: () => ({ lines: ['FLAGS ()', '2 EXISTS', 'OK [UIDVALIDITY 1] ok', 'OK [UIDNEXT 3] ok'] }),
      FETCH: () => ({
        lines: [
          row(1, 'Message-ID: <another@example.com>\r\n\r\n'),
          row(2, `Message-ID: <new@outlook.com>\r\nX-Microsoft-Original-Message-ID:\r\n ${ID}\r\n\r\n`),
        ],
      }),
    };
    const peer = await peerFor({ script });
    const found = { messageId: ID, by: 'original-message-id', currentMessageId: '<new@outlook.com>', copies: 1 };
    expect(await mailboxAt(peer).find('sent', [ID], NEVER)).toEqual(ok({ folder: 'Sent', found: [found] }));
  });
});
