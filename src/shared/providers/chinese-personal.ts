import { imaps, starttls, tls, tls994 } from './endpoints.ts';
import type { ProviderData } from './provider.ts';

const MIB = 1024 * 1024;

const QQ_STEPS = {
  en: 'Open mail.qq.com in the browser: Settings (设置), Account (账号), switch on IMAP/SMTP (开启 IMAP/SMTP 服务), confirm by text message, and copy the 16-letter authorisation code (授权码). A new QQ password makes old codes void.',
  'zh-CN':
    '在网页版 QQ 邮箱打开“设置 > 账号”，开启 IMAP/SMTP 服务，短信验证后复制 16 位授权码。修改 QQ 密码后旧授权码失效。',
};
const QQ_LIMITS = {
  note: {
    en: 'Not published; by reputation, per minute, hour and day. Often named: 100 mails a day, 500 for paying members.',
    'zh-CN': '未公布，视信誉按分钟、小时、天限制。常见说法：每天 100 封，会员 500 封。',
  },
};
const QQ_NOTE = {
  en: 'A limit is answered like a refusal (550), and the Sent folder keeps a copy only where the setting says so.',
  'zh-CN': '超出频率时以 550 拒绝的形式返回；是否保存到“已发送”取决于邮箱设置。',
};

const netease = (domain: '163.com' | '126.com' | 'yeah.net', id: string): ProviderData => {
  const name = domain === '163.com' ? '163' : domain === '126.com' ? '126' : 'yeah.net';
  return {
    id,
    name: { en: `NetEase ${domain}`, 'zh-CN': `网易 ${name} 邮箱` },
    sites: [
      {
        domains: [domain],
        receivers: [`^${domain.split('.')[0]}mx0\\d\\.mxmail\\.netease\\.com$`],
        smtp: [tls(`smtp.${domain}`), tls994(`smtp.${domain}`)],
        imap: imaps(`imap.${domain}`),
      },
    ],
    spf: [],
    secrets: ['authorisation-code'],
    accountPassword: 'refused',
    steps: {
      en: `Open mail.${domain} in the browser: Settings (设置), POP3/SMTP/IMAP, switch on IMAP/SMTP, confirm by text message, and add an authorisation password (新增授权密码) of 16 letters.`,
      'zh-CN': `在网页版 ${name} 邮箱打开“设置 > POP3/SMTP/IMAP”，开启 IMAP/SMTP，短信验证后新增 16 位授权密码。`,
    },
    page: `https://mail.${domain}`,
    from: 'login-only',
    sentCopy: 'unknown',
    limits: {
      note: {
        en: 'Not published: one limit for 15 minutes, one for the day, one for the recipients of a mail. People report 50 to 200 mails a day.',
        'zh-CN': '未公布：15 分钟、每天及每封收件人数各有上限。用户反馈每天 50 至 200 封。',
      },
    },
    mailMaxBytes: 50 * MIB,
    notes: [
      {
        en: 'A free account may have only a few codes at a time. IMAP wants to know the program’s name (ID command).',
        'zh-CN': '免费账户同时只能有少量授权密码。IMAP 要求客户端表明名称（ID 命令）。',
      },
    ],
    confidence: 'high',
  };
};

