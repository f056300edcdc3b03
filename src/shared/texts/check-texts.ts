import type { CheckStep } from '../account-check.ts';
import type { TroubleTexts } from './check-trouble.ts';
import { CHECK_TROUBLE_EN } from './check-trouble-en.ts';
import { CHECK_TROUBLE_ZH } from './check-trouble-zh.ts';
import type { Language } from './language.ts';

export type CheckTexts = {
  readonly steps: Record<CheckStep, string>;
  readonly trouble: TroubleTexts;
  readonly signedIn: (provider: string) => string;
  /** What the browser shows when it has come back. */
  readonly signInPages: { readonly done: string; readonly failed: string };
  readonly address: (address: string) => string;
  readonly connected: (host: string, port: number) => string;
  readonly certificate: (facts: {
    readonly subject: string;
    readonly issuer: string;
    readonly validToMs: number;
  }) => string;
  readonly notEncrypted: string;
  readonly loggedIn: (userName: string) => string;
  readonly senderTaken: (address: string) => string;
  readonly size: (megabytes: number | null) => string;
  readonly letters: (answer: 'yes' | 'no') => string;
  readonly testMail: { readonly subject: string; readonly body: string };
  readonly testMailTaken: (address: string) => string;
  readonly savesCopy: Record<'yes' | 'no' | 'unknown', string>;
  readonly keepsMessageId: Record<'yes' | 'no' | 'unknown', string>;
  /** The folders could not be looked at; sending is not touched by it. */
  readonly mailboxUnread: (why: MailboxTrouble) => string;
  readonly noMailbox: string;
  /** The port that was asked for does not answer, and the server is tried at this one. */
  readonly otherDoor: (host: string, port: number) => string;
};

/** Why the folders could not be read. */
type MailboxTrouble = 'unreachable' | 'login' | 'no-folder' | 'refused' | 'busy' | 'no-credentials' | 'stopped';

const MAILBOX_EN: Record<MailboxTrouble, string> = {
  unreachable: 'their server does not answer',
  login: 'their server refused the login; switch on IMAP in the settings of your mailbox',
  'no-folder': 'there is no folder for sent mails',
  refused: 'their server does not show them',
  busy: 'their server is busy',
  'no-credentials': 'the password could not be read',
  stopped: 'there was not enough time',
};
const MAILBOX_ZH: Record<MailboxTrouble, string> = {
  unreachable: '收件服务器没有响应',
  login: '收件服务器拒绝了登录，请在邮箱设置中开启 IMAP',
  'no-folder': '没有“已发送”文件夹',
  refused: '收件服务器不允许查看',
  busy: '收件服务器繁忙',
  'no-credentials': '无法读取密码',
  stopped: '时间不足',
};

const day = (atMs: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(atMs);

export const CHECK_TEXTS: Record<Language, CheckTexts> = {
  en: {
    steps: {
      'sign-in': 'Sign in with your browser',
      dns: 'Look up the mail server',
      tcp: 'Connect',
      tls: 'Encrypt and check the certificate',
      login: 'Log in',
      sender: 'Ask whether your address may send',
      abilities: 'See what the server can do',
      'test-mail': 'Send a test mail to yourself',
      'sent-copy': 'Look for it in your folders',
    },
    trouble: CHECK_TROUBLE_EN,
    signedIn: (provider) => `${provider} gave its permission`,
    signInPages: {
      done: 'You are signed in. You can close this page and go back to the Mail Agent.',
      failed: 'The sign-in did not work. The Mail Agent says why; you can close this page.',
    },
    address: (address) => `found at ${address}`,
    connected: (host, port) => `${host} answers on port ${port}`,
    certificate: ({ subject, issuer, validToMs }) =>
      `certificate for ${subject} by ${issuer}, valid until ${day(validToMs, 'en')}`,
    notEncrypted: 'not encrypted; the server is on this computer',
    loggedIn: (userName) => `${userName} is logged in`,
    senderTaken: (address) => `mails from ${address} are taken`,
    size: (megabytes) => (megabytes === null ? 'names no limit for the size of a mail' : `mails up to ${megabytes} MB`),
    letters: (answer) =>
      answer === 'yes'
        ? 'addresses in other scripts are possible'
        : 'addresses in other scripts before the @ are not possible',
    testMail: {
      subject: 'Test mail from your Mail Agent',
      body: 'Your Mail Agent sent this mail to see whether your mailbox works. You can delete it.\n',
    },
    testMailTaken: (address) => `taken for ${address}`,
    savesCopy: {
      yes: 'your provider keeps a copy in the Sent folder',
      no: 'your provider keeps no copy in the Sent folder',
      unknown: 'whether your provider keeps a copy in the Sent folder could not be seen yet',
    },
    keepsMessageId: {
      yes: 'the mail kept its identifier',
      no: 'your provider gives mails an identifier of its own',
      unknown: 'the identifier could not be seen yet',
    },
    mailboxUnread: (why) => `your folders could not be read, which does not touch sending: ${MAILBOX_EN[why]}`,
    otherDoor: (host, port) => `no answer; trying ${host}, port ${port}`,
    noMailbox: 'no server for reading your folders is known, which does not touch sending',
  },
  'zh-CN': {
    steps: {
      'sign-in': '在浏览器中登录',
      dns: '查找邮件服务器',
      tcp: '连接服务器',
      tls: '加密并检查证书',
      login: '登录',
      sender: '确认您的地址可以发信',
      abilities: '了解服务器能力',
      'test-mail': '给自己发一封测试邮件',
      'sent-copy': '在文件夹中查找测试邮件',
    },
    trouble: CHECK_TROUBLE_ZH,
    signedIn: (provider) => `已获得 ${provider} 的授权`,
    signInPages: {
      done: '登录成功。您可以关闭此页面，回到 Mail Agent。',
      failed: '登录未成功。Mail Agent 会显示原因，您可以关闭此页面。',
    },
    address: (address) => `已找到，地址 ${address}`,
    connected: (host, port) => `${host} 的端口 ${port} 有响应`,
    certificate: ({ subject, issuer, validToMs }) =>
      `证书属于 ${subject}，由 ${issuer} 签发，有效期至 ${day(validToMs, 'zh-CN')}`,
    notEncrypted: '未加密，服务器就在本机',
    loggedIn: (userName) => `${userName} 已登录`,
    senderTaken: (address) => `可以用 ${address} 发信`,
    size: (megabytes) => (megabytes === null ? '未说明邮件大小上限' : `邮件最大 ${megabytes} MB`),
    letters: (answer) => (answer === 'yes' ? '支持 @ 之前含中文等字符的地址' : '不支持 @ 之前含中文等字符的地址'),
    testMail: {
      subject: '来自 Mail Agent 的测试邮件',
      body: '这封邮件由您的 Mail Agent 发出，用于确认邮箱可以正常发信，可以直接删除。\n',
    },
    testMailTaken: (address) => `服务器已接收发往 ${address} 的邮件`,
    savesCopy: {
      yes: '服务商会在“已发送”中保留副本',
      no: '服务商不会在“已发送”中保留副本',
      unknown: '暂时无法确认服务商是否在“已发送”中保留副本',
    },
    keepsMessageId: {
      yes: '邮件标识保持不变',
      no: '服务商会更换邮件标识',
      unknown: '暂时无法确认邮件标识',
    },
    mailboxUnread: (why) => `无法读取文件夹，不影响发送：${MAILBOX_ZH[why]}`,
    otherDoor: (host, port) => `没有响应，改试 ${host} 端口 ${port}`,
    noMailbox: '不知道用于读取文件夹的服务器，不影响发送',
  },
};
