import type { DiscoverySource } from '../account-discovery.ts';
import type { SecretKind } from '../providers/provider.ts';
import type { Language } from './language.ts';

/** How the server behind an address was found, and what its provider wants. */
export type DiscoveryTexts = {
  /** Where the answer comes from; `from` is the provider's name, or the host or name that answered. */
  readonly source: (source: DiscoverySource, from: string) => string;
  readonly looking: (domain: string) => string;
  readonly found: (host: string, port: number, protection: string) => string;
  readonly unknown: (domain: string) => string;
  /** There is no network to ask anybody. */
  readonly offline: (domain: string) => string;
  /** The server lies outside of the address's domain, and nobody vouches for the name. */
  readonly confirm: (host: string, domain: string) => string;
  readonly wants: (provider: string, secret: string) => string;
  readonly accountPasswordRefused: string;
  readonly accountPasswordEnding: string;
  readonly page: (url: string) => string;
  /** A question: with the browser instead of a password? */
  readonly signIn: (provider: string) => string;
  /** Of a button that opens the provider's page. */
  readonly openPage: (host: string) => string;
  readonly secret: Record<SecretKind, string>;
};

export const DISCOVERY_TEXTS: Record<Language, DiscoveryTexts> = {
  en: {
    source: (source, from) => {
      switch (source) {
        case 'preset-domain':
          return `known to this program: ${from}`;
        case 'preset-mx':
          return `your domain’s mail is received by ${from}`;
        case 'preset-spf':
          return `your domain’s mail passes a filter; its sender record names ${from}`;
        case 'autoconfig':
          return `published by your domain at ${from}`;
        case 'ispdb':
        case 'mx-ispdb':
          return `from Thunderbird’s list of providers at ${from}`;
        case 'mx-autoconfig':
          return `published by the provider that receives your mail, at ${from}`;
        case 'srv':
          return `from your domain’s record ${from}`;
        case 'guess':
          return `guessed; ${from} answers with a valid certificate`;
      }
    },
    looking: (domain) => `Looking for the mail server of ${domain}…`,
    found: (host, port, protection) => `${host}, port ${port}, ${protection}`,
    unknown: (domain) => `Nobody knows the mail server of ${domain}. Your provider or your office can name it.`,
    offline: (domain) =>
      `This computer has no network just now, so the mail server of ${domain} cannot be looked for. Connect it and try again.`,
    confirm: (host, domain) =>
      `${host} does not belong to ${domain}, and the record that names it is not protected. Is it the mail server of your provider?`,
    wants: (provider, secret) => `${provider} wants ${secret} here.`,
    accountPasswordRefused: 'The password you log in to the website with does not work.',
    accountPasswordEnding: 'The password you log in to the website with works only for a while yet.',
    page: (url) => `Make it at ${url}`,
    signIn: (provider) => `Sign in at ${provider} with your browser instead?`,
    openPage: (host) => `Open ${host}`,
    secret: {
      password: 'Password',
      'authorisation-code': 'Authorisation code',
      'app-password': 'App password',
      'client-password': 'Client password',
      'bridge-password': 'Password from Bridge',
    },
  },
  'zh-CN': {
    source: (source, from) => {
      switch (source) {
        case 'preset-domain':
          return `本程序已知：${from}`;
        case 'preset-mx':
          return `您的域名由${from}收信`;
        case 'preset-spf':
          return `您的域名经过邮件网关，其发信记录指向${from}`;
        case 'autoconfig':
          return `由您的域名公布：${from}`;
        case 'ispdb':
        case 'mx-ispdb':
          return `来自 Thunderbird 服务商名录：${from}`;
        case 'mx-autoconfig':
          return `由为您收信的服务商公布：${from}`;
        case 'srv':
          return `来自您域名的记录 ${from}`;
        case 'guess':
          return `推测所得，${from} 有响应且证书有效`;
      }
    },
    looking: (domain) => `正在查找 ${domain} 的邮件服务器……`,
    found: (host, port, protection) => `${host}，端口 ${port}，${protection}`,
    unknown: (domain) => `无法识别 ${domain} 的邮件服务器，请向邮箱服务商或公司询问。`,
    offline: (domain) => `本机目前没有网络，无法查找 ${domain} 的邮件服务器。请连接网络后重试。`,
    confirm: (host, domain) => `${host} 不属于 ${domain}，且指向它的记录未受保护。它是您服务商的邮件服务器吗？`,
    wants: (provider, secret) => `${provider}此处需要${secret}。`,
    accountPasswordRefused: '登录网页所用的密码在此无效。',
    accountPasswordEnding: '登录网页所用的密码即将不能在此使用。',
    page: (url) => `生成页面：${url}`,
    signIn: (provider) => `改用浏览器在 ${provider} 登录？`,
    openPage: (host) => `打开 ${host}`,
    secret: {
      password: '密码',
      'authorisation-code': '授权码',
      'app-password': '应用专用密码',
      'client-password': '客户端专用密码',
      'bridge-password': 'Bridge 密码',
    },
  },
};