/** Mailboxes for private people in China. */
export const CHINESE_PERSONAL: readonly ProviderData[] = [
  {
    id: 'qq',
    name: { en: 'QQ Mail', 'zh-CN': 'QQ 邮箱' },
    sites: [
      {
        domains: ['qq.com', 'vip.qq.com'],
        receivers: ['^mx[123]\\.qq\\.com$'],
        smtp: [tls('smtp.qq.com'), starttls('smtp.qq.com')],
        imap: imaps('imap.qq.com'),
      },
    ],
    spf: [],
    secrets: ['authorisation-code'],
    accountPassword: 'refused',
    steps: QQ_STEPS,
    page: 'https://mail.qq.com',
    from: 'login-only',
    sentCopy: 'setting',
    limits: QQ_LIMITS,
    mailMaxBytes: 50 * MIB,
    notes: [QQ_NOTE],
    confidence: 'high',
  },
  {
    id: 'foxmail',
    name: { en: 'Foxmail', 'zh-CN': 'Foxmail 邮箱' },
    sites: [
      {
        domains: ['foxmail.com'],
        // Received by QQ's servers, which speak for QQ: only the domain tells.
        receivers: [],
        smtp: [tls('smtp.qq.com'), starttls('smtp.qq.com')],
        imap: imaps('imap.qq.com'),
      },
    ],
    spf: [],
    secrets: ['authorisation-code'],
    accountPassword: 'refused',
    steps: QQ_STEPS,
    page: 'https://mail.qq.com',
    from: 'login-only',
    sentCopy: 'setting',
    limits: QQ_LIMITS,
    mailMaxBytes: 50 * MIB,
    notes: [
      {
        en: 'A second address of a QQ mailbox: its mails must come from the address that logs in.',
        'zh-CN': '是 QQ 邮箱的别名，发件人须与登录地址一致。',
      },
    ],
    confidence: 'high',
  },
  netease('163.com', 'netease-163'),
  netease('126.com', 'netease-126'),
  netease('yeah.net', 'netease-yeah'),
  {
    id: 'aliyun',
    name: { en: 'Aliyun Mail (personal)', 'zh-CN': '阿里云邮箱（个人版）' },
    sites: [
      {
        domains: ['aliyun.com', 'alibaba.com'],
        receivers: ['^mx[0-9]*\\.(mail\\.)?aliyun\\.com$'],
        smtp: [tls('smtp.aliyun.com')],
        imap: imaps('imap.aliyun.com'),
      },
    ],
    spf: [],
    secrets: ['password'],
    accountPassword: 'works',
    steps: { en: 'The password you log in to the mailbox with.', 'zh-CN': '使用登录邮箱的密码。' },
    page: null,
    from: 'login-only',
    sentCopy: 'unknown',
    limits: { note: { en: 'Per minute, hour and day; kept secret.', 'zh-CN': '按分钟、小时、天限制，未公开。' } },
    mailMaxBytes: null,
    confidence: 'medium',
  },
  {
    id: 'sina',
    name: { en: 'Sina Mail', 'zh-CN': '新浪邮箱' },
    sites: [
      {
        domains: ['sina.com', 'sina.cn', '2008.sina.com'],
        receivers: ['\\.sinamail\\.sina\\.com\\.cn$', '^freemx\\d?\\.sina'],
        smtp: [tls('smtp.sina.com')],
        imap: imaps('imap.sina.com'),
      },
      {
        domains: ['vip.sina.com'],
        receivers: [],
        smtp: [tls('smtp.vip.sina.com')],
        imap: imaps('imap.vip.sina.com'),
      },
    ],
    spf: [],
    secrets: ['authorisation-code'],
    accountPassword: 'refused',
    steps: {
      en: 'In the web mailbox’s settings, under client access (客户端), switch on IMAP and SMTP and make a 16-letter authorisation code (授权码).',
      'zh-CN': '在网页版设置的“客户端 pop/imap/smtp”中开启服务，并生成 16 位授权码。',
    },
    page: 'https://mail.sina.com.cn',
    from: 'login-only',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'medium',
  },
  {
    id: 'sohu',
    name: { en: 'Sohu Mail', 'zh-CN': '搜狐邮箱' },
    sites: [
      {
        domains: ['sohu.com'],
        receivers: ['(^|\\.)sohumx\\d?\\.h\\.a\\.sohu\\.com$', '(^|\\.)mx\\.mail\\.sohu\\.com$'],
        smtp: [tls('smtp.sohu.com')],
        imap: imaps('imap.sohu.com'),
      },
    ],
    spf: [],
    secrets: ['client-password'],
    accountPassword: 'unknown',
    steps: {
      en: 'In the web mailbox’s settings, switch on POP3/SMTP/IMAP and set the separate password for mail programs (独立密码).',
      'zh-CN': '在网页版设置中开启 POP3/SMTP/IMAP，并设置客户端独立密码。',
    },
    page: 'https://mail.sohu.com',
    from: 'login-only',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'low',
  },
  {
    id: '139',
    name: { en: '139 Mail (China Mobile)', 'zh-CN': '139 邮箱（中国移动）' },
    sites: [
      {
        domains: ['139.com'],
        receivers: ['^mx\\d?\\.mail\\.139\\.com$'],
        smtp: [tls('smtp.139.com')],
        imap: imaps('imap.139.com'),
      },
    ],
    spf: [],
    secrets: ['authorisation-code'],
    accountPassword: 'unknown',
    steps: {
      en: 'In the web mailbox’s settings, switch on access for mail programs and make their authorisation code (客户端授权码).',
      'zh-CN': '在网页版设置中开启客户端服务，并生成客户端授权码。',
    },
    page: 'https://mail.10086.cn',
    from: 'login-only',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'low',
  },
  {
    id: '189',
    name: { en: '189 Mail (China Telecom)', 'zh-CN': '189 邮箱（中国电信）' },
    sites: [
      {
        domains: ['189.cn'],
        receivers: ['^mta-189\\.21cn\\.com$', '\\.189\\.cn$'],
        smtp: [tls('smtp.189.cn')],
        imap: imaps('imap.189.cn'),
      },
    ],
    spf: [],
    secrets: ['password', 'client-password'],
    accountPassword: 'unknown',
    steps: {
      en: 'Try the password you log in with; where it is refused, make a password for mail programs in the web mailbox’s settings.',
      'zh-CN': '可先尝试登录密码；如被拒绝，请在网页版设置中生成客户端专用密码。',
    },
    page: 'https://webmail30.189.cn',
    from: 'login-only',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'low',
  },
];
