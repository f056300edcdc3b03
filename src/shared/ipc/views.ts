import type { SecretKind } from '../providers/provider.ts';
import type { ImapServer, Pace, ProxyChoice, SmtpServer } from '../settings.ts';
import type { MailLogin, SignInProvider } from '../sign-in-providers.ts';
import type { StatusView } from '../status.ts';
import type { Language } from '../texts/language.ts';

/** What the window draws. Instants are epoch milliseconds. No view ever carries a secret. */

export type MailKind =
  | 'claimed'
  | 'attempting'
  | 'handed-over'
  | 'sent'
  | 'failed'
  | 'uncertain'
  | 'cancelled'
  | 'released';

export type MailRow = {
  readonly id: string;
  readonly kind: MailKind;
  readonly toName: string | null;
  readonly toAddress: string;
  readonly subject: string;
  readonly taskName: string;
  readonly changedAtMs: number;
};

/** Newest change first. `kinds` null is every kind; `text` is looked for in address, name and subject. */
export type MailQuery = {
  readonly kinds: readonly MailKind[] | null;
  readonly text: string;
  readonly offset: number;
  readonly limit: number;
};
export type MailPage = { readonly rows: readonly MailRow[]; readonly total: number };

export type TimelineEntry = {
  readonly atMs: number;
  readonly what:
    | 'claimed'
    | 'attempt'
    | 'handed-over'
    | 'accepted'
    | 'refused'
    | 'not-sent'
    | 'lost'
    | 'told'
    | 'conflict'
    | 'bounced'
    | 'replied';
  readonly attempt: number | null;
  /** In words, for a person. */
  readonly text: string;
  /** The mail server's own words, folded as a quote. */
  readonly quote: string | null;
};

export type MailDetail = MailRow & {
  readonly messageId: string;
  /** The html as approved, for a sandboxed frame; null where the mail has text only. */
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly { readonly name: string; readonly sizeBytes: number }[];
  readonly timeline: readonly TimelineEntry[];
};

export type TodayView = {
  readonly status: StatusView;
  readonly currentMail: MailRow | null;
};

/** One question, one answer. An answer can be undone until `undoUntilMs`, before the cloud is told. */
export type Question =
  | {
      readonly kind: 'uncertain';
      readonly mail: MailRow;
      readonly known: string;
      readonly quote: string | null;
      readonly answer: PendingAnswer | null;
    }
  | { readonly kind: 'conflict'; readonly mail: MailRow; readonly here: string; readonly cloud: string }
  /** An address that bounced for good, and the mails to it that wait; `text` is what the other server said. */
  | {
      readonly kind: 'held-address';
      readonly address: string;
      readonly text: string;
      readonly mails: readonly MailRow[];
      readonly count: number;
    }
  /** `hold` is the kind of what stops the sending: account, keychain, token, ledger or fault. */
  | {
      readonly kind: 'account';
      readonly hold: string;
      readonly text: string;
      readonly sinceMs: number;
      readonly untilMs: number | null;
    }
  /** `mails` are the newest of `count`; `newestAtMs` is when the newest of them failed. */
  | {
      readonly kind: 'failed';
      readonly cause: string;
      readonly mails: readonly MailRow[];
      readonly count: number;
      readonly newestAtMs: number;
    };
export type PendingAnswer = { readonly as: 'sent' | 'not-sent'; readonly undoUntilMs: number };

export type AccountView = {
  readonly address: string;
  readonly name: string | null;
  readonly userName: string;
  readonly smtp: SmtpServer;
  readonly login: MailLogin;
  /** Its password or sign-in is in the keychain. */
  readonly hasSecret: boolean;
};

export type SetUpView = {
  readonly pairing: { readonly cloudUrl: string; readonly userName: string } | null;
  readonly account: AccountView | null;
  /** Asked once at set-up; null until then. */
  readonly startAtLogin: boolean | null;
  readonly isDone: boolean;
};

export type AccountInput = {
  readonly address: string;
  readonly name: string | null;
  readonly userName: string;
  readonly login: MailLogin;
  /** Empty takes the stored one again, and for any login but by password. */
  readonly password: string;
  /** Whether the provider's page is opened for the person, or what an earlier sign-in left is used again. */
  readonly signIn: 'now' | 'kept';
  readonly smtp: SmtpServer;
  /** Where the folders are read; null takes the one stored for this address, if any. */
  readonly imap: ImapServer | null;
  /** One mail to oneself, with the person's consent. */
  readonly testMail: 'send' | 'none';
};

/** What a live check came to; `next` says what to do. */
export type CheckOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly text: string; readonly next?: string; readonly quote: string | null };

/** The server found behind an address, and what its provider wants; null where nobody knows. Texts are in words. */
export type ServerGuess = {
  readonly smtp: SmtpServer;
  readonly imap: ImapServer | null;
  readonly userName: string;
  /** Where the answer comes from. */
  readonly source: string;
  readonly secretKind: SecretKind;
  /** Whose sign-in with the browser can be used here; null where there is none or the office set none up. */
  readonly signIn: SignInProvider | null;
  readonly takesPassword: boolean;
  /** What the provider wants and how to come by it, one line each. */
  readonly advice: readonly string[];
  /** Where its secret is made: the provider's id, to open its page by, and the page's host; null where there is none. */
  readonly page: { readonly provider: string; readonly host: string } | null;
  /** A question for the person where nobody vouches for the server; it is taken only after a yes. */
  readonly question: string | null;
} | null;

export type SettingsInput = {
  readonly pace: Pace;
  readonly language: Language | 'system';
  readonly startAtLogin: boolean;
};

/** `provider` says in words what the account's mail provider itself allows; null where nobody knows. */
export type SettingsView = SettingsInput & {
  readonly provider: { readonly name: string; readonly allows: string } | null;
};

/** The way to cloud and mail servers. */
export type ProxyView = { readonly proxy: ProxyChoice; readonly hasPassword: boolean };

export type ProxyInput = {
  readonly proxy: ProxyChoice;
  /** Empty takes the stored one again. */
  readonly password: string;
};

/** One program that is part of this one, with the words it was given under. `license` is an SPDX expression. */
export type LicenceView = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
};

export type AboutView = {
  readonly version: string;
  readonly electron: string;
  readonly chromium: string;
  readonly node: string;
  readonly platform: string;
  readonly dataFolder: string;
};
