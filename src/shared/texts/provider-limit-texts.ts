import type { Language } from './language.ts';

type ProviderLimitTexts = {
  readonly mailsPerMinute: (count: number) => string;
  readonly mailsPerHour: (count: number) => string;
  readonly mailsPerDay: (count: number) => string;
  readonly recipientsPerDay: (count: number) => string;
  /** One sentence. */
  readonly list: (parts: readonly string[]) => string;
  /** Between two sentences. */
  readonly between: string;
};

/** What a mail provider itself allows, in words. */
export const PROVIDER_LIMIT_TEXTS: Record<Language, ProviderLimitTexts> = {
  en: {
    mailsPerMinute: (count) => `${count} mails a minute`,
    mailsPerHour: (count) => `${count} mails an hour`,
    mailsPerDay: (count) => `${count} mails a day`,
    recipientsPerDay: (count) => `${count} recipients a day`,
    list: (parts) => `${parts.join(', ')}.`,
    between: ' ',
  },
  'zh-CN': {
    mailsPerMinute: (count) => `每分钟 ${count} 封`,
    mailsPerHour: (count) => `每小时 ${count} 封`,
    mailsPerDay: (count) => `每天 ${count} 封`,
    recipientsPerDay: (count) => `每天 ${count} 位收件人`,
    list: (parts) => `${parts.join('，')}。`,
    between: '',
  },
};
