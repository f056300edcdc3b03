import { z } from 'zod';
import { isLoopbackHost } from './loopback.ts';
import { SignInClients } from './sign-in.ts';
import { MAIL_LOGINS } from './sign-in-providers.ts';
import { LANGUAGES } from './texts/language.ts';
import { AddressText } from './wire/address.ts';

const HostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:_-]+$/, 'is not a host name or address');

/** Implicit TLS, STARTTLS that must succeed, or none at all for a server on this very machine. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;

const serverFields = {
  host: HostName,
  port: z.int().min(1).max(65_535),
  security: z.enum(SMTP_SECURITIES),
  /** PEM file of a certificate authority that is trusted for this account only. */
  caFile: z.string().max(4096).nullable().default(null),
};

const ON_THIS_MACHINE = {
  message: 'may be "none" only for a server on this machine (127.0.0.1, ::1 or localhost)',
  path: ['security'],
};
const isPlainOnlyHere = (server: { readonly host: string; readonly security: string }): boolean =>
  server.security !== 'none' || isLoopbackHost(server.host);

export const SmtpServer = z
  .strictObject(serverFields)
  .refine(isPlainOnlyHere, ON_THIS_MACHINE)
  .refine((server) => server.port !== 465 || server.security !== 'starttls', {
    message: 'port 465 speaks TLS from the start: use "tls", or port 587 with "starttls"',
    path: ['security'],
  });
export type SmtpServer = z.infer<typeof SmtpServer>;

/** Where the account's own folders are read: evidence in the Sent folder, bounces and replies in the inbox. */
export const ImapServer = z
  .strictObject({
    ...serverFields,
    /** Where it differs from the account's: some providers want the part before the @ here. */
    userName: z.string().min(1).max(256).nullable().default(null),
  })
  .refine(isPlainOnlyHere, ON_THIS_MACHINE)
  .refine((server) => server.port !== 993 || server.security !== 'starttls', {
    message: 'port 993 speaks TLS from the start: use "tls", or port 143 with "starttls"',
    path: ['security'],
  });
export type ImapServer = z.infer<typeof ImapServer>;

/** Whether the provider puts a mail that was submitted into the Sent folder by itself; `unknown` until it was seen. */
const SENT_COPIES = ['yes', 'no', 'unknown'] as const;

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time of the form 09:30');

export const Pace = z
  .strictObject({
    /** Shortest and longest pause between two mails, milliseconds; each pause is drawn between them. */
    gapMinMs: z.int().min(0).max(3_600_000).default(20_000),
    gapMaxMs: z.int().min(0).max(3_600_000).default(60_000),
    perMinute: z.int().min(1).max(1_000).nullable().default(3),
    perHour: z.int().min(1).max(10_000).nullable().default(60),
    perDay: z.int().min(1).max(100_000).nullable().default(300),
    // Null where a stored pace does not speak of them; `USUAL_PACE` does.
    /** To addresses of one domain, in an hour: a company that gets many mails at once takes them for a flood. */
    perHourPerDomain: z.int().min(1).max(10_000).nullable().default(null),
    /** Days with mails over which the limit per day grows to `perDay`, for an account new to sending so many. */
    rampUpDays: z.int().min(1).max(90).nullable().default(null),
    /** Equal failures in a row after which sending pauses and asks. */
    pauseAfterEqualErrors: z.int().min(2).max(100).nullable().default(null),
    /** Share of the latest mails that may be refused, in percent; above it sending pauses and asks. */
    pauseAboveRefusedPercent: z.int().min(5).max(95).nullable().default(null),
    /** Null sends at any hour. Days: 1 Monday to 7 Sunday. */
    workingHours: z
      .strictObject({
        from: Clock,
        to: Clock,
        days: z.array(z.int().min(1).max(7)).min(1).max(7),
        timeZone: z.string().max(64).refine(isTimeZone, 'is not a time zone such as Asia/Shanghai'),
      })
      .refine((hours) => hours.from < hours.to, { message: 'must end later than it begins', path: ['to'] })
      .nullable()
      .default(null),
  })
  .refine((pace) => pace.gapMinMs <= pace.gapMaxMs, {
    message: 'must not be smaller than gapMinMs',
    path: ['gapMaxMs'],
  });
