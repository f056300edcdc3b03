import type { ServerGuess } from '../../shared/ipc/views.ts';
import type { SmtpServer } from '../../shared/settings.ts';

type PasswordKind = NonNullable<ServerGuess>['passwordKind'];
type Provider = {
  /** Domains of its addresses. */
  readonly domains: readonly string[];
  /** Ends of the names of its receiving servers, for companies with a domain of their own. */
  readonly receivers: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly security: SmtpServer['security'];
  readonly passwordKind: PasswordKind;
};

const provider = (
  host: string,
  port: 465 | 587,
  passwordKind: PasswordKind,
  domains: readonly string[],
  receivers: readonly string[] = [],
): Provider => ({ host, port, security: port === 465 ? 'tls' : 'starttls', passwordKind, domains, receivers });

/** As the providers' own help pages name their submission servers. */
const PROVIDERS: readonly Provider[] = [
  provider('smtp.qq.com', 465, 'authorisation-code', ['qq.com', 'vip.qq.com', 'foxmail.com']),
  provider('smtp.exmail.qq.com', 465, 'password', [], ['mxbiz1.qq.com', 'mxbiz2.qq.com']),
  provider('smtp.163.com', 465, 'authorisation-code', ['163.com']),
  provider('smtp.126.com', 465, 'authorisation-code', ['126.com']),
  provider('smtp.yeah.net', 465, 'authorisation-code', ['yeah.net']),
  provider(
    'smtp.qiye.163.com',
    465,
    'authorisation-code',
    [],
    ['qiye163mx01.mxmail.netease.com', 'qiye163mx02.mxmail.netease.com'],
  ),
  provider(
    'smtp.qiye.aliyun.com',
    465,
    'password',
    [],
    ['mxhichina.com', 'mx1.qiye.aliyun.com', 'mx2.qiye.aliyun.com'],
  ),
  provider('smtp.aliyun.com', 465, 'password', ['aliyun.com']),
  provider('smtp.feishu.cn', 465, 'app-password', [], ['mx1.feishu.cn', 'mx2.feishu.cn', 'mx3.feishu.cn']),
  provider('smtp.sina.com', 465, 'authorisation-code', ['sina.com']),
  provider('smtp.sohu.com', 465, 'authorisation-code', ['sohu.com']),
  provider('smtp.139.com', 465, 'authorisation-code', ['139.com']),
  provider('smtp.gmail.com', 465, 'app-password', ['gmail.com', 'googlemail.com'], ['google.com', 'googlemail.com']),
  provider('smtp-mail.outlook.com', 587, 'app-password', ['outlook.com', 'hotmail.com', 'live.com', 'msn.com']),
  provider('smtp.office365.com', 587, 'password', [], ['mail.protection.outlook.com']),
  provider('smtp.mail.me.com', 587, 'app-password', ['icloud.com', 'me.com', 'mac.com']),
  provider('smtp.mail.yahoo.com', 465, 'app-password', ['yahoo.com']),
];

/** The part after the last @, in lower case; null where there is none. */
export function domainOfAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = address
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return at > 0 && domain.includes('.') ? domain : null;
}

/** The provider of this domain by its name, or by the servers that receive its mail. */
export function guessServer(domain: string, receivers: readonly string[]): ServerGuess {
  const found =
    PROVIDERS.find(({ domains }) => domains.includes(domain)) ??
    PROVIDERS.find((one) => receivers.some((host) => one.receivers.some((end) => isUnder(host.toLowerCase(), end))));
  if (found === undefined) return null;
  const { host, port, security, passwordKind } = found;
  return { smtp: { host, port, security, caFile: null }, passwordKind };
}

const isUnder = (host: string, end: string): boolean => host === end || host.endsWith(`.${end}`);
