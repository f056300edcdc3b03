import type { ProxyChoice } from '../../settings.ts';
import type { Language } from '../language.ts';

export type ProxyPageTexts = {
  readonly title: string;
  readonly intro: string;
  readonly way: string;
  readonly kind: Record<ProxyChoice['kind'], string>;
  readonly url: string;
  readonly urlHint: string;
  readonly host: string;
  readonly port: string;
  readonly userName: string;
  readonly userNameHint: string;
  readonly password: string;
  readonly passwordKept: string;
  readonly mail: string;
  readonly mailHint: string;
  readonly wrong: Record<'url' | 'host' | 'port' | 'user-name', string>;
  readonly save: string;
  readonly trying: string;
  readonly saved: string;
  readonly notSaved: string;
};

export const PROXY_PAGE_TEXTS: Record<Language, ProxyPageTexts> = {
  en: {
    title: 'Network and proxy',
    intro: 'Most people need nothing here. Some offices let programs out through a proxy only.',
    way: 'Way to the internet',
    kind: {
      system: 'Same as this computer',
      none: 'Without a proxy',
      pac: 'Script (PAC)',
      http: 'HTTP proxy',
      https: 'HTTP proxy over TLS',
      socks5: 'SOCKS5 proxy',
    },
    url: 'Address of the script',
    urlHint: 'Whoever looks after your network knows it.',
    host: 'Proxy',
    port: 'Port',
    userName: 'User name at the proxy',
    userNameHint: 'Empty where it wants no login.',
    password: 'Password at the proxy',
    passwordKept: 'One is in the keychain of this computer. Leave this empty to keep it.',
    mail: 'Mails go through the proxy too',
    mailHint: 'Many proxies let only the web through.',
    wrong: {
      url: 'Enter an address that begins with http:// or https://.',
      host: 'Enter the name or address of the proxy.',
      port: 'Enter a number from 1 to 65535.',
      'user-name': 'A user name here has no colon and at most 255 characters.',
    },
    save: 'Try and save',
    trying: 'Trying…',
    saved: 'It works and is saved.',
    notSaved: 'This was not saved',
  },
  'zh-CN': {
    title: '网络与代理',
    intro: '大多数人不需要修改这里。有些公司的网络只允许通过代理访问。',
    way: '上网方式',
    kind: {
      system: '与本机相同',
      none: '不使用代理',
      pac: '脚本（PAC）',
      http: 'HTTP 代理',
      https: 'HTTPS 代理（加密）',
      socks5: 'SOCKS5 代理',
    },
    url: '脚本地址',
    urlHint: '可向网络管理员询问。',
    host: '代理',
    port: '端口',
    userName: '代理用户名',
    userNameHint: '代理不需要登录时留空。',
    password: '代理密码',
    passwordKept: '密码已保存在本机的钥匙串中，留空则不更改。',
    mail: '邮件也经过代理',
    mailHint: '许多代理只允许访问网页。',
    wrong: {
      url: '请填写以 http:// 或 https:// 开头的地址。',
      host: '请填写代理的名称或地址。',
      port: '请填写 1 到 65535 之间的数字。',
      'user-name': '用户名不能含冒号，最多 255 个字符。',
    },
    save: '测试并保存',
    trying: '正在测试…',
    saved: '连接正常，已保存。',
    notSaved: '未能保存',
  },
};
