import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createImapMailbox } from '../../src/main/adapters/imap/mailbox.ts';
import { createSecretFile } from '../../src/main/adapters/keychain/secret-file.ts';
import { createSmtpMailer } from '../../src/main/adapters/smtp/mailer.ts';
import { openDirect } from '../../src/main/adapters/tunnel/open-tunnel.ts';
import { EXIT } from '../../src/main/headless/exit-codes.ts';
import { createMailSecrets } from '../../src/main/mail-secrets.ts';
import { ImapServer, SmtpServer } from '../../src/shared/settings.ts';
import { DataFolder, lastObject } from '../headless/command-line.ts';
import { type MailServers, startMailServers } from '../support/mail-servers.ts';
import { type Choice, SignInServer } from '../support/sign-in-server.ts';

/** A provider with a sign-in of its own: Postfix and Dovecot ask it whose token they were given. */
let provider: SignInServer;
let servers: MailServers;
let folder: DataFolder;

beforeAll(async () => {
  provider = await SignInServer.start();
  servers = await startMailServers({ introspectionUrl: provider.introspectionUrl });
}, 120_000);
afterAll(async () => {
  await servers?.stop();
  await provider?.close();
});
beforeEach(async () => {
  provider.reset();
  folder = await DataFolder.make();
  onTestFinished(() => folder.remove());
});

/** The `account` command, and somebody who makes this choice in the browser it names. */
async function signIn(choice: Choice, ...more: readonly string[]) {
  const { host, ports, caFile, user } = servers;
  const run = folder.start([
    ...['account', '--address', user, '--sign-in', 'google', '--ca-file', caFile],
    ...['--host', host, '--port', String(ports.postfix.starttls), '--security', 'starttls'],
    ...['--imap-host', host, '--imap-port', String(ports.imaps), ...more],
  ]);
  const page = () => /^http:\/\/127\.0\.0\.1:\d+\/auth\S+$/m.exec(run.err)?.[0];
  await run.until(() => page() !== undefined);
  const shown = await provider.browse(page() ?? '', choice);
  return { ...(await run.finished), shown };
}

const setClient = () => folder.run(['set', 'signIn', JSON.stringify(provider.clients())]);

/** The parts that send and read with what the sign-in left in the data folder. */
function partsWithSignIn() {
  const secrets = createSecretFile({ file: folder.secrets });
  const ledger = { setting: () => provider.clients() };
  const secret = createMailSecrets({ secrets, ledger, tunnel: () => openDirect }).of('google');
  const { host, ports, caFile, user } = servers;
  const smtp = SmtpServer.parse({ host, port: ports.postfix.tls, security: 'tls', caFile });
  const imap = ImapServer.parse({ host, port: ports.imaps, security: 'tls', caFile });
  const mailer = createSmtpMailer({ account: () => ({ server: smtp, userName: user }), secret });
  onTestFinished(() => mailer.close());
  const mailbox = createImapMailbox({ server: imap, userName: user, version: '1.0.0', secret });
  let made = 0;
  const send = () => {
    made += 1;
    const messageId = `<sign-in-${made}@mail.test>`;
    const bytes = Buffer.from(`Message-ID: ${messageId}\r\nSubject: hello\r\n\r\nBody\r\n`);
    const envelope = { from: user, to: `zhang@${servers.domain}`, needsSmtpUtf8: false };
    const watch = { onStage: () => undefined, gate: async () => 'open' as const };
    return mailer.submit({ messageId, envelope, bytes }, watch, AbortSignal.timeout(60_000));
  };
  const tokens = async () => {
    const stored = await secrets.get('mail-sign-in');
    return JSON.parse(stored.ok ? stored.value : 'null');
  };
  return { mailer, mailbox, send, tokens };
}

describe('an account with a sign-in', () => {
  it('is set up in the browser, checked with its token by SMTP and IMAP, and stored without a password', async () => {
    await setClient();

    const { code, out, err, shown } = await signIn({ as: servers.user }, '--test-mail');

    expect({ code, err: code === EXIT.done ? '' : err }).toEqual({ code: EXIT.done, err: '' });
    expect(shown.text).toContain('You are signed in.');
    expect(lastObject(out)).toMatchObject({ account: servers.user, login: 'google', savesSentCopy: 'no' });
    for (const step of ['Sign in', 'Log in', 'may send', 'test mail', 'folders']) {
      expect(err).toMatch(new RegExp(`✓ .*${step}`));
    }
    const secrets = createSecretFile({ file: folder.secrets });
    expect(await secrets.get('smtp-password')).toMatchObject({ ok: false, error: { kind: 'missing' } });
    const stored = await secrets.get('mail-sign-in');
    const { accessToken, refreshToken } = JSON.parse(stored.ok ? stored.value : '{}');
    for (const token of [accessToken, refreshToken]) expect(`${out}${err}`).not.toContain(token);
  }, 120_000);

  it('sends and reads with tokens, and renews one that was taken back early without asking anybody', async () => {
    await setClient();
    await signIn({ as: servers.user });
    const { mailer, mailbox, send, tokens } = partsWithSignIn();
    const before = await tokens();

    const first = await send();
    await mailer.close();
    await provider.endAccessToken(before.accessToken);
    const second = await send();
    const looked = await mailbox.find('sent', ['<sign-in-1@mail.test>'], AbortSignal.timeout(60_000));

    expect([first.kind, second.kind]).toEqual(['accepted', 'accepted']);
    expect(looked.ok).toBe(true);
    expect((await tokens()).refreshToken).not.toBe(before.refreshToken);
    expect(provider.grants).toEqual(['authorization_code', 'refresh_token']);
  }, 120_000);

  it('whose permission was taken back asks for a new sign-in, by SMTP and by IMAP', async () => {
    await setClient();
    await signIn({ as: servers.user });
    const { mailbox, send, tokens } = partsWithSignIn();
    await provider.revoke((await tokens()).refreshToken);

    const sent = await send();
    const looked = await mailbox.find('sent', ['<a@b>'], AbortSignal.timeout(60_000));

    expect(sent).toMatchObject({ kind: 'broken', stage: 'auth', cause: 'sign-in-again' });
    expect(looked).toMatchObject({ ok: false, error: { kind: 'no-credentials' } });
  }, 120_000);

  it('is not stored where somebody else signed in', async () => {
    await setClient();

    const { code, err } = await signIn({ as: `somebody-else@${servers.domain}` });

    expect(code).toBe(EXIT.account);
    expect(err).toContain('Sign in with the mailbox of your mail address.');
    const secrets = createSecretFile({ file: folder.secrets });
    expect(await secrets.get('mail-sign-in')).toMatchObject({ ok: false, error: { kind: 'missing' } });
  }, 120_000);

  it('is not stored where the person says no', async () => {
    await setClient();

    const { code, err, shown } = await signIn('no');

    expect(code).toBe(EXIT.account);
    expect(shown.text).toContain('did not work');
    expect(err).toContain('Google gave no permission.');
  }, 120_000);

  it('is told before anything is opened where the office set up no client id', async () => {
    const { code, err } = await folder.run([
      ...['account', '--address', servers.user, '--sign-in', 'google'],
      ...['--host', servers.host, '--port', '587', '--security', 'starttls'],
    ]);

    expect(code).toBe(EXIT.account);
    expect(err).toContain('Your office has not set up the sign-in at Google');
  }, 120_000);
});
