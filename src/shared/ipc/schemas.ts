import { z } from 'zod';
import { PROVIDERS } from '../providers/providers.ts';
import { ImapServer, Pace, ProxyChoice, SmtpServer } from '../settings.ts';
import { MAIL_LOGINS } from '../sign-in-providers.ts';
import { LANGUAGES } from '../texts/language.ts';
import { AddressText } from '../wire/address.ts';
import type { RequestName, Requests } from './channels.ts';

const MailId = z.string().min(1).max(64);
const ProviderId = z.enum(PROVIDERS.map(({ id }) => id));
const Nothing = z.null();

/** What each request may carry; main reads nothing that was not parsed by these. */
export const ARGUMENTS: { readonly [N in RequestName]: z.ZodType<Requests[N]['in']> } = {
  today: Nothing,
  mails: z.strictObject({
    kinds: z
      .array(z.enum(['claimed', 'attempting', 'handed-over', 'sent', 'failed', 'uncertain', 'cancelled', 'released']))
      .max(8)
      .nullable(),
    text: z.string().max(200),
    offset: z.int().min(0).max(10_000_000),
    limit: z.int().min(1).max(200),
  }),
  mail: z.strictObject({ id: MailId }),
  questions: Nothing,
  answer: z.strictObject({ mailId: MailId, as: z.enum(['sent', 'not-sent']) }),
  'note-conflict': z.strictObject({ mailId: MailId }),
  'note-failures': z.strictObject({ cause: z.string().max(2_000), upToMs: z.number().min(0) }),
  'undo-answer': z.strictObject({ mailId: MailId }),
  'lift-address': z.strictObject({ address: z.string().min(1).max(320) }),
  pause: z.strictObject({ until: z.enum(['hour', 'today', 'resume']) }),
  resume: Nothing,
  'try-now': Nothing,
  'check-now': Nothing,
  'set-up': Nothing,
  pair: z.strictObject({ cloudUrl: z.string().max(2048), code: z.string().max(40) }),
  'guess-server': z.strictObject({ address: z.string().max(320) }),
  'open-provider-page': z.strictObject({ provider: ProviderId }),
  'save-account': z.strictObject({
    address: AddressText,
    name: z.string().max(256).nullable(),
    userName: z.string().min(1).max(256),
    login: z.enum(MAIL_LOGINS),
    password: z.string().max(4096),
    signIn: z.enum(['now', 'kept']),
    smtp: SmtpServer,
    imap: ImapServer.nullable(),
    testMail: z.enum(['send', 'none']),
  }),
  'stop-sign-in': Nothing,
  'finish-set-up': z.strictObject({ startAtLogin: z.boolean() }),
  settings: Nothing,
  'save-settings': z.strictObject({
    pace: Pace,
    language: z.enum(['system', ...LANGUAGES]),
    startAtLogin: z.boolean(),
  }),
  proxy: Nothing,
  'save-proxy': z.strictObject({ proxy: ProxyChoice, password: z.string().max(4096) }),
  language: Nothing,
  about: Nothing,
  licences: Nothing,
  'export-log': Nothing,
  'open-data-folder': Nothing,
  'copy-diagnostics': Nothing,
};
