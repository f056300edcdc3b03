import type { CheckStep } from '../../src/shared/account-check.ts';
import type { CheckTrouble } from '../../src/shared/texts/check-trouble.ts';

/** Where in the dialogue a provider says no. */
export type Point = 'greeting' | 'auth' | 'mail' | 'rcpt' | 'endOfData';

/** What the agent does about the mail and the account it was for. */
export type Reaction =
  /** Everything of the account waits for a person. */
  | { readonly kind: 'asks-person' }
  /** Everything of the account waits for so long. */
  | { readonly kind: 'backs-off'; readonly minutes: number }
  /** Everything of the account waits until the provider's day is over. */
  | { readonly kind: 'backs-off-until-midnight' }
  /** Only this mail waits. */
  | { readonly kind: 'mail-waits'; readonly minutes: number }
  | { readonly kind: 'mail-fails' }
  /** The mail has failed, and the next one is not tried before a person looked. */
  | { readonly kind: 'mail-fails-and-asks-person' }
  | { readonly kind: 'uncertain' };

export type Turn = {
  readonly at: Point;
  readonly says: string | Buffer;
  /** At set-up: the step that fails and what is named; null where a mail to oneself cannot meet it. */
  readonly check: readonly [CheckStep, CheckTrouble] | null;
  readonly agent: Reaction;
};

export type Dialogue = {
  /** The preset's id. */
  readonly provider: string;
  readonly greeting: string;
  /** Keywords after TLS, in the provider's own order and spelling. */
  readonly offers: readonly string[];
  readonly loggedIn: string;
  readonly accepted: string;
  readonly sizeMaxBytes: number | null;
  readonly smtpUtf8: boolean;
  readonly turns: readonly Turn[];
};

const asks: Reaction = { kind: 'asks-person' };
const failsAndAsks: Reaction = { kind: 'mail-fails-and-asks-person' };
const backsOff = (minutes: number): Reaction => ({ kind: 'backs-off', minutes });
const mailWaits = (minutes: number): Reaction => ({ kind: 'mail-waits', minutes });
const busy = (minutes: number): CheckTrouble => ({ kind: 'busy', waitMs: minutes * 60_000 });

/** Troubles that need no more than their name. */
type Plain = Exclude<
  CheckTrouble,
  { readonly waitMs: unknown } | { readonly by: unknown } | { readonly issuer: unknown } | { readonly names: unknown }
>['kind'];

const atLogin = (says: string | Buffer, kind: Plain = 'login-refused'): Turn => ({
  at: 'auth',
  says,
  check: ['login', { kind }],
  agent: asks,
});
const atSender = (says: string, kind: Plain = 'sender-refused'): Turn => ({
  at: 'mail',
  says,
  check: ['sender', { kind }],
  agent: asks,
});
const limit = (at: Point, says: string, minutes: number): Turn => ({
  at,
  says,
  check: [at === 'auth' ? 'login' : at === 'mail' ? 'sender' : 'test-mail', busy(minutes)],
  agent: backsOff(minutes),
});
const noSuchRecipient = (says: string): Turn => ({ at: 'rcpt', says, check: null, agent: { kind: 'mail-fails' } });
const content = (says: string): Turn => ({
  at: 'endOfData',
  says,
  check: ['test-mail', { kind: 'test-mail-refused' }],
  agent: failsAndAsks,
});
const tooBig = (says: string): Turn => ({ ...noSuchRecipient(says), at: 'endOfData' });
/** China's day ends for everybody at once; a check has no clock and names the usual half day. */
const untilMidnight = (at: Point, says: string): Turn => ({
  ...limit(at, says, 720),
  agent: { kind: 'backs-off-until-midnight' },
});
/** After the end of a mail it says nothing about the mail. */
const closing = (says: string): Turn => ({
  at: 'endOfData',
  says,
  check: ['test-mail', { kind: 'test-mail-uncertain' }],
  agent: { kind: 'uncertain' },
});

// 请使用授权码登录。 in GB18030.
const ASK_FOR_CODE = Buffer.from('c7ebcab9d3c3cadac8a8c2ebb5c7c2bca1a3', 'hex');
const inGb18030 = Buffer.concat([Buffer.from('535 Error: '), ASK_FOR_CODE, Buffer.from('\r\n')]);

