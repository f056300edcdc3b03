import type { CheckProgress, CheckStep } from '../../account-check.ts';
import type { SecretKind } from '../../providers/provider.ts';
import { CHECK_TEXTS } from '../check-texts.ts';
import { DISCOVERY_TEXTS } from '../discovery-texts.ts';
import type { Language } from '../language.ts';

export type Security = 'tls' | 'starttls' | 'none';

/** Set-up in three steps; the account's form is shown in the settings too. */
export type SetUpTexts = {
  readonly title: string;
  readonly stepOf: (step: number, name: string) => string;
  readonly steps: readonly [string, string, string];
  readonly stepsLabel: string;
  readonly stepBack: string;
  readonly connect: {
    readonly title: string;
    readonly intro: string;
    readonly address: string;
    readonly addressHint: string;
    readonly addressWrong: string;
    readonly code: string;
    readonly codeHint: string;
    readonly codeMissing: string;
    readonly connect: string;
    readonly connecting: string;
    readonly linkTaken: string;
    readonly connected: (user: string, cloud: string) => string;
    readonly again: string;
    readonly next: string;
  };
  readonly account: {
    readonly title: string;
    readonly intro: string;
    readonly address: string;
    readonly addressWrong: string;
    readonly name: string;
    readonly nameNone: string;
    readonly secret: Record<SecretKind, string>;
    readonly secretHint: Record<SecretKind, string>;
    readonly secretMissing: string;
    readonly secretKept: string;
    readonly showSecret: string;
    readonly signInWith: (provider: string) => string;
    readonly signInHint: (provider: string) => string;
    readonly signInKept: (provider: string) => string;
    readonly passwordInstead: string;
    readonly signingIn: string;
    readonly stopSignIn: string;
    readonly server: string;
    /** `source`: how it is known; null where a person typed it. */
    readonly serverFound: (host: string, port: number, source: string | null) => string;
    readonly looking: string;
    readonly takeServer: string;
    readonly serverUnknown: string;
    readonly serverOffline: string;
    readonly offline: string;
    readonly serverLater: string;
    readonly host: string;
    readonly hostWrong: string;
    readonly port: string;
    readonly portWrong: string;
    readonly security: string;
    readonly securityKinds: Record<Security, string>;
    readonly userName: string;
    readonly userNameHint: string;
    readonly more: string;
    readonly caFile: string;
    readonly caFileHint: string;
    readonly imapHost: string;
    readonly imapHostHint: string;
    readonly imapHostWrong: string;
    readonly openPage: (host: string) => string;
    readonly check: string;
    readonly checking: string;
    readonly checkSteps: Record<CheckStep, string>;
    readonly checkStates: Record<CheckProgress['state'], string>;
    readonly testMail: string;
    readonly testMailHint: string;
    readonly works: (address: string) => string;
    readonly worksAlready: (address: string) => string;
    readonly change: string;
    readonly next: string;
  };
  readonly done: {
    readonly title: string;
    readonly intro: string;
    readonly startAtLogin: string;
    readonly startAtLoginHint: string;
    readonly hoursHint: string;
    readonly finish: string;
  };
};

