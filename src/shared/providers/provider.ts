import { z } from 'zod';
import { LANGUAGES } from '../texts/language.ts';

/** A text in each language of the app. */
const Words = z.strictObject({ en: z.string().min(1).max(600), 'zh-CN': z.string().min(1).max(600) });
export type Words = z.infer<typeof Words>;
// The compiler names the language that is missing above.
LANGUAGES satisfies readonly (keyof Words)[];

const Domain = z.string().regex(/^(?=.{1,253}$)([a-z0-9-]+\.)+[a-z0-9-]+$/, 'is not a domain in lower case');

/** Regular expression over the name of a receiving server, in lower case and without the last dot. */
const ReceiverPattern = z.string().min(1).refine(isPattern, 'is not a regular expression');

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    // The only way in which a regular expression says that it is none.
    return false;
  }
}

/** A server to log in to. `{domain}` in a host stands for the domain of the address. */
const Endpoint = z
  .strictObject({
    host: z.string().regex(/^[a-z0-9.{}-]+$/),
    port: z.int().min(1).max(65_535),
    security: z.enum(['tls', 'starttls']),
    /** When this one is meant and not the first of its list; null for the usual one. */
    when: Words.nullable().default(null),
  })
  .refine(({ port, security }) => port !== 465 || security === 'tls', 'port 465 speaks TLS from the start');
export type Endpoint = z.infer<typeof Endpoint>;

/**
 * One data centre or family of a provider: who belongs to it by the domain of the address or by the servers that
 * receive the domain's mail, and which servers it then uses. The first of `smtp` is the usual one.
 */
const Site = z.strictObject({
  domains: z.array(Domain),
  receivers: z.array(ReceiverPattern),
  smtp: z.array(Endpoint).min(1),
  imap: Endpoint.nullable(),
});
export type Site = z.infer<typeof Site>;

/**
 * What the login wants in place of a password: the mailbox's own password, a code that replaces it (授权码), a password
 * made for one app, a password made for mail programs (客户端专用密码), or the one that a local bridge shows.
 */
export const SECRET_KINDS = [
  'password',
  'authorisation-code',
  'app-password',
  'client-password',
  'bridge-password',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

export const Provider = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]{1,40}$/),
    name: Words,
    sites: z.array(Site).min(1),
    /** Names in the domain's SPF record: a hint where a filtering gateway receives its mail. */
    spf: z.array(z.string().regex(/^[a-z0-9._-]{1,253}$/)),
    /** The user name at the IMAP server; at the SMTP server it is the whole address everywhere. */
    imapUserName: z.enum(['address', 'local-part']).default('address'),
    /** What may be typed as the secret, the one to recommend first. Empty: only signing in with the browser works. */
    secrets: z.array(z.enum(SECRET_KINDS)),
    /** Whose sign-in with the browser (OAuth 2) is offered as well; null where there is none. */
    browserSignIn: z.enum(['google', 'microsoft', 'microsoft-china', 'other']).nullable().default(null),
    /** Whether the mailbox's own password logs in at all. */
    accountPassword: z.enum(['works', 'refused', 'ending', 'depends', 'unknown']),
    /** Where to make the secret, or what to switch on first. */
    steps: Words,
    /** The provider's page for it; null where only the steps say. */
    page: z.url({ protocol: /^https$/ }).nullable(),
    /** Which From addresses are taken. */
    from: z.enum(['login-only', 'own-addresses', 'rewritten', 'unknown']),
    /** Whether a mail sent over SMTP lands in the Sent folder by itself. */
    sentCopy: z.enum(['auto', 'likely-auto', 'setting', 'likely-none', 'none', 'unknown']),
    limits: z
      .strictObject({
        mailsPerMinute: z.int().min(1).nullable().default(null),
        mailsPerHour: z.int().min(1).nullable().default(null),
        mailsPerDay: z.int().min(1).nullable().default(null),
        recipientsPerDay: z.int().min(1).nullable().default(null),
        recipientsPerMail: z.int().min(1).nullable().default(null),
        note: Words.nullable().default(null),
      })
      .prefault({}),
    /** Largest mail in bytes; null where nobody says. */
    mailMaxBytes: z.int().min(1).nullable(),
    notes: z.array(Words).default([]),
    /** How sure these facts are. */
    confidence: z.enum(['high', 'medium', 'low']),
  })
  .refine(
    ({ secrets, browserSignIn }) => secrets.length > 0 || browserSignIn !== null,
    'a login must have at least one way',
  );
export type Provider = z.infer<typeof Provider>;
/** As a provider is written down; what has a usual value may be left out. */
export type ProviderData = z.input<typeof Provider>;
