import { imaps, starttls, tls, tls994 } from './endpoints.ts';
import type { ProviderData } from './provider.ts';

const MIB = 1024 * 1024;

const OVERSEAS = { en: 'from outside China', 'zh-CN': '在中国境外使用' };
const LARK_NUMBERS = {
  mailsPerDay: 450,
  note: {
    en: 'On the starter plan, of them 200 recipients outside the organisation a person and 500 the whole organisation. Counted anew at midnight.',
    'zh-CN': '此为基础版：每人每天外部收件人 200 个，整个组织 500 个，零点重新计数。',
  },
};
const LARK_STEPS = {
  en: 'In the mail settings, under third-party clients, make a password for this program. Your administrator must have allowed it.',
  'zh-CN': '在邮箱设置的“第三方客户端”中生成专用密码；需管理员先允许使用。',
};

/** Mailboxes of companies in China, under their own domains. */
export const CHINESE_BUSINESS: readonly ProviderData[] = [
  {
    id: 'exmail',
    name: { en: 'Tencent Exmail', 'zh-CN': '腾讯企业邮' },
    sites: [
      {
        domains: ['exmail.qq.com'],
        receivers: ['^mxbiz[12]\\.qq\\.com$'],
        smtp: [tls('smtp.exmail.qq.com'), tls('hwsmtp.exmail.qq.com', OVERSEAS)],
        imap: imaps('imap.exmail.qq.com'),
      },
    ],
    spf: ['spf.mail.qq.com'],
    secrets: ['client-password', 'password'],
    accountPassword: 'depends',
    steps: {
      en: 'Switch on IMAP/SMTP in the mailbox settings (收发信设置). With secure login (安全登录) on, make a client password (客户端专用密码) under 邮箱绑定; otherwise the mailbox password works. The administrator can forbid mail programs under 客户端访问限制.',
      'zh-CN':
        '在“收发信设置”中开启 IMAP/SMTP。若已开启安全登录，请在“邮箱绑定”中生成客户端专用密码，否则使用邮箱密码。管理员可在“安全管理 > 客户端访问限制”中设置允许范围。',
    },
    page: 'https://exmail.qq.com',
    from: 'login-only',
    sentCopy: 'setting',
    limits: {
      note: {
        en: 'Shared by the organisation, strangers only: 500 mails a day free of charge, 1,500 paid with fewer than 30 users, then 50 a user. Older numbers, changed by reputation.',
        'zh-CN':
          '整个组织共用，仅计陌生收件人：免费版每天 500 封，付费且少于 30 人 1500 封，30 人起每人 50 封。数字较旧，并随信誉调整。',
      },
    },
    mailMaxBytes: 50 * MIB,
    notes: [
      {
        en: 'The Sent folder keeps a copy where 保存已发送邮件到服务器 is on.',
        'zh-CN': '开启“保存已发送邮件到服务器”后才会保留已发送副本。',
      },
    ],
    confidence: 'medium',
  },
  {
    id: 'netease-qiye',
    name: { en: 'NetEase business mail', 'zh-CN': '网易企业邮箱' },
    sites: [
      {
        domains: ['qiye.163.com'],
        receivers: [
          '^(qiye163mx0\\d|hzmx0\\d|hwmx0\\d)\\.mxmail\\.netease\\.com$',
          '(^|\\.)qiye\\.163\\.com$',
          '^mx\\.ym\\.163\\.com$',
        ],
        smtp: [
          tls('smtp.qiye.163.com'),
          tls994('smtp.qiye.163.com'),
          tls('hwhzsmtp.qiye.163.com', OVERSEAS),
          tls994('smtphz.qiye.163.com', {
            en: 'for the Hangzhou cluster and free ym.163.com domains',
            'zh-CN': '杭州集群及免费 ym.163.com 域名',
          }),
        ],
        imap: imaps('imap.qiye.163.com'),
      },
    ],
    spf: ['spf.163.com', 'spf.qiye.163.com'],
    secrets: ['client-password', 'password'],
    accountPassword: 'depends',
    steps: {
      en: 'In the web mailbox’s settings, bind a phone and make an authorisation password for mail programs (客户端授权密码). Where your company does not demand it, the mailbox password works.',
      'zh-CN': '在网页版设置中绑定手机并生成客户端授权密码；若公司未强制要求，可直接使用邮箱密码。',
    },
    page: 'https://qiye.163.com',
    from: 'login-only',
    sentCopy: 'unknown',
    limits: {
      note: {
        en: 'Not published for paid plans; 100 mails a day are reported for the free one.',
        'zh-CN': '付费版未公布；免费版有每天 100 封的反馈。',
      },
    },
    mailMaxBytes: 50 * MIB,
    notes: [
      {
        en: 'The reply DOMAINNOTEXIST means that the account lives in another cluster: take the other server. IPDENY means that the administrator allows certain networks only.',
        'zh-CN': '返回 DOMAINNOTEXIST 表示账户在另一集群，请换用另一服务器；IPDENY 表示管理员限制了 IP。',
      },
    ],
    confidence: 'medium',
  },
  {
    id: 'aliyun-qiye',
    name: { en: 'Alibaba Mail (business)', 'zh-CN': '阿里企业邮箱' },
    sites: [
      {
        domains: [],
        receivers: [
          '^mx[1-3]\\.(qiye|sg|hk|de|us)\\.aliyun\\.com$',
          '^mx[nw]\\.mxhichina\\.com$',
          '(^|\\.)mxhichina\\.com$',
        ],
        smtp: [tls('smtp.qiye.aliyun.com'), tls('smtp.mxhichina.com', { en: 'the older name', 'zh-CN': '旧服务器名' })],
        imap: imaps('imap.qiye.aliyun.com'),
      },
    ],
    spf: ['spf.qiye.aliyun.com', 'spf.mxhichina.com'],
    secrets: ['client-password', 'password'],
    accountPassword: 'depends',
    steps: {
      en: 'Where your company demands it, make a security password for third-party clients (三方客户端安全密码) in the mailbox settings; otherwise the login password works. With new customers the administrator must first allow mail programs (安全管理 > 账号安全策略).',
      'zh-CN':
        '若公司强制要求，请在邮箱设置中生成三方客户端安全密码，否则使用登录密码。新客户需管理员先在“安全管理 > 账号安全策略”中允许三方客户端。',
    },
    page: 'https://qiye.aliyun.com',
    from: 'login-only',
    sentCopy: 'unknown',
    limits: {
      note: {
        en: 'Per minute, hour and day; kept secret. The free edition also limits the whole domain. 200 to 500 mails a day are reported.',
        'zh-CN': '按分钟、小时、天限制，未公开；免费版还限制整个域名。有每天 200 至 500 封的反馈。',
      },
    },
    mailMaxBytes: null,
    notes: [{ en: 'A wrong password is answered with 526 instead of 535.', 'zh-CN': '密码错误时返回 526，而非 535。' }],
    confidence: 'high',
  },
  {
    id: 'feishu',
    name: { en: 'Feishu Mail', 'zh-CN': '飞书邮箱' },
    sites: [
      {
        domains: [],
        receivers: ['^mx[1-3]\\.feishu\\.cn$'],
        smtp: [tls('smtp.feishu.cn'), starttls('smtp.feishu.cn')],
        imap: imaps('imap.feishu.cn'),
      },
    ],
    spf: ['spf.feishu.cn'],
    secrets: ['client-password'],
    accountPassword: 'refused',
    steps: LARK_STEPS,
    page: null,
    from: 'login-only',
    sentCopy: 'unknown',
    limits: LARK_NUMBERS,
    mailMaxBytes: null,
    confidence: 'medium',
  },
  {
    id: 'lark',
    name: { en: 'Lark Mail', 'zh-CN': 'Lark 邮箱（飞书国际版）' },
    sites: [
      {
        domains: [],
        receivers: ['^mx[1-3]\\.(larksuite|onlarksuite)\\.com$'],
        smtp: [tls('smtp.larksuite.com'), starttls('smtp.larksuite.com')],
        imap: imaps('imap.larksuite.com'),
      },
    ],
    spf: ['spf.onlarksuite.com'],
    secrets: ['client-password'],
    accountPassword: 'refused',
    steps: LARK_STEPS,
    page: null,
    from: 'login-only',
    sentCopy: 'unknown',
    limits: LARK_NUMBERS,
    mailMaxBytes: null,
    confidence: 'medium',
  },
  {
    id: 'huawei-sparkspace',
    name: { en: 'Huawei Cloud business mail', 'zh-CN': '华为云企业邮箱' },
    sites: [
      {
        domains: [],
        receivers: ['^mx[12]\\.sparkspace\\.huaweicloud\\.com$'],
        smtp: [tls('smtp.sparkspace.huaweicloud.com')],
        imap: imaps('imap.sparkspace.huaweicloud.com'),
      },
    ],
    spf: ['spf.sparkspace.huaweicloud.com'],
    secrets: ['password'],
    accountPassword: 'unknown',
    steps: {
      en: 'Try the password of the mailbox; where it is refused, ask your administrator whether mail programs are allowed.',
      'zh-CN': '可先尝试邮箱密码；如被拒绝，请向管理员确认是否允许使用邮件客户端。',
    },
    page: null,
    from: 'unknown',
    sentCopy: 'unknown',
    mailMaxBytes: null,
    confidence: 'medium',
  },
];
