import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDirect } from '../src/main/adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel, TunnelFailure } from '../src/main/adapters/tunnel/tunnel.ts';
import { checkAccount } from '../src/main/check-account.ts';
import type { CheckProgress } from '../src/shared/account-check.ts';
import { err } from '../src/shared/result.ts';
import { MailAccount } from '../src/shared/settings.ts';
import { ScriptedSmtp } from './support/scripted-smtp.ts';
import { type StoredCertificates, storeCertificates } from './support/tls-certificates.ts';

let certificates: StoredCertificates;
let caFile: string;
beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

type Door = { readonly peer: ScriptedSmtp } | { readonly closed: TunnelFailure['cause'] };

async function start(security: 'tls' | 'starttls'): Promise<{ readonly peer: ScriptedSmtp }> {
  const peer = await ScriptedSmtp.start({ security, certificate: await certificates.issueFor(['smtp.qq.com']) });
  onTestFinished(() => peer.close());
  return { peer };
}

/** Checks a QQ account whose server has these doors; every other one is closed. */
async function check(doors: Readonly<Record<number, Door>>, testMail: 'send' | 'none' = 'none') {
  const tried: number[] = [];
  const tunnel: OpenTunnel = async ({ port }, limits) => {
    tried.push(port);
    const door = doors[port] ?? { closed: 'refused' };
    if ('closed' in door) return err({ cause: door.closed, text: 'closed' });
    return openDirect({ host: '127.0.0.1', port: door.peer.port }, limits);
  };
  const smtp = { host: 'smtp.qq.com', port: 465, security: 'tls', caFile };
  const progress: CheckProgress[] = [];
  const checked = await checkAccount({
    account: MailAccount.parse({
      ...{ address: 'wang@qq.com', name: null, userName: 'wang@qq.com', smtp, imap: null, aliases: [] },
    }),
    secret: { kind: 'password', value: 'abcdefghijklmnop' },
    language: 'en',
    version: '1.0.0',
    tunnel,
    testMail,
    onProgress: (one) => void progress.push(one),
  });
  return { checked, tried, progress };
}

describe('an account whose usual port is closed', () => {
  it.each(['refused', 'timeout'] as const)('works over the other one where the first is %s', async (closed) => {
    const open = await start('starttls');

    const { checked, tried, progress } = await check({ 465: { closed }, 587: open }, 'send');

    expect(checked).toMatchObject({
      ok: true,
      value: { smtp: { host: 'smtp.qq.com', port: 587, security: 'starttls' } },
    });
    expect(tried).toEqual([465, 587, 587]);
    expect(progress).toContainEqual({
      step: expect.stringMatching(/^(dns|tcp)$/),
      state: 'unclear',
      text: 'no answer; trying smtp.qq.com, port 587',
    });
    expect(open.peer.messages.length).toBe(1);
  });

  it('is told once where no port answers', async () => {
    const { checked, progress } = await check({});

    expect(checked).toMatchObject({ ok: false, error: { text: 'Nothing answers at smtp.qq.com, port 465.' } });
    expect(progress.filter(({ state }) => state === 'failed').length).toBe(1);
  });

  it.each(['proxy-login', 'dns'] as const)(
    'is not looked for elsewhere where the way there ends with %s',
    async (closed) => {
      const { checked, tried } = await check({ 465: { closed } });

      expect(checked.ok).toBe(false);
      expect(tried).toEqual([465]);
    },
  );
});
