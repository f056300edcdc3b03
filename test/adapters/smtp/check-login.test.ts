import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkLogin } from '../../../src/main/adapters/smtp/check-login.ts';
import { openDirect } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import type { CheckFact } from '../../../src/main/core/check/facts.ts';
import { troubleOf } from '../../../src/main/core/check/trouble.ts';
import type { SmtpServer } from '../../../src/shared/settings.ts';
import { both, drop, type PeerOptions, ScriptedSmtp, say } from '../../support/scripted-smtp.ts';
import { type StoredCertificates, storeCertificates } from '../../support/tls-certificates.ts';

const NEVER = new AbortController().signal;
const PASSWORD = 'abcd-efgh-ijkl';

let certificates: StoredCertificates;
let caFile: string;
beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

async function check(options: PeerOptions, changes: Partial<SmtpServer> = {}, address = 'wang@office.test') {
  const peer = await ScriptedSmtp.start(options);
  onTestFinished(() => peer.close());
  const events: string[] = [];
  const facts: CheckFact[] = [];
  const security = options.security ?? 'none';
  const server = { host: 'localhost', port: peer.port, security, caFile, ...changes };
  const checked = await checkLogin(
    {
      server,
      userName: 'wang',
      secret: { kind: 'password', value: PASSWORD },
      address,
      tunnel: openDirect,
      signal: NEVER,
    },
    {
      onStep: (step) => void events.push(step),
      onFact: (fact) => {
        events.push(`${fact.step} done`);
        facts.push(fact);
      },
    },
  );
  const trouble = checked.ok ? null : troubleOf(checked.error.end, checked.error.step, checked.error.certificate);
  return { checked, trouble, events, facts, peer };
}

const ALL_STEPS = [
  ...['dns', 'dns done', 'tcp', 'tcp done', 'tls', 'tls done', 'login', 'login done'],
  ...['sender', 'sender done', 'abilities done'],
];

describe('the live check of a login', () => {
  it.each(['tls', 'starttls'] as const)('goes through every step over %s and sends nothing', async (security) => {
    const { checked, events, facts, peer } = await check({ security, certificate: certificates.good });

    expect(checked.ok).toBe(true);
    expect(events).toEqual(ALL_STEPS);
    expect(facts.find(({ step }) => step === 'tls')).toMatchObject({
      certificate: {
        subject: 'Mail Agent test server',
        issuer: 'Mail Agent test authority',
        names: ['localhost', '127.0.0.1', '0:0:0:0:0:0:0:1'],
      },
    });
    expect(facts.at(-1)).toEqual({ step: 'abilities', sizeMaxBytes: 35_882_577, smtpUtf8: true });
    expect(peer.commands.slice(-3)).toEqual(['MAIL FROM:<wang@office.test>', 'RSET', 'QUIT']);
    expect(peer.messages).toEqual([]);
    expect(peer.recipients).toEqual([]);
  });

  it('has no certificate and no look-up for an address on this machine', async () => {
    const { events, facts } = await check({}, { host: '127.0.0.1' });

    expect(events).toEqual([
      'tcp',
      'tcp done',
      'tls done',
      'login',
      'login done',
      'sender',
      'sender done',
      'abilities done',
    ]);
    expect(facts.find(({ step }) => step === 'tls')).toEqual({ step: 'tls', certificate: null });
  });

  it.each<[string, PeerOptions['certificate'], string]>([
    ['expired', undefined, 'certificate-expired'],
    ['otherHost', undefined, 'certificate-other-name'],
    ['selfSigned', undefined, 'certificate-untrusted'],
  ])('names what is wrong with a certificate that is %s', async (kind, _, trouble) => {
    for (const security of ['tls', 'starttls'] as const) {
      const certificate = certificates[kind as 'expired' | 'otherHost' | 'selfSigned'];
      const result = await check({ security, certificate });

      expect(result.trouble?.kind).toBe(trouble);
      expect(result.events.at(-1)).toBe('tls');
      expect(result.peer.commands.join(' ')).not.toMatch(/AUTH|MAIL/);
    }
  });

  it('names the program that answers in the server’s place', async () => {
    const scanner = await certificates.issueBy('avast! Mail Scanner Root');
    const { trouble, peer } = await check({ security: 'tls', certificate: scanner });

    expect(trouble).toEqual({ kind: 'intercepted', by: 'Avast' });
    expect(peer.commands).toEqual([]);
  });

  it.each<[string, PeerOptions['script'], string, string]>([
    ['turned away', { greeting: both(say('554 5.7.1 go away'), drop) }, 'tcp', 'turned-away'],
    ['refused at the login', { auth: say('535 5.7.8 authentication failed') }, 'login', 'login-refused'],
    ['dropped at the login', { auth: drop }, 'login', 'dropped-at-login'],
    ['refused as sender', { mail: say('553 5.7.1 sender not owned by user') }, 'sender', 'sender-refused'],
    ['told to come later', { mail: say('451 4.7.1 try again later') }, 'sender', 'busy'],
    ['dropped at the sender', { mail: drop }, 'sender', 'dropped'],
    ['answered with nonsense', { greeting: say('HTTP/1.1 400 Bad Request') }, 'tcp', 'no-mail-server'],
  ])('says at which step it was %s', async (_, script, step, trouble) => {
    const result = await check(script === undefined ? {} : { script });

    expect(result.trouble?.kind).toBe(trouble);
    expect(result.checked.ok ? null : result.checked.error.step).toBe(step);
  });

  it('never shows the password, also where the server says it back', async () => {
    const { checked } = await check({ script: { mail: say(`553 you said ${PASSWORD}`) } });

    expect(JSON.stringify(checked)).not.toContain(PASSWORD);
  });

  it('does not ask for a sender that the server cannot take', async () => {
    const offers = ['AUTH PLAIN'];
    const { trouble, peer } = await check({ offers }, {}, '李@office.test');

    expect(trouble?.kind).toBe('address-letters');
    expect(peer.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  it('finds nothing listening', async () => {
    const { trouble } = await check({}, { host: 'localhost', port: 1 });

    expect(trouble?.kind).toBe('no-answer');
  });
});
