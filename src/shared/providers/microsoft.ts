import { imaps, starttls } from './endpoints.ts';
import type { ProviderData } from './provider.ts';

const MIB = 1024 * 1024;

/** The three clouds of Microsoft. */
export const MICROSOFT: readonly ProviderData[] = [
  {
    id: 'outlook-consumer',
    name: { en: 'Outlook.com, Hotmail, Live, MSN', 'zh-CN': 'Outlook.com、Hotmail、Live、MSN' },
    sites: [
      {
        domains: [
          ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'windowslive.com', 'passport.com', 'live.cn'],
          ...['outlook.cn', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.de', 'hotmail.it', 'hotmail.es', 'hotmail.co.jp'],
          ...['live.co.uk', 'live.fr', 'live.de', 'live.nl', 'live.jp', 'live.hk', 'outlook.de', 'outlook.fr'],
          ...['outlook.es', 'outlook.it', 'outlook.jp', 'outlook.kr', 'outlook.in', 'outlook.sg', 'outlook.my'],
          ...['outlook.co.id', 'outlook.co.th', 'outlook.com.br', 'outlook.com.au', 'outlook.com.vn'],
          ...['hotmail.com.hk', 'hotmail.com.tw'],
        ],
        receivers: ['\\.olc\\.protection\\.outlook\\.com$'],
        smtp: [starttls('smtp-mail.outlook.com'), starttls('smtp.office365.com')],
        imap: imaps('outlook.office365.com'),
      },
    ],
    spf: [],
    secrets: [],
    browserSignIn: 'microsoft',
    accountPassword: 'refused',
    steps: {
      en: 'Sign in with the browser: Microsoft takes no password and no app password from mail programs any more. IMAP must be switched on in the settings of the mailbox.',
      'zh-CN': '请通过浏览器登录：微软已不再接受邮件程序使用密码或应用专用密码。需在邮箱设置中开启 IMAP。',
    },
    page: 'https://outlook.live.com/mail/0/options/mail/forwarding',
    from: 'own-addresses',
    sentCopy: 'auto',
    limits: {
      recipientsPerDay: 5000,
      recipientsPerMail: 500,
      note: {
        en: 'For Microsoft 365 subscribers, of them 1,000 new recipients a day. Free accounts get far less, new ones perhaps 15 to 20 mails a day.',
        'zh-CN':
          '此为 Microsoft 365 订阅用户的数字，其中每天新收件人 1000 个。免费账户少得多，新账户每天可能只有 15 至 20 封。',
      },
    },
    mailMaxBytes: 25 * MIB,
    notes: [
      {
        en: 'Microsoft replaces the Message-ID of sent mails. The first sign-in may have to be approved in the account’s recent activity.',
        'zh-CN': '微软会替换已发邮件的 Message-ID。首次登录可能需要在账户活动页面确认。',
      },
    ],
    confidence: 'high',
  },
  {
    id: 'microsoft365',
    name: { en: 'Microsoft 365 (Exchange Online)', 'zh-CN': 'Microsoft 365（Exchange Online）' },
    sites: [
      {
        domains: ['onmicrosoft.com'],
        receivers: ['\\.mail\\.protection\\.outlook\\.com$', '\\.mx\\.microsoft$'],
        smtp: [starttls('smtp.office365.com')],
        imap: imaps('outlook.office365.com'),
      },
    ],
    spf: ['spf.protection.outlook.com'],
    secrets: ['password', 'app-password'],
    browserSignIn: 'microsoft',
    accountPassword: 'ending',
    steps: {
      en: 'Best sign in with the browser. A password works only as long as your organisation still allows it; an administrator must have “Authenticated SMTP” switched on for your mailbox in either case.',
      'zh-CN':
        '建议通过浏览器登录。密码仅在组织仍允许时可用；无论哪种方式，管理员都须为您的邮箱开启“经过身份验证的 SMTP”。',
    },
    page: 'https://admin.microsoft.com',
    from: 'own-addresses',
    sentCopy: 'auto',
    limits: {
      mailsPerMinute: 30,
      recipientsPerDay: 10_000,
      recipientsPerMail: 500,
      note: {
        en: 'Counted over the last 24 hours; at most three connections at a time.',
        'zh-CN': '按最近 24 小时计算；同时最多三个连接。',
      },
    },
    mailMaxBytes: 35 * MIB,
    notes: [
      {
        en: 'Login by password is switched off by default from the end of December 2026; an administrator can allow it again for a while. Microsoft replaces the Message-ID of sent mails.',
        'zh-CN': '自 2026 年 12 月底起默认关闭密码登录，管理员可暂时重新允许。微软会替换已发邮件的 Message-ID。',
      },
    ],
    confidence: 'high',
  },
  {
    id: 'microsoft365-21vianet',
    name: { en: 'Microsoft 365 in China (21Vianet)', 'zh-CN': '世纪互联 Microsoft 365' },
    sites: [
      {
        domains: ['partner.onmschina.cn'],
        receivers: ['\\.mail\\.protection\\.partner\\.outlook\\.cn$'],
        smtp: [starttls('smtp.partner.outlook.cn')],
        imap: imaps('partner.outlook.cn'),
      },
    ],
    spf: ['spf.protection.partner.outlook.cn'],
    secrets: ['password'],
    browserSignIn: 'microsoft-china',
    accountPassword: 'unknown',
    steps: {
      en: 'Try the mailbox password; where it is refused, ask your administrator to switch on authenticated SMTP for your mailbox.',
      'zh-CN': '可先尝试邮箱密码；如被拒绝，请管理员为您的邮箱开启经过身份验证的 SMTP。',
    },
    page: null,
    from: 'unknown',
    sentCopy: 'auto',
    mailMaxBytes: null,
    confidence: 'low',
  },
];
