import { describe, expect, it } from 'vitest';
import type { BrokenCause } from '../../../src/main/core/attempt-end.ts';
import { interceptorOf } from '../../../src/main/core/check/interceptors.ts';
import { troubleOf } from '../../../src/main/core/check/trouble.ts';
import type { CheckStep } from '../../../src/shared/account-check.ts';
import type { Provider } from '../../../src/shared/providers/provider.ts';
import { PROVIDERS } from '../../../src/shared/providers/providers.ts';
import { secretOf } from '../../../src/shared/providers/secret-words.ts';
import { CHECK_TEXTS } from '../../../src/shared/texts/check-texts.ts';
import type { CheckTrouble } from '../../../src/shared/texts/check-trouble.ts';

const CERTIFICATE = {
  subject: 'smtp.office.test',
  names: ['smtp.office.test'],
  issuer: 'Some Authority',
  validToMs: Date.UTC(2026, 0, 1),
  code: 'SELF_SIGNED_CERT_IN_CHAIN',
};
const broken = (cause: BrokenCause) => ({ kind: 'broken', stage: 'connect', cause, text: '' }) as const;
const replied = (stage: 'connect' | 'auth' | 'envelope' | 'handed-over', code: number, text: string) =>
  ({ kind: 'replied', stage, reply: { code, enhanced: /^[245]\.\d+\.\d+/.exec(text)?.[0] ?? null, text } }) as const;

describe('what stands in the way', () => {
  it.each<[Parameters<typeof troubleOf>[0], CheckStep, CheckTrouble['kind']]>([
    [broken('dns'), 'dns', 'name-unknown'],
    [broken('refused'), 'tcp', 'no-answer'],
    [broken('timeout'), 'tcp', 'no-answer'],
    [broken('timeout'), 'tls', 'too-slow'],
    [broken('dropped'), 'tls', 'dropped'],
    [broken('dropped'), 'login', 'dropped-at-login'],
    [broken('tls'), 'tls', 'not-protected'],
    [broken('out-of-step'), 'tcp', 'no-mail-server'],
    [broken('certificate'), 'tls', 'certificate-refused'],
    [broken('proxy-unreachable'), 'tcp', 'proxy-unreachable'],
    [broken('proxy-login'), 'tcp', 'proxy-login'],
    [broken('proxy-refused'), 'tcp', 'proxy-refused'],
    [replied('connect', 554, '5.7.1 your address is listed'), 'tcp', 'turned-away'],
    [replied('connect', 421, 'too busy'), 'tcp', 'busy'],
    [replied('auth', 535, '5.7.8 Error: authentication failed'), 'login', 'login-refused'],
    [replied('auth', 535, 'Login Fail. Please enter your authorization code to login.'), 'login', 'login-refused'],
    [replied('auth', 526, 'Authentication failure'), 'login', 'login-refused'],
    [replied('auth', 550, 'User has no permission'), 'login', 'service-off'],
    [replied('auth', 454, '4.7.0 Temporary authentication failure'), 'login', 'busy'],
    [replied('envelope', 553, 'Mail from must equal authorized user'), 'sender', 'sender-refused'],
    [replied('envelope', 501, 'mail from address must be same as authorization user'), 'sender', 'sender-refused'],
    [replied('envelope', 451, 'try again later'), 'sender', 'busy'],
    [replied('handed-over', 554, 'DT:SPM'), 'test-mail', 'test-mail-refused'],
  ])('is told by %j at %s: %s', (end, step, kind) => {
    expect(troubleOf(end, step, null).kind).toBe(kind);
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'Some Authority', 'certificate-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Some Authority', 'certificate-other-name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'smtp.office.test', 'certificate-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'Avast Web/Mail Shield Root', 'intercepted'],
    ['CERT_HAS_EXPIRED', 'Kaspersky Anti-Virus Personal Root Certificate', 'intercepted'],
  ])('is told by a certificate refused for %s and issued by %s: %s', (code, issuer, kind) => {
    expect(troubleOf(broken('certificate'), 'tls', { ...CERTIFICATE, code, issuer }).kind).toBe(kind);
  });
});