export type Pace = z.infer<typeof Pace>;

/** The pace of somebody who never chose one. */
export const USUAL_PACE: Pace = Pace.parse({
  perHourPerDomain: 20,
  rampUpDays: 10,
  pauseAfterEqualErrors: 5,
  pauseAboveRefusedPercent: 40,
});

/** A name this machine's time zone database knows. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl's only way to say that it does not know the zone.
    return false;
  }
}

/** The mail account, without its password or sign-in. */
export const MailAccount = z.strictObject({
  address: AddressText,
  name: z.string().max(256).nullable().default(null),
  userName: z.string().min(1).max(256),
  smtp: SmtpServer,
  login: z.enum(MAIL_LOGINS).default('password'),
  /** Null for an account whose folders are not read. */
  imap: ImapServer.nullable().default(null),
  savesSentCopy: z.enum(SENT_COPIES).default('unknown'),
  /** Whether a mail that was submitted keeps its Message-ID; `unknown` until a test mail was seen. */
  keepsMessageId: z.enum(SENT_COPIES).default('unknown'),
  /** Other From addresses this account may use, as the provider lets it. */
  aliases: z.array(AddressText).max(50).default([]),
});
export type MailAccount = z.infer<typeof MailAccount>;

/** Whose agent this is, without its token. */
export const Pairing = z.strictObject({
  /** Origin only, without a path: https, or http to this very machine. */
  cloudUrl: z.url().refine(isAllowedCloudUrl, 'must be https:// (http:// only to this machine), without a path'),
  agentId: z.string().min(1).max(64),
  agentName: z.string().min(1).max(100),
  userId: z.string().min(1).max(64),
  userName: z.string().max(200),
});
export type Pairing = z.infer<typeof Pairing>;

export function isAllowedCloudUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false;
  if (url.pathname !== '/' && url.pathname !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(host));
}

/** A proxy's login. Its password is kept with the other secrets, as `proxy-password`; null logs in nowhere. */
const ProxyUser = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^:\p{Cc}]+$/u, 'must have no colon and no control characters')
  .nullable()
  .default(null);

/** Whether mail servers are reached through the proxy too, or past it: many let only the web through. */
export const MAIL_ROUTES = ['through-proxy', 'direct'] as const;
const mailRoute = (usual: (typeof MAIL_ROUTES)[number]) => z.enum(MAIL_ROUTES).default(usual);

/**
 * The way to the cloud, to attachments and to mail servers. `system` asks the computer (in a terminal: the environment),
 * `pac` a script at an address. Mails go past these two unless a person says otherwise: they were made for browsers,
 * and a login from the proxy's place instead of this one's looks like a theft to a mail provider.
 */
export const ProxyChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('system'), userName: ProxyUser, mail: mailRoute('direct') }),
  z.strictObject({
    kind: z.literal('pac'),
    url: z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' }).max(2048),
    userName: ProxyUser,
    mail: mailRoute('direct'),
  }),
  z.strictObject({
    /** `https` speaks TLS with the proxy itself, so that its password is not readable on the way. */
    kind: z.enum(['http', 'https', 'socks5']),
    host: HostName,
    port: z.int().min(1).max(65_535),
    userName: ProxyUser,
    mail: mailRoute('through-proxy'),
  }),
]);
export type ProxyChoice = z.infer<typeof ProxyChoice>;
export const PROXY_KINDS = [
  'none',
  'system',
  'pac',
  'http',
  'https',
  'socks5',
] as const satisfies readonly ProxyChoice['kind'][];
export const USUAL_PROXY: ProxyChoice = ProxyChoice.parse({ kind: 'system' });

/** What a person chose about the desktop app itself. */
export const AppChoices = z.strictObject({
  language: z.enum(['system', ...LANGUAGES]).default('system'),
  /** Asked once at set-up; null until then. */
  startAtLogin: z.boolean().nullable().default(null),
  setUpDone: z.boolean().default(false),
});
export type AppChoices = z.infer<typeof AppChoices>;

/** The ledger's settings by key. */
export const SETTINGS = {
  pairing: Pairing,
  account: MailAccount,
  pace: Pace,
  app: AppChoices,
  proxy: ProxyChoice,
  signIn: SignInClients,
} as const;
export type SettingKey = keyof typeof SETTINGS;
