import { imaps, starttls, tls } from './endpoints.ts';
import type { ProviderData } from './provider.ts';

const MIB = 1024 * 1024;

const GMAIL_SMTP = [tls('smtp.gmail.com'), starttls('smtp.gmail.com')];
const ALIAS_NOTE = {
  en: 'A From address that Google has not verified for the account is replaced by the account’s own.',
  'zh-CN': '未在谷歌账户中验证的发件人地址会被替换为账户本身的地址。',
};
const GOOGLE_IN_CHINA = {
  en: 'Cannot be reached from mainland China without a proxy.',
  'zh-CN': '在中国大陆需要通过代理才能连接。',
};

/** Providers that serve the world. */
export const INTERNATIONAL: readonly ProviderData[] = [
  {
    id: 'gmail',
    name: { en: 'Gmail', 'zh-CN': 'Gmail' },
    sites: [
      {
        domains: ['gmail.com', 'googlemail.com'],
        receivers: ['(^|\\.)gmail-smtp-in\\.l\\.google\\.com$'],
        smtp: GMAIL_SMTP,
        imap: imaps('imap.gmail.com'),
      },
    ],
    spf: [],
    secrets: ['app-password'],
    browserSignIn: 'google',
    accountPassword: 'refused',
    steps: {
      en: 'Switch on 2-Step Verification in your Google account, then make an app password there. It has 16 letters.',
      'zh-CN': '先在谷歌账户中开启两步验证，再生成 16 个字母的应用专用密码。',
    },
    page: 'https://myaccount.google.com/apppasswords',
    from: 'rewritten',
    sentCopy: 'auto',
    limits: {
      mailsPerDay: 500,
      recipientsPerMail: 100,
      note: {
        en: 'Counted over the last 24 hours; beyond it the account is blocked for 1 to 24 hours.',
        'zh-CN': '按最近 24 小时计算，超出后账户会被限制 1 至 24 小时。',
      },
    },
    mailMaxBytes: 25 * MIB,
    notes: [ALIAS_NOTE, GOOGLE_IN_CHINA],
    confidence: 'high',
  },
  {
    id: 'google-workspace',
    name: { en: 'Google Workspace', 'zh-CN': 'Google Workspace（企业版 Gmail）' },
    sites: [
      {
        domains: [],
        receivers: [
          '^(alt[1-4]\\.)?aspmx\\.l\\.google\\.com$',
          '^aspmx[2-5]\\.googlemail\\.com$',
          '^smtp\\.google\\.com$',
        ],
        smtp: GMAIL_SMTP,
        imap: imaps('imap.gmail.com'),
      },
    ],
    spf: ['_spf.google.com'],
    secrets: ['app-password'],
    browserSignIn: 'google',
    accountPassword: 'refused',
    steps: {
      en: 'Switch on 2-Step Verification, then make an app password. Your administrator may have to allow it.',
      'zh-CN': '先开启两步验证，再生成应用专用密码；管理员可能需要先允许使用。',
    },
    page: 'https://myaccount.google.com/apppasswords',
    from: 'rewritten',
    sentCopy: 'auto',
    limits: {
      mailsPerDay: 2000,
      recipientsPerDay: 10_000,
      recipientsPerMail: 100,
      note: {
        en: 'At most 3,000 recipients a day outside the organisation; 500 mails a day while on trial.',
        'zh-CN': '每天组织外收件人最多 3000 个；试用期每天 500 封。',
      },
    },
    mailMaxBytes: 25 * MIB,
    notes: [ALIAS_NOTE, GOOGLE_IN_CHINA],
    confidence: 'high',
  },
  {
    id: 'yahoo',
    name: { en: 'Yahoo Mail', 'zh-CN': '雅虎邮箱' },
    sites: [
      {
        domains: [
          ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de'],
          ...['yahoo.it', 'yahoo.es', 'yahoo.ca', 'yahoo.co.in', 'yahoo.com.br', 'yahoo.com.au', 'yahoo.com.mx'],
          ...['yahoo.com.ar', 'yahoo.com.hk', 'yahoo.com.tw', 'yahoo.com.sg'],
        ],
        receivers: ['\\.yahoodns\\.net$'],
        smtp: [tls('smtp.mail.yahoo.com'), starttls('smtp.mail.yahoo.com')],
        imap: imaps('imap.mail.yahoo.com'),
      },
    ],
    spf: [],
    secrets: ['app-password'],
    browserSignIn: 'other',
    accountPassword: 'refused',
    steps: {
      en: 'Open the security settings of your Yahoo account and make an app password.',
      'zh-CN': '在雅虎账户的安全设置中生成应用专用密码。',
    },
    page: 'https://login.yahoo.com/account/security',
    from: 'unknown',
    sentCopy: 'likely-auto',
    limits: {
      mailsPerDay: 500,
      recipientsPerMail: 100,
      note: {
        en: 'The numbers of the business plan, where each recipient counts; none are published for private mailboxes.',
        'zh-CN': '此为企业版的数字，按收件人计数；个人邮箱未公布。',
      },
    },
    mailMaxBytes: 25 * MIB,
    notes: [{ en: 'yahoo.co.jp belongs to another company.', 'zh-CN': 'yahoo.co.jp 属于另一家公司。' }],
    confidence: 'medium',
  },
  {
    id: 'icloud',
    name: { en: 'iCloud Mail', 'zh-CN': 'iCloud 邮箱' },
    sites: [
      {
        domains: ['icloud.com', 'me.com', 'mac.com'],
        receivers: ['^mx0[12]\\.mail\\.icloud\\.com$'],
        smtp: [starttls('smtp.mail.me.com')],
        imap: imaps('imap.mail.me.com'),
      },
    ],
    spf: ['icloud.com'],
    imapUserName: 'local-part',
    secrets: ['app-password'],
    accountPassword: 'refused',
    steps: {
      en: 'Sign in to your Apple Account and make an app-specific password under Sign-In and Security.',
      'zh-CN': '登录 Apple 账户，在“登录与安全”中生成 App 专用密码。',
    },
    page: 'https://account.apple.com',
    from: 'unknown',
    sentCopy: 'likely-none',
    limits: { mailsPerDay: 1000, recipientsPerDay: 1000, recipientsPerMail: 500 },
    mailMaxBytes: 20 * MIB,
    notes: [
      {
        en: 'With a domain of your own, log in with the iCloud address.',
        'zh-CN': '使用自有域名时，请用 iCloud 地址登录。',
      },
    ],
    confidence: 'high',
  },
  {
    id: 'zoho',
    name: { en: 'Zoho Mail', 'zh-CN': 'Zoho 邮箱' },
    sites: [
      zohoSite(['zoho.com', 'zohomail.com'], null, 'smtp.zoho.com', 'imap.zoho.com'),
      zohoSite(['zoho.eu', 'zohomail.eu'], 'eu', 'smtp.zoho.eu', 'imap.zoho.eu'),
      zohoSite(['zoho.in', 'zohomail.in'], 'in', 'smtp.zoho.in', 'imap.zoho.in'),
      zohoSite(['zohomail.cn'], 'com\\.cn', 'smtp.zoho.com.cn', 'imap.zoho.com.cn'),
      zohoSite([], '(com|jp|ca|com\\.au|sa)', 'smtppro.zoho.com', 'imap.zoho.com'),
    ],
    spf: ['zoho.com', 'zoho.eu', 'zohomail.com'],
    secrets: ['app-password', 'password'],
    browserSignIn: 'other',
    accountPassword: 'depends',
    steps: {
      en: 'Switch on IMAP and SMTP access in the mail settings. With two-factor login, make an app-specific password in the account’s security settings; without it the mailbox password works.',
      'zh-CN':
        '在邮箱设置中开启 IMAP/SMTP 访问。开启双重验证时，请在账户安全设置中生成应用专用密码；未开启时可直接使用邮箱密码。',
    },
    page: 'https://accounts.zoho.com/home#security/app_password',
    from: 'own-addresses',
    sentCopy: 'setting',
    limits: {
      note: {
        en: 'Between 50 and 500 mails an hour to the outside, by reputation; 100 recipients a mail on the free plan, 150 on paid ones.',
        'zh-CN': '每小时对外 50 至 500 封，视信誉而定；每封收件人免费版 100 个，付费版 150 个。',
      },
    },
    mailMaxBytes: null,
    notes: [
      {
        en: 'The server depends on the data centre of the account. The free plan has no access for mail programs.',
        'zh-CN': '服务器取决于账户所在的数据中心。免费版不支持邮件客户端。',
      },
    ],
    confidence: 'medium',
  },
  {
    id: 'fastmail',
    name: { en: 'Fastmail', 'zh-CN': 'Fastmail' },
    sites: [
      {
        domains: ['fastmail.com', 'fastmail.fm', 'fastmail.cn', 'fastmail.net', 'sent.com', 'eml.cc'],
        receivers: ['^in[12]-smtp\\.messagingengine\\.com$'],
        smtp: [tls('smtp.fastmail.com'), starttls('smtp.fastmail.com')],
        imap: imaps('imap.fastmail.com'),
      },
    ],
    spf: ['spf.messagingengine.com'],
    secrets: ['app-password'],
    browserSignIn: 'other',
    accountPassword: 'refused',
    steps: {
      en: 'Make an app password in Settings, under Privacy & Security, with access to SMTP and IMAP.',
      'zh-CN': '在设置的“隐私与安全”中生成应用专用密码，并允许 SMTP 和 IMAP。',
    },
    page: 'https://app.fastmail.com/settings/security/apps',
    from: 'unknown',
    sentCopy: 'none',
    limits: {
      note: { en: 'Fair use, by plan.', 'zh-CN': '合理使用，取决于套餐。' },
    },
    mailMaxBytes: 70 * MIB,
    confidence: 'medium',
  },
  {
    id: 'proton-bridge',
    name: { en: 'Proton Mail through Bridge', 'zh-CN': 'Proton Mail（通过 Bridge）' },
    sites: [
      {
        domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
        receivers: ['^mail(sec)?\\.protonmail\\.ch$'],
        smtp: [
          { host: '127.0.0.1', port: 1025, security: 'starttls' },
          starttls('smtp.protonmail.ch', {
            en: 'without Bridge, by an SMTP token: paid plans with a domain of their own',
            'zh-CN': '不使用 Bridge，凭 SMTP 令牌：仅限使用自有域名的付费套餐',
          }),
        ],
        imap: { host: '127.0.0.1', port: 1143, security: 'starttls' },
      },
    ],
    spf: ['_spf.protonmail.ch'],
    secrets: ['bridge-password'],
    accountPassword: 'refused',
    steps: {
      en: 'Install Proton Mail Bridge on this computer, log in there, export its certificate, and take the password that Bridge shows for the mailbox.',
      'zh-CN': '在本机安装 Proton Mail Bridge 并登录，导出其证书，再使用 Bridge 为该邮箱显示的密码。',
    },
    page: 'https://proton.me/mail/bridge',
    from: 'unknown',
    sentCopy: 'auto',
    mailMaxBytes: null,
    notes: [
      {
        en: 'Bridge makes its own certificate: name its exported file as the account’s authority. The ports can be changed in Bridge.',
        'zh-CN': 'Bridge 使用自己的证书：请将导出的证书文件设为该账户信任的证书。端口可在 Bridge 中更改。',
      },
    ],
    confidence: 'medium',
  },
  {
    id: 'gmx',
    name: { en: 'GMX', 'zh-CN': 'GMX' },
    sites: [
      {
        domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
        receivers: ['(^|\\.)mx0[01]\\.(emig\\.)?gmx\\.net$'],
        smtp: [tls('mail.gmx.net'), starttls('mail.gmx.net')],
        imap: imaps('imap.gmx.net'),
      },
      {
        domains: ['gmx.com', 'gmx.co.uk', 'gmx.us', 'gmx.fr', 'gmx.es', 'gmx.cn'],
        receivers: ['(^|\\.)mx0[01]\\.gmx\\.com$'],
        smtp: [tls('mail.gmx.com'), starttls('mail.gmx.com')],
        imap: imaps('imap.gmx.com'),
      },
    ],
    spf: [],
    secrets: ['password', 'app-password'],
    accountPassword: 'depends',
    steps: {
      en: 'Switch on POP3 and IMAP access in the settings of the mailbox. With two-factor login, make an app password as well.',
      'zh-CN': '先在邮箱设置中开启 POP3/IMAP 访问。开启双重验证时还需生成应用专用密码。',
    },
    page: null,
    from: 'unknown',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'medium',
  },
  {
    id: 'yandex',
    name: { en: 'Yandex Mail', 'zh-CN': 'Yandex 邮箱' },
    sites: [
      {
        domains: ['yandex.ru', 'yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua', 'narod.ru'],
        receivers: ['^mx\\.yandex\\.(net|ru)$'],
        smtp: [tls('smtp.yandex.com'), starttls('smtp.yandex.com')],
        imap: imaps('imap.yandex.com'),
      },
    ],
    spf: ['_spf.yandex.net'],
    secrets: ['app-password'],
    browserSignIn: 'other',
    accountPassword: 'refused',
    steps: {
      en: 'Allow mail programs (IMAP) in the mail settings, then make an app password for “Mail” in your Yandex ID.',
      'zh-CN': '在邮箱设置中允许邮件程序（IMAP），再在 Yandex ID 中为“Mail”生成应用专用密码。',
    },
    page: 'https://id.yandex.com/security/app-passwords',
    from: 'own-addresses',
    sentCopy: 'unknown',
    limits: {
      mailsPerDay: 500,
      recipientsPerDay: 500,
      recipientsPerMail: 35,
      note: {
        en: 'Beyond it the account is blocked for 24 hours, and each further try starts those anew.',
        'zh-CN': '超出后限制 24 小时，期间每次尝试都会重新计时。',
      },
    },
    mailMaxBytes: null,
    confidence: 'medium',
  },
];

/** `end`: the end of the receiving servers' names, null for none. */
function zohoSite(domains: string[], end: string | null, smtp: string, imap: string): ProviderData['sites'][number] {
  return {
    domains,
    receivers: end === null ? [] : [`^mx[23]?\\.zoho(mail|corp|cloud)?\\.${end}$`],
    smtp: [tls(smtp), starttls(smtp)],
    imap: imaps(imap),
  };
}
