import type { ProxyChoice } from '../settings.ts';
import type { Language } from './language.ts';

/** Why a connection was not made, straight or through a proxy. */
export type TunnelTrouble =
  | 'dns'
  | 'refused'
  | 'timeout'
  | 'dropped'
  | 'stopped'
  /** The address is one that must not be reached. */
  | 'forbidden'
  | 'proxy-unreachable'
  | 'proxy-login'
  /** The proxy itself is there and does not make this connection. */
  | 'proxy-refused';

/** Where a way leads: to the cloud, to the server that mails are handed to, or to the one the mailbox is read from. */
export type ProxyEnd = 'cloud' | 'mail' | 'mailbox';

export type ProxyTexts = {
  readonly kind: Record<ProxyChoice['kind'], string>;
  readonly mail: Record<'through-proxy' | 'direct', string>;
  /** A way that was tried and does not work. */
  readonly noWay: (to: ProxyEnd, why: TunnelTrouble) => string;
  readonly passwordMissing: string;
  readonly stored: (kind: string, tried: number) => string;
  readonly now: (kind: string, place: string | null, mail: string | null) => string;
};

const ENDS: Record<Language, Record<ProxyEnd, string>> = {
  en: { cloud: 'the cloud', mail: 'your mail server', mailbox: 'the server that your mailbox is read from' },
  'zh-CN': { cloud: '云端', mail: '邮件服务器', mailbox: '收件服务器' },
};

export const PROXY_TEXTS: Record<Language, ProxyTexts> = {
  en: {
    kind: {
      none: 'no proxy',
      system: "the computer's own proxy settings",
      pac: 'proxy script (PAC)',
      http: 'HTTP proxy',
      https: 'HTTP proxy over TLS',
      socks5: 'SOCKS5 proxy',
    },
    mail: { 'through-proxy': 'mails go through it too', direct: 'mails go past it' },
    noWay: (to, why) => {
      const where = ENDS.en[to];
      switch (why) {
        case 'proxy-unreachable':
          return 'The proxy does not answer. Please check its host name and port.';
        case 'proxy-login':
          return 'The proxy did not accept the login. Please enter its user name and password.';
        case 'proxy-refused':
          return to === 'cloud'
            ? 'The proxy is there but does not let connections to the cloud through. Please ask whoever looks after your network.'
            : `The proxy is there but does not let connections to ${where} through. Choose that mails go past the proxy, or ask whoever looks after your network.`;
        case 'dns':
          return `Nobody knows the name of ${where}. Please check that this computer is online.`;
        case 'timeout':
          return `No connection to ${where} came about in time. Please check the proxy, and that this computer is online.`;
        default:
          return `No connection to ${where} came about. Please check the proxy, and that this computer is online.`;
      }
    },
    passwordMissing: 'The proxy wants a password with this user name. Please enter it.',
    stored: (kind, tried) =>
      tried === 0 ? `Stored: ${kind}. There was nothing to try it with yet.` : `It works, and is stored: ${kind}.`,
    now: (kind, place, mail) => [kind, place, mail].filter((part) => part !== null).join(', '),
  },
  'zh-CN': {
    kind: {
      none: '不使用代理',
      system: '系统代理设置',
      pac: '代理脚本（PAC）',
      http: 'HTTP 代理',
      https: 'HTTPS 代理（加密）',
      socks5: 'SOCKS5 代理',
    },
    mail: { 'through-proxy': '邮件也经过代理', direct: '邮件不经过代理' },
    noWay: (to, why) => {
      const where = ENDS['zh-CN'][to];
      switch (why) {
        case 'proxy-unreachable':
          return '代理没有响应。请检查代理的主机名和端口。';
        case 'proxy-login':
          return '代理未接受登录。请输入代理的用户名和密码。';
        case 'proxy-refused':
          return to === 'cloud'
            ? '代理可以连接，但不允许访问云端。请联系网络管理员。'
            : `代理可以连接，但不允许访问${where}。请选择邮件不经过代理，或联系网络管理员。`;
        case 'dns':
          return `找不到${where}的名称。请检查本机是否已连接网络。`;
        case 'timeout':
          return `未能及时连接到${where}。请检查代理以及本机是否已连接网络。`;
        default:
          return `无法连接到${where}。请检查代理以及本机是否已连接网络。`;
      }
    },
    passwordMissing: '使用此用户名时代理需要密码，请输入。',
    stored: (kind, tried) =>
      tried === 0 ? `已保存：${kind}。目前还没有可以测试的连接。` : `连接正常，已保存：${kind}。`,
    now: (kind, place, mail) => [kind, place, mail].filter((part) => part !== null).join('，'),
  },
};