const TENCENT = {
  offers: [
    'PIPELINING',
    'SIZE 73400320',
    'AUTH LOGIN PLAIN XOAUTH XOAUTH2',
    'AUTH=LOGIN',
    'MAILCOMPRESS',
    'SMTPUTF8',
    '8BITMIME',
  ],
  loggedIn: '235 Authentication successful',
  accepted: '250 OK: queued as.',
  sizeMaxBytes: 73_400_320,
  smtpUtf8: true,
} as const;
const TENCENT_TURNS: readonly Turn[] = [
  atLogin(
    '535 Login fail. Account is abnormal, service is not open, password is incorrect, login frequency limited, or system is busy. More information at https://help.mail.qq.com/detail/108/1023',
  ),
  atSender('501 mail from address must be same as authorization user'),
  limit('mail', '550 Sender frequency limited', 60),
  limit('endOfData', '550 Ip frequency limited. https://service.mail.qq.com/detail/122/172', 60),
  limit('endOfData', '550 Domain frequency limited. https://service.mail.qq.com/detail/122/173', 60),
  { at: 'rcpt', says: '550 Mailbox unavailable or access denied', check: null, agent: mailWaits(60) },
  noSuchRecipient('550 Mailbox not found'),
  content('550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726'),
  tooBig('552 Message too large. https://service.mail.qq.com/detail/122/168'),
  {
    at: 'endOfData',
    says: '550 Suspected spam ip. https://service.mail.qq.com/detail/122/66',
    check: ['test-mail', { kind: 'turned-away' }],
    agent: asks,
  },
];
const CODE_WANTED: readonly Turn[] = [
  atLogin(
    '535 Login Fail. Please enter your authorization code to login. More information in http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=28&&no=1001256',
  ),
  atLogin(inGb18030),
];

const netease = (provider: string, site: string): Dialogue => ({
  provider,
  greeting: `220 ${site}.com Anti-spam GT for Coremail System (${site}com[20141201])`,
  offers: [
    'PIPELINING',
    'AUTH LOGIN PLAIN XOAUTH2',
    'AUTH=LOGIN PLAIN XOAUTH2',
    'coremail 1Uxr2xKj7kG0xkI17xGrU7I0s8FY2U3Uj8Cz28x1UUUUU7Ic2I0Y2UFE0rVUUCa0xDrUUUUj',
    'ID',
    '8BITMIME',
  ],
  loggedIn: '235 Authentication successful',
  accepted: `250 Mail OK queued as ${site} smtp5,HdxpCgA3f1MZ2TRhXb6nAA--.5S2 1630777785`,
  sizeMaxBytes: null,
  smtpUtf8: false,
  turns: [
    atLogin('535 Error: authentication failed'),
    atLogin('550 User has no permission', 'service-off'),
    atLogin('550 用户无权登陆', 'service-off'),
    limit('auth', '451 Requested mail action not taken: too much fail authentication', 60),
    atSender('553 Mail from must equal authorized user'),
    atSender(`553 Local user only,${site} smtp5,HdxpCgA3f1MZ2TRhXb6nAA--.5S2`),
    limit('endOfData', `451 MI:SFQ,${site} smtp5,HdxpCgA3f 1630777785`, 15),
    limit('mail', '554 MI:SFQ', 15),
    limit('rcpt', '450 RP:DRC', 30),
    limit('mail', '554 HL:IHU', 360),
    untilMidnight('endOfData', `554 MI:STC,${site} smtp1`),
    untilMidnight('rcpt', '550 RP:TRC'),
    content(`554 DT:SPM ${site} smtp11,x 1630777785`),
    content('451 DT:SPM ,please try again'),
    {
      at: 'endOfData',
      says: '554 DT:SUM',
      check: ['test-mail', { kind: 'test-mail-refused' }],
      agent: asks,
    },
    noSuchRecipient('550 User suspended'),
    closing('421 closing transmission channel'),
  ],
});