export const SET_UP_TEXTS: Record<Language, SetUpTexts> = {
  en: {
    title: 'Set-up',
    stepOf: (step, name) => `Step ${step} of 3: ${name}`,
    steps: ['Connect', 'Mail account', 'Done'],
    stepsLabel: 'Steps',
    stepBack: 'Back',
    connect: {
      title: 'Connect to your office',
      intro: 'Your office gave you a link, or an address and a pairing code. Paste the link, or enter both.',
      address: 'Link or cloud address',
      addressHint: 'For example https://mail.example.com',
      addressWrong: 'Enter the address as your office gave it. It begins with https://',
      code: 'Pairing code',
      codeHint: 'Works once and only for a short time',
      codeMissing: 'Enter the pairing code.',
      connect: 'Connect',
      connecting: 'Connecting to the cloud…',
      linkTaken: 'The link has filled in both fields.',
      connected: (user, cloud) => `Connected to ${cloud} for ${user}.`,
      again: 'Connect with another code',
      next: 'Go on to the mail account',
    },
    account: {
      title: 'Your mail account',
      intro: 'Mails leave through your own mailbox. The password stays in the keychain of this computer.',
      address: 'Mail address',
      addressWrong: 'Enter your whole mail address, with the part after the @.',
      name: 'Your name, as recipients see it',
      nameNone: 'not given',
      secret: DISCOVERY_TEXTS.en.secret,
      secretHint: {
        password: 'The password of your mailbox',
        'authorisation-code':
          'Not the password you log in with: make a code in the settings of your mailbox, under client access',
        'app-password':
          'Not the password you log in with: make an app password in the security settings of your mailbox',
        'client-password': 'A password for mail programs, made in the settings of your mailbox',
        'bridge-password': 'The password that Bridge shows for this mailbox',
      },
      secretMissing: 'Enter it here. It is needed for the check.',
      secretKept: 'Left empty, the one in the keychain stays.',
      showSecret: 'Show',
      signInWith: (provider) => `Sign in with ${provider}`,
      signInHint: (provider) =>
        `You sign in on ${provider}’s own page in your browser. This program never sees your password.`,
      signInKept: (provider) => `You are signed in at ${provider}. Sign in again only if mails no longer leave.`,
      passwordInstead: 'Use a password instead',
      signingIn: 'Your browser is open. Sign in there, then come back.',
      stopSignIn: 'Stop',
      server: 'Mail server',
      serverFound: (host, port, source) => `${host}, port ${port}${source === null ? '' : ` (${source})`}`,
      looking: 'Looking for your mail server…',
      takeServer: 'Yes, use this server',
      serverOffline: 'No network just now',
      offline:
        'This computer has no network just now, so the mail server cannot be looked for. Connect it and try again.',
      serverUnknown: 'The server for this address is not known. Your provider or your office can name it.',
      serverLater: 'Filled in from your address',
      host: 'Server name',
      hostWrong: 'Enter the name of the server, such as smtp.example.com.',
      port: 'Port',
      portWrong: 'A number from 1 to 65535, mostly 465 or 587.',
      security: 'Protection',
      securityKinds: {
        tls: 'Encrypted from the start (TLS)',
        starttls: 'Encrypted after greeting (STARTTLS)',
        none: 'None, on this computer only',
      },
      userName: 'User name',
      userNameHint: 'Mostly the mail address itself',
      more: 'Seldom needed',
      caFile: 'Certificate file',
      caFileHint: 'The full path of the file, only where your office gave you one',
      imapHost: 'Server for reading (IMAP)',
      imapHostHint:
        'May stay empty. With it replies and returned mails are noticed, and a mail in doubt can be looked for.',
      imapHostWrong: 'Enter the name of the server, such as imap.example.com, or leave it empty.',
      openPage: DISCOVERY_TEXTS.en.openPage,
      check: 'Check and save',
      checking: 'Checking your mail account…',
      checkSteps: CHECK_TEXTS.en.steps,
      checkStates: { running: 'Under way', done: 'Good', failed: 'Failed', unclear: 'Not clear' },
      testMail: 'Send a test mail to myself',
      testMailHint: 'Shows that mails really leave, and whether your provider keeps a copy in the Sent folder',
      works: (address) => `The login works. ${address} is saved.`,
      worksAlready: (address) => `${address} is saved and its login worked.`,
      change: 'Change the account',
      next: 'Go on',
    },
    done: {
      title: 'Ready to send',
      intro: 'When a batch is confirmed in the cloud, its mails arrive here and leave one by one, at a calm pace.',
      startAtLogin: 'Start when I log in',
      startAtLoginHint: 'Mails leave only while this program runs.',
      hoursHint: 'All of this, and the pace, can be changed in Settings.',
      finish: 'Finish',
    },
  },
  'zh-CN': {
    title: '初始设置',
    stepOf: (step, name) => `第 ${step} 步（共 3 步）：${name}`,
    steps: ['连接', '邮箱账户', '完成'],
    stepsLabel: '步骤',
    stepBack: '上一步',
    connect: {
      title: '连接到公司云端',
      intro: '公司会给您一个链接，或一个地址和配对码。粘贴链接，或分别填写两项。',
      address: '链接或云端地址',
      addressHint: '例如 https://mail.example.com',
      addressWrong: '请按公司提供的内容填写地址，以 https:// 开头。',
      code: '配对码',
      codeHint: '只能使用一次，且很快失效',
      codeMissing: '请填写配对码。',
      connect: '连接',
      connecting: '正在连接云端……',
      linkTaken: '已根据链接填好两项。',
      connected: (user, cloud) => `已为 ${user} 连接到 ${cloud}。`,
      again: '使用新的配对码连接',
      next: '继续设置邮箱账户',
    },
    account: {
      title: '您的邮箱账户',
      intro: '邮件通过您自己的邮箱发出，密码只保存在本机的钥匙串中。',
      address: '邮箱地址',
      addressWrong: '请填写完整的邮箱地址，包括 @ 之后的部分。',
      name: '显示给收件人的姓名',
      nameNone: '未填写',
      secret: DISCOVERY_TEXTS['zh-CN'].secret,
      secretHint: {
        password: '您邮箱的密码',
        'authorisation-code': '不是登录密码：请在邮箱设置中开启客户端服务并生成授权码',
        'app-password': '不是登录密码：请在邮箱的安全设置中生成应用专用密码',
        'client-password': '供邮件客户端使用的密码，在邮箱设置中生成',
        'bridge-password': 'Bridge 为此邮箱显示的密码',
      },
      secretMissing: '请在此填写，检查时需要用到。',
      secretKept: '留空则继续使用钥匙串中已保存的内容。',
      showSecret: '显示',
      signInWith: (provider) => `使用 ${provider} 登录`,
      signInHint: (provider) => `您将在浏览器中 ${provider} 的官方页面登录，本程序不会看到您的密码。`,
      signInKept: (provider) => `您已登录 ${provider}。只有在无法发信时才需要重新登录。`,
      passwordInstead: '改用密码',
      signingIn: '浏览器已打开，请在其中登录后返回。',
      stopSignIn: '停止',
      server: '邮件服务器',
      serverFound: (host, port, source) => `${host}，端口 ${port}${source === null ? '' : `（${source}）`}`,
      looking: '正在查找您的邮件服务器……',
      takeServer: '是，使用此服务器',
      serverOffline: '目前没有网络',
      offline: '本机目前没有网络，无法查找邮件服务器。请连接网络后重试。',
      serverUnknown: '无法识别此地址的服务器，请向邮箱服务商或公司询问。',
      serverLater: '将根据邮箱地址自动填写',
      host: '服务器名称',
      hostWrong: '请填写服务器名称，例如 smtp.example.com。',
      port: '端口',
      portWrong: '请填写 1 到 65535 之间的数字，通常为 465 或 587。',
      security: '加密方式',
      securityKinds: {
        tls: '全程加密（TLS）',
        starttls: '握手后加密（STARTTLS）',
        none: '不加密，仅限本机',
      },
      userName: '用户名',
      userNameHint: '通常就是邮箱地址',
      more: '很少用到',
      caFile: '证书文件',
      caFileHint: '文件的完整路径，仅在公司提供了证书文件时填写',
      imapHost: '收件服务器（IMAP）',
      imapHostHint: '可以不填。填写后可发现回复和退信，并查找不确定是否发出的邮件。',
      imapHostWrong: '请填写服务器名称，例如 imap.example.com，或留空。',
      openPage: DISCOVERY_TEXTS['zh-CN'].openPage,
      check: '检查并保存',
      checking: '正在检查您的邮箱账户……',
      checkSteps: CHECK_TEXTS['zh-CN'].steps,
      checkStates: { running: '进行中', done: '正常', failed: '失败', unclear: '不明确' },
      testMail: '给自己发一封测试邮件',
      testMailHint: '确认邮件确实能发出，并了解服务商是否在“已发送”中保留副本',
      works: (address) => `登录成功，${address} 已保存。`,
      worksAlready: (address) => `${address} 已保存，登录检查已通过。`,
      change: '更改账户',
      next: '继续',
    },
    done: {
      title: '可以开始发送了',
      intro: '云端确认一批邮件后，邮件会到达本机，并按平稳的节奏逐封发出。',
      startAtLogin: '开机时自动启动',
      startAtLoginHint: '只有本程序运行时才会发送邮件。',
      hoursHint: '以上选项和发送节奏以后都可以在“设置”中更改。',
      finish: '完成设置',
    },
  },
};