describe('an issuer', () => {
  it.each([
    ['avast! Mail Scanner Root', 'Avast'],
    ['ESET, spol. s r. o., ESET SSL Filter CA', 'ESET'],
    ['Fortinet, FG100D3G12345678', 'Fortinet'],
    ['Zscaler Inc., Zscaler Root CA', 'Zscaler'],
    ['SANGFOR Technologies', '深信服 (Sangfor)'],
    ['奇安信科技, 上网行为管理', '奇安信'],
    ['mitmproxy', 'mitmproxy'],
  ])('%s is the program or device %s', (issuer, name) => {
    expect(interceptorOf(issuer)).toBe(name);
  });

  it.each([
    'DigiCert Inc, DigiCert Global G2 TLS RSA SHA256 2020 CA1',
    "Let's Encrypt, R11",
    'GlobalSign nv-sa, GlobalSign RSA OV SSL CA 2018',
    'Google Trust Services, WR2',
    'TrustAsia Technologies, Inc., TrustAsia RSA DV TLS CA G2',
    'WoTrus CA Limited',
  ])('%s is none', (issuer) => {
    expect(interceptorOf(issuer)).toBeNull();
  });
});

const placeOf = (provider: Provider) => ({
  name: provider.name,
  secret: secretOf(provider),
  steps: provider.steps,
  otherServers: [{ host: 'smtp2.office.test', port: 994 }],
});

describe('the words for it', () => {
  const ALL: readonly CheckTrouble[] = [
    ...(
      [
        'name-unknown',
        'no-answer',
        'too-slow',
        'dropped',
        'dropped-at-login',
        'certificate-refused',
        'not-protected',
        'no-password-login',
        'address-letters',
        'no-password',
        'no-mail-server',
        'turned-away',
        'login-refused',
        'browser-only',
        'no-sign-in-client',
        'no-sign-in-at-server',
        'sign-in-refused',
        'sign-in-client-refused',
        'sign-in-not-lasting',
        'sign-in-unreachable',
        'sign-in-late',
        'no-browser',
        'sign-in-again',
        'token-refused',
        'service-off',
        'sign-in-first',
        'sending-switched-off',
        'locked-by-policy',
        'network-not-allowed',
        'other-server',
        'proxy-unreachable',
        'proxy-login',
        'proxy-refused',
        'sender-refused',
        'test-mail-refused',
        'test-mail-uncertain',
        'stopped',
        'unclear',
      ] as const
    ).map((kind) => ({ kind })),
    { kind: 'busy', waitMs: null },
    { kind: 'busy', waitMs: 20_000 },
    { kind: 'busy', waitMs: 86_400_000 },
    { kind: 'intercepted', by: 'Avast' },
    { kind: 'certificate-expired', issuer: 'Some Authority', validToMs: Date.UTC(2026, 0, 1) },
    { kind: 'certificate-other-name', names: ['mail.elsewhere.test'] },
    { kind: 'certificate-untrusted', issuer: 'Some Authority' },
  ];

  it.each(['en', 'zh-CN'] as const)('say what happened and what to do next, in %s', (language) => {
    for (const provider of [null, ...PROVIDERS]) {
      const known = provider && placeOf(provider);
      for (const trouble of ALL) {
        const words = CHECK_TEXTS[language].trouble(trouble, { host: 'smtp.office.test', port: 465, provider: known });
        expect(words.text).toMatch(language === 'en' ? /[.?]$/ : /[。？]$/);
        expect(words.next).toMatch(language === 'en' ? /[.?)]$/ : /[。？]$/);
        expect(`${words.text}${words.next}`).not.toMatch(/undefined|null|\[object|!|！/);
      }
    }
  });

  it.each([
    [null, 'a quarter of an hour', '一刻钟'],
    [20_000, 'a minute', '1 分钟'],
    [20 * 60_000, '20 minutes', '20 分钟'],
    [3_600_000, 'an hour', '1 小时'],
    [24 * 3_600_000, '24 hours', '24 小时'],
  ])('name the time to wait where the provider limits the account for %s ms', (waitMs, en, zh) => {
    const place = { host: 'smtp.office.test', port: 465, provider: null };

    expect(CHECK_TEXTS.en.trouble({ kind: 'busy', waitMs }, place).next).toContain(`Wait ${en} and`);
    expect(CHECK_TEXTS['zh-CN'].trouble({ kind: 'busy', waitMs }, place).next).toContain(zh);
  });

  it('name the code that the provider wants where the login was refused', () => {
    const qq = PROVIDERS.find(({ id }) => id === 'qq');
    if (qq === undefined) throw new Error('no preset for QQ');
    const place = {
      host: 'smtp.qq.com',
      port: 465,
      provider: placeOf(qq),
    };

    expect(CHECK_TEXTS['zh-CN'].trouble({ kind: 'login-refused' }, place)).toEqual({
      text: 'QQ 邮箱拒绝了登录，此处需要授权码。',
      next: qq.steps['zh-CN'],
    });
  });
});
