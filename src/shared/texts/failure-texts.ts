import type { ReplyClass } from '../wire/messages.ts';
import type { Language } from './language.ts';

/** Ways a dialogue ends without a complete reply, or never begins. */
export type ConnectionTrouble =
  | 'dns'
  | 'refused'
  | 'timeout'
  | 'dropped'
  | 'certificate'
  | 'starttls-missing'
  | 'tls'
  | 'auth-not-offered'
  | 'smtputf8-missing'
  | 'size-exceeded'
  | 'out-of-step'
  | 'too-much'
  | 'no-credentials'
  | 'sign-in-again'
  | 'sign-in-unreachable'
  | 'proxy-unreachable'
  | 'proxy-login'
  | 'proxy-refused'
  | 'stopped';

/** What is done about it, by the names of the reply table's actions. */
type Consequence =
  | 'none'
  | 'stop-ask-user'
  | 'back-off-account'
  | 'fail-recipient'
  | 'retry-later'
  | 'never-auto-retry';

export type FailureTexts = {
  /** What a reply is about. */
  readonly about: Record<ReplyClass, string>;
  /** Why no reply came, while it is certain that the mail was not sent. */
  readonly trouble: Record<ConnectionTrouble, string>;
  /** What it means for the mail. */
  readonly meaning: Record<Consequence, string>;
  /** Two sentences as one text. */
  readonly join: (first: string, second: string) => string;
};

export const FAILURE_TEXTS: Record<Language, FailureTexts> = {
  en: {
    about: {
      auth: 'Your mail server did not accept the login of your mail account. Please check its user name and password, or its authorisation code or app password.',
      'rate-limit': 'Your mail provider allows no more mails for the moment.',
      'mailbox-temporary': 'The mailbox of the recipient cannot take the mail just now.',
      'recipient-invalid': 'The address of the recipient does not exist or takes no mail.',
      'sender-policy': 'Your mail server does not let this account or address send the mail.',
      content: 'Your mail server refused the content of the mail.',
      'too-big': 'The mail is larger than your mail server takes.',
      connection: 'The connection to your mail server did not work.',
      ambiguous: 'The mail left, but your mail server did not confirm that it took it.',
      payload: 'The mail came from the cloud in a form that cannot be sent.',
      expired: 'The time until which this mail could be sent has passed.',
      local: 'This computer could not send the mail.',
    },
    trouble: {
      dns: 'Your mail server was not found under its name. Is this computer connected to the internet?',
      refused: 'Your mail server does not answer at its address and port.',
      timeout: 'Your mail server did not answer in time.',
      dropped: 'The connection to your mail server ended too early.',
      certificate: 'The certificate of your mail server is not valid, so the connection could be read by others.',
      'starttls-missing': 'Your mail server offers no protected connection on this port.',
      tls: 'No protected connection to your mail server could be made.',
      'auth-not-offered': 'Your mail server offers no login that this program knows.',
      'smtputf8-missing': 'The address of the recipient has letters that your mail server cannot take.',
      'size-exceeded': 'The mail is larger than your mail server takes.',
      'out-of-step': 'Your mail server answered in a way that fits no question.',
      'too-much': 'Your mail server answered with far too much text.',
      'no-credentials': 'The password or sign-in of your mail account could not be read.',
      'sign-in-again':
        'Your mail provider no longer accepts the permission that you gave. Please sign in again in the mail account.',
      'sign-in-unreachable': 'The sign-in of your mail provider does not answer.',
      'proxy-unreachable':
        'The proxy between this computer and your mail server does not answer. Please check the proxy settings.',
      'proxy-login':
        'The proxy did not accept the login. Please enter its user name and password in the proxy settings.',
      'proxy-refused':
        'The proxy did not let the connection to your mail server through. In the proxy settings mails can go past it; otherwise please ask whoever looks after your network.',
      stopped: 'Sending was stopped before the mail left.',
    },
    meaning: {
      none: 'It was not sent and stays in line.',
      'stop-ask-user': 'It was not sent. Sending is paused until you have looked at this.',
      'back-off-account': 'It was not sent. Sending goes on by itself later.',
      'fail-recipient': 'It was not sent.',
      'retry-later': 'It was not sent and will be tried again.',
      'never-auto-retry': 'It may have been sent, so it is not sent again by itself. Please look in your Sent folder.',
    },
    join: (first, second) => `${first} ${second}`,
  },
  'zh-CN': {
    about: {
      auth: '邮件服务器未接受您邮箱账户的登录。请检查用户名和密码，或授权码、应用专用密码。',
      'rate-limit': '邮箱服务商暂时不允许发送更多邮件。',
      'mailbox-temporary': '收件人的邮箱暂时无法接收邮件。',
      'recipient-invalid': '收件人地址不存在或不接收邮件。',
      'sender-policy': '邮件服务器不允许此账户或此地址发送这封邮件。',
      content: '邮件服务器拒绝了邮件内容。',
      'too-big': '邮件超过了邮件服务器允许的大小。',
      connection: '与邮件服务器的连接出现问题。',
      ambiguous: '邮件已交出，但邮件服务器没有确认是否接收。',
      payload: '从云端收到的邮件无法发送。',
      expired: '已超过这封邮件的最晚发送时间。',
      local: '本机无法发送这封邮件。',
    },
    trouble: {
      dns: '找不到邮件服务器。请检查本机是否已连接网络。',
      refused: '邮件服务器的地址和端口没有响应。',
      timeout: '邮件服务器未及时响应。',
      dropped: '与邮件服务器的连接提前中断。',
      certificate: '邮件服务器的证书无效，连接内容可能被他人读取。',
      'starttls-missing': '邮件服务器在此端口不提供加密连接。',
      tls: '无法与邮件服务器建立加密连接。',
      'auth-not-offered': '邮件服务器没有提供本程序支持的登录方式。',
      'smtputf8-missing': '收件人地址含有邮件服务器不支持的字符。',
      'size-exceeded': '邮件超过了邮件服务器允许的大小。',
      'out-of-step': '邮件服务器的答复与请求不符。',
      'too-much': '邮件服务器的答复内容过多。',
      'no-credentials': '无法读取邮箱账户的密码或登录信息。',
      'sign-in-again': '邮箱服务商不再接受您之前的授权。请在邮箱账户中重新登录。',
      'sign-in-unreachable': '邮箱服务商的登录服务没有响应。',
      'proxy-unreachable': '本机与邮件服务器之间的代理没有响应。请检查代理设置。',
      'proxy-login': '代理未接受登录。请在代理设置中输入其用户名和密码。',
      'proxy-refused': '代理不允许连接到邮件服务器。可在代理设置中让邮件不经过代理，或联系网络管理员。',
      stopped: '邮件发出前已停止发送。',
    },
    meaning: {
      none: '邮件未发送，仍在等待。',
      'stop-ask-user': '邮件未发送，发送已暂停，请您处理。',
      'back-off-account': '邮件未发送，稍后会自动恢复发送。',
      'fail-recipient': '邮件未发送。',
      'retry-later': '邮件未发送，稍后会再试。',
      'never-auto-retry': '邮件可能已发出，因此不会自动重发。请查看“已发送”文件夹。',
    },
    join: (first, second) => `${first}${second}`,
  },
};