const microsoft = (provider: string): Dialogue => ({
  provider,
  greeting:
    '220 SY4P282CA0013.outlook.office365.com Microsoft ESMTP MAIL Service ready at Mon, 30 Nov 2026 08:00:00 +0000',
  offers: [
    'SIZE 157286400',
    'PIPELINING',
    'DSN',
    'ENHANCEDSTATUSCODES',
    'AUTH LOGIN XOAUTH2',
    '8BITMIME',
    'BINARYMIME',
    'CHUNKING',
    'SMTPUTF8',
  ],
  loggedIn: '235 2.7.0 Authentication successful',
  accepted: '250 2.0.0 OK <AM0PR06MB1234.eurprd06.prod.outlook.com> [Hostname=AM0PR06MB1234.eurprd06.prod.outlook.com]',
  sizeMaxBytes: 157_286_400,
  smtpUtf8: true,
  turns: [
    atLogin('535 5.7.3 Authentication unsuccessful [AM0PR06CA0126.eurprd06.prod.outlook.com]'),
    atLogin(
      '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit https://aka.ms/smtp_auth_disabled for more information. [X]',
      'sending-switched-off',
    ),
    atLogin(
      '535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [PN0PR01CA0024.INDPRD01.PROD.OUTLOOK.COM 2025-01-26T18:54:30.055Z 08DD3DD7D75D7743]',
      'browser-only',
    ),
    atLogin('550 5.7.30 Basic authentication is not supported for Client Submission.', 'browser-only'),
    atLogin(
      "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy. Contact your administrator.",
      'locked-by-policy',
    ),
    atSender('530 5.7.57 Client not authenticated to send mail. [X]', 'login-refused'),
    {
      at: 'mail',
      says: '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded',
      check: ['sender', busy(2)],
      agent: mailWaits(2),
    },
    {
      at: 'endOfData',
      says: '550 5.7.60 SMTP; Client does not have permissions to send as this sender [BY2PR1001MB1094.namprd10.prod.outlook.com]',
      check: ['test-mail', { kind: 'sender-refused' }],
      agent: asks,
    },
    limit(
      'endOfData',
      '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message',
      1440,
    ),
    limit('endOfData', '451 4.7.500 Server busy. Please try again later from [203.0.113.10]. (S77714)', 15),
    {
      at: 'endOfData',
      says: '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception with message WASCL UserAction verdict is not None. Actual verdict is Suspend',
      check: ['test-mail', { kind: 'test-mail-refused' }],
      agent: asks,
    },
    noSuchRecipient('550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'),
  ],
});

const google = (provider: string): Dialogue => ({
  provider,
  greeting: '220 smtp.gmail.com ESMTP 98e67ed59e1d1-2c87 - gsmtp',
  offers: [
    'SIZE 35882577',
    '8BITMIME',
    'AUTH LOGIN PLAIN XOAUTH2 PLAIN-CLIENTTOKEN OAUTHBEARER XOAUTH',
    'ENHANCEDSTATUSCODES',
    'PIPELINING',
    'CHUNKING',
    'SMTPUTF8',
  ],
  loggedIn: '235 2.7.0 Accepted',
  accepted: '250 2.0.0 OK  1630777785 98e67ed59e1d1-2c87 - gsmtp',
  sizeMaxBytes: 35_882_577,
  smtpUtf8: true,
  turns: [
    atLogin(
      '534-5.7.9 Application-specific password required. For more information, go to\r\n534 5.7.9  https://support.google.com/mail/?p=InvalidSecondFactor 98e67ed59e1d1-2c87 - gsmtp',
    ),
    atLogin(
      '535-5.7.8 Username and Password not accepted. For more information, go to\r\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials 98e67ed59e1d1-2c87 - gsmtp',
    ),
    atLogin(
      '534-5.7.14 <https://accounts.google.com/signin/continue?x> Please log in via\r\n534-5.7.14 your web browser and then try again.\r\n534 5.7.14 98e67ed59e1d1-2c87 - gsmtp',
      'sign-in-first',
    ),
    limit('auth', '454 4.7.0 Too many login attempts, please try again later. 98e67ed59e1d1-2c87 - gsmtp', 60),
    {
      at: 'greeting',
      says: '421-4.7.0 Try again later, closing connection. (EHLO)\r\n421 4.7.0 98e67ed59e1d1-2c87 - gsmtp',
      check: ['tls', busy(60)],
      agent: backsOff(60),
    },
    limit(
      'mail',
      '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\r\n550-5.4.5 sending limits go to\r\n550 5.4.5  https://support.google.com/a/answer/166852 98e67ed59e1d1-2c87 - gsmtp',
      1440,
    ),
    noSuchRecipient(
      '550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550 5.1.1 again - gsmtp',
    ),
    {
      at: 'rcpt',
      says: '450-4.2.1 The user you are trying to contact is receiving email too quickly.\r\n450 4.2.1 Please resend your message at a later time.',
      check: null,
      agent: mailWaits(60),
    },
    content(
      '550-5.7.1 Gmail has detected that this message is likely unsolicited mail.\r\n550 5.7.1 98e67ed59e1d1-2c87 - gsmtp',
    ),
    {
      ...tooBig('552 5.7.0 This message was blocked because its content presents a potential security issue. - gsmtp'),
    },
    tooBig("552 5.2.3 Your message exceeded Google's message size limits. - gsmtp"),
  ],
});

