import { describe, expect, it } from 'vitest';
import type { BrokenCause } from '../../../src/main/core/attempt-end.ts';
import { interceptorOf } from '../../../src/main/core/check/interceptors.ts';
import { stepOfStage, troubleOf } from '../../../src/main/core/check/trouble.ts';
import type { CheckStep } from '../../../src/shared/account-check.ts';
import type { Provider } from '../../../src/shared/providers/provider.ts';
import { PROVIDERS } from '../../../src/shared/providers/providers.ts';
import { secretOf } from '../../../src/shared/providers/secret-words.ts';
import { CHECK_TEXTS } from '../../../src/shared/texts/check-texts.ts';
import type { CheckTrouble } from '../../../src/shared/texts/check-trouble.ts';
import { REPLY_SAMPLES } from '../reply-samples.ts';

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
    [broken('refused'), 'tls', 'no-answer'],
    [broken('timeout'), 'dns', 'no-answer'],
    [broken('starttls-missing'), 'tls', 'not-protected'],
    [broken('auth-not-offered'), 'login', 'no-password-login'],
    [broken('smtputf8-missing'), 'sender', 'address-letters'],
    [broken('no-credentials'), 'login', 'no-password'],
    [broken('size-exceeded'), 'test-mail', 'no-mail-server'],
    [broken('too-much'), 'tcp', 'no-mail-server'],
    [broken('stopped'), 'login', 'stopped'],
    [replied('connect', 500, 'what'), 'tcp', 'turned-away'],
    [replied('auth', 454, 'TLS not available'), 'login', 'busy'],
    [replied('auth', 500, 'what'), 'login', 'login-refused'],
    [replied('auth', 535, 'this user authenticate too many times'), 'login', 'busy'],
    [replied('envelope', 530, '5.7.57 Client not authenticated'), 'sender', 'login-refused'],
    [replied('envelope', 500, 'what'), 'sender', 'sender-refused'],
    [replied('envelope', 450, 'DT:SPM'), 'sender', 'busy'],
    [replied('handed-over', 450, 'DT:SPM'), 'test-mail', 'test-mail-refused'],
    [replied('auth', 550, 'ERR.LOGIN.DOMAINNOTEXIST'), 'login', 'other-server'],
    [replied('auth', 554, 'spam'), 'login', 'login-refused'],
    [replied('handed-over', 500, 'what'), 'test-mail', 'test-mail-refused'],
    [replied('handed-over', 450, '4.2.0 full'), 'test-mail', 'busy'],
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
    ['CERT_NOT_YET_VALID', 'Some Authority', 'certificate-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Some Authority', 'certificate-other-name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'smtp.office.test', 'certificate-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'Avast Web/Mail Shield Root', 'intercepted'],
    ['CERT_HAS_EXPIRED', 'Kaspersky Anti-Virus Personal Root Certificate', 'intercepted'],
  ])('is told by a certificate refused for %s and issued by %s: %s', (code, issuer, kind) => {
    expect(troubleOf(broken('certificate'), 'tls', { ...CERTIFICATE, code, issuer }).kind).toBe(kind);
  });
});

describe('a reply that says more than which step it refuses', () => {
  it.each([
    ['ms-smtpauth-off', 'sending-switched-off'],
    ['ms-basic-off', 'browser-only'],
    ['ms-basic-retired', 'browser-only'],
    ['ms-policy-lock', 'locked-by-policy'],
    ['gmail-web-login', 'sign-in-first'],
    ['yandex-access', 'service-off'],
    ['netease-no-permission', 'service-off'],
    ['sohu-state', 'service-off'],
    ['netease-ipdeny', 'network-not-allowed'],
    ['client-ip-blocked', 'turned-away'],
    ['from-not-login', 'sender-refused'],
    ['ms-sendas', 'sender-refused'],
  ])('%s is told as %s', (ruleId, kind) => {
    const [line = ''] = REPLY_SAMPLES[ruleId] ?? [];

    expect(troubleOf(replied('auth', Number(line.slice(0, 3)), line.slice(4)), 'login', null)).toEqual({ kind });
  });
});

describe('a stage of the dialogue', () => {
  it.each([
    ['prepare', 'dns'],
    ['connect', 'dns'],
    ['tls', 'tls'],
    ['auth', 'login'],
    ['envelope', 'test-mail'],
    ['body', 'test-mail'],
    ['handed-over', 'test-mail'],
  ] as const)('%s belongs to the step %s', (stage, step) => {
    expect(stepOfStage(stage)).toBe(step);
  });
});

describe('an issuer', () => {
  it.each([
    ['avast! Mail Scanner Root', 'Avast'],
    ['AVG Web/Mail Shield Root', 'AVG'],
    ['Kaspersky Lab', 'Kaspersky'],
    ['ESET, spol. s r. o., ESET SSL Filter CA', 'ESET'],
    ['Bitdefender CA SSL', 'Bitdefender'],
    ['Norton Web/Mail Shield Root', 'Norton'],
    ['McAfee Web Gateway', 'McAfee'],
    ['Dr.Web', 'Dr.Web'],
    ['Dr. Web CA', 'Dr.Web'],
    ['DrWeb', 'Dr.Web'],
    ['G DATA Mail Security', 'G DATA'],
    ['GData CA', 'G DATA'],
    ['WithSecure', 'F-Secure'],
    ['Trend Micro', 'Trend Micro'],
    ['Panda Security', 'Panda'],
    ['AdGuard Personal CA', 'AdGuard'],
    ['Huorong', '火绒'],
    ['360安全卫士', '360'],
    ['QiAnXin', '奇安信'],
    ['Qi An Xin', '奇安信'],
    ['Qi-An-Xin', '奇安信'],
    ['奇安信科技, 上网行为管理', '奇安信'],
    ['SANGFOR Technologies', '深信服 (Sangfor)'],
    ['Tencent iOA', '腾讯电脑管家'],
    ['Topsec', '天融信 (Topsec)'],
    ['NSFOCUS', '绿盟 (NSFOCUS)'],
    ['Fortinet, FG100D3G12345678', 'Fortinet'],
    ['Zscaler Inc., Zscaler Root CA', 'Zscaler'],
    ['goskope.com', 'Netskope'],
    ['Palo Alto Networks', 'Palo Alto Networks'],
    ['Check Point', 'Check Point'],
    ['CheckPoint', 'Check Point'],
    ['Sophos SSL CA', 'Sophos'],
    ['Websense', 'Forcepoint'],
    ['Blue Coat', 'Blue Coat'],
    ['BlueCoat', 'Blue Coat'],
    ['Cisco Umbrella Root CA', 'Cisco'],
    ['Barracuda', 'Barracuda'],
    ['WatchGuard', 'WatchGuard'],
    ['SonicWall', 'SonicWall'],
    ['Untangle', 'Untangle'],
    ['DO_NOT_TRUST_FiddlerRoot', 'Fiddler'],
    ['Charles Proxy CA', 'Charles'],
    ['mitmproxy', 'mitmproxy'],
    ['PortSwigger CA', 'Burp'],
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
