import { CHINESE_BUSINESS } from './chinese-business.ts';
import { CHINESE_PERSONAL } from './chinese-personal.ts';
import { INTERNATIONAL } from './international.ts';
import { MICROSOFT } from './microsoft.ts';
import { Provider } from './provider.ts';

/** Every server that nobody has described: its host is guessed from the domain. */
export const GENERIC: Provider = Provider.parse({
  id: 'generic',
  name: { en: 'Another mail server', 'zh-CN': '其他邮件服务器' },
  sites: [
    {
      domains: [],
      receivers: [],
      smtp: [
        { host: 'smtp.{domain}', port: 465, security: 'tls' },
        { host: 'mail.{domain}', port: 465, security: 'tls' },
        { host: 'smtp.{domain}', port: 587, security: 'starttls' },
        { host: 'mail.{domain}', port: 587, security: 'starttls' },
      ],
      imap: { host: 'imap.{domain}', port: 993, security: 'tls' },
    },
  ],
  spf: [],
  secrets: ['password'],
  accountPassword: 'unknown',
  steps: {
    en: 'Mostly the password of your mailbox. Your provider or your office can tell.',
    'zh-CN': '通常是邮箱密码，可向邮箱服务商或公司询问。',
  },
  page: null,
  from: 'unknown',
  sentCopy: 'unknown',
  mailMaxBytes: null,
  confidence: 'medium',
});

/**
 * What is known about mail providers, in the order in which receiving servers are compared: Outlook.com stands before
 * Microsoft 365, whose pattern would take its servers too. Facts as of 29 November 2026.
 */
export const PROVIDERS: readonly Provider[] = [
  ...[...CHINESE_PERSONAL, ...CHINESE_BUSINESS, ...MICROSOFT, ...INTERNATIONAL].map((data) => Provider.parse(data)),
  GENERIC,
];

export const providerById = (id: string): Provider | null => PROVIDERS.find((one) => one.id === id) ?? null;
