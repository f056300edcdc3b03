import type { Provider, SecretKind, Words } from './provider.ts';

/** What the secret is called, to stand in the middle of a sentence. */
const SECRET_WORDS: Record<SecretKind, Words> = {
  password: { en: 'the password of the mailbox', 'zh-CN': '邮箱密码' },
  'authorisation-code': { en: 'an authorisation code (授权码)', 'zh-CN': '授权码' },
  'app-password': { en: 'an app password', 'zh-CN': '应用专用密码' },
  'client-password': { en: 'a password for mail programs (客户端专用密码)', 'zh-CN': '客户端专用密码' },
  'bridge-password': { en: 'the password that Bridge shows', 'zh-CN': 'Bridge 显示的密码' },
};

const BROWSER: Words = { en: 'a sign-in with the browser', 'zh-CN': '浏览器登录' };

/** The recommended secret of a provider. */
export function secretOf({ secrets }: Pick<Provider, 'secrets'>): Words {
  const [first] = secrets;
  return first === undefined ? BROWSER : SECRET_WORDS[first];
}