const aliyun = (provider: string): Dialogue => ({
  provider,
  greeting: '220 smtp.aliyun-inc.com MX AliMail Server(10.147.42.198)',
  offers: ['8BITMIME', 'AUTH=PLAIN LOGIN XOAUTH2 XALIOAUTH', 'AUTH PLAIN LOGIN XOAUTH2 XALIOAUTH', 'PIPELINING', 'DSN'],
  loggedIn: '235 Authentication successful',
  accepted: '250 Data Ok: queued as freedom',
  sizeMaxBytes: null,
  smtpUtf8: false,
  turns: [
    atLogin('526 Authentication failure[0]'),
    limit('auth', '535 auth failed (this user authenticate too many times)', 60),
    atSender('553 Mail from must equal authorized user'),
    limit('endOfData', '550 sending quota exceeded', 60),
    noSuchRecipient('550 Invalid User'),
    content('554 5.7.1 Message rejected under suspicion of SPAM'),
  ],
});

/** A server of which only some words are known; the rest of its dialogue is an ordinary one. */
const ordinary = (provider: string, turns: readonly Turn[]): Dialogue => ({
  provider,
  greeting: '220 ESMTP ready',
  offers: ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'AUTH PLAIN LOGIN'],
  loggedIn: '235 2.7.0 Authentication successful',
  accepted: '250 2.0.0 Ok: queued',
  sizeMaxBytes: 52_428_800,
  smtpUtf8: false,
  turns,
});

/** What providers say, point by point, as their pages and people who met it have written it down. */
export const DIALOGUES: readonly Dialogue[] = [
  {
    provider: 'qq',
    greeting: '220 newxmesmtplogicsvrszb16-1.qq.com XMail Esmtp QQ Mail Server.',
    ...TENCENT,
    turns: [...CODE_WANTED, ...TENCENT_TURNS],
  },
  {
    provider: 'foxmail',
    greeting: '220 newxmesmtplogicsvrszc5-2.qq.com XMail Esmtp QQ Mail Server.',
    ...TENCENT,
    turns: [...CODE_WANTED, atSender('501 mail from address must be same as authorization user')],
  },
  {
    provider: 'exmail',
    greeting: '220 smtp.exmail.qq.com Esmtp QQ Mail Server',
    ...TENCENT,
    turns: TENCENT_TURNS,
  },
  netease('netease-163', '163'),
  netease('netease-126', '126'),
  netease('netease-yeah', 'yeah'),
  {
    ...netease('netease-qiye', 'qiye.163'),
    turns: [
      atLogin('535 Error: authentication failed'),
      atLogin('535 Error: ERR.LOGIN.IPDENY', 'network-not-allowed'),
      atLogin('535 Error: ERR.LOGIN.DOMAINNOTEXIST', 'other-server'),
      untilMidnight('endOfData', '554 5.5.0 MI:STC .For more information, please visit x'),
    ],
  },
  aliyun('aliyun'),
  aliyun('aliyun-qiye'),
  google('gmail'),
  google('google-workspace'),
  microsoft('outlook-consumer'),
  microsoft('microsoft365'),
  ordinary('icloud', [
    limit(
      'endOfData',
      '550 5.7.1 member@icloud.com: You have exceeded your daily sending limit. Please try again later.',
      1440,
    ),
  ]),
  ordinary('zoho', [
    atSender('553 Relaying disallowed as x@y'),
    {
      at: 'endOfData',
      says: '550 5.4.6 Unusual sending activity detected. Please try after sometime',
      check: ['test-mail', { kind: 'busy', waitMs: null }],
      agent: asks,
    },
  ]),
  ordinary('yandex', [
    atLogin(
      '535 5.7.8 Error: authentication failed: This user does not have access rights to this service',
      'service-off',
    ),
    atSender('553 5.7.1 <x@y>: Sender address rejected: not owned by auth user.'),
  ]),
  ordinary('sina', [
    limit('mail', '550 Too many connect', 60),
    untilMidnight('endOfData', '554 MI:STC,sina smtp1'),
    content('553 5.7.3 CONTENT REJCT'),
  ]),
  ordinary('sohu', [
    atLogin('535 5.7.0 Invalid state', 'service-off'),
    limit('mail', '553 5.7.1 SENDER REJECT', 60),
    limit('rcpt', '452 Too many recipients received this hour', 60),
  ]),
];
