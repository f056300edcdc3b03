import type { CheckProgress } from '../account-check.ts';
import type { Language } from '../texts/language.ts';
import type {
  AboutView,
  AccountInput,
  CheckOutcome,
  LicenceView,
  MailDetail,
  MailPage,
  MailQuery,
  ProxyInput,
  ProxyView,
  Question,
  ServerGuess,
  SettingsInput,
  SettingsView,
  SetUpView,
  TodayView,
} from './views.ts';

/** The window's requests: what goes in, what comes back. Every one is asynchronous and answers an IpcResult. */
export type Requests = {
  today: { readonly in: null; readonly out: TodayView };
  mails: { readonly in: MailQuery; readonly out: MailPage };
  mail: { readonly in: { readonly id: string }; readonly out: MailDetail | null };
  questions: { readonly in: null; readonly out: readonly Question[] };
  answer: { readonly in: { readonly mailId: string; readonly as: 'sent' | 'not-sent' }; readonly out: null };
  /** A person has taken note of a conflict. */
  'note-conflict': { readonly in: { readonly mailId: string }; readonly out: null };
  /** A person has taken note of the mails refused for one cause, up to the newest that was shown. */
  'note-failures': { readonly in: { readonly cause: string; readonly upToMs: number }; readonly out: null };
  'undo-answer': { readonly in: { readonly mailId: string }; readonly out: null };
  'lift-address': { readonly in: { readonly address: string }; readonly out: null };
  pause: { readonly in: { readonly until: 'hour' | 'today' | 'resume' }; readonly out: null };
  resume: { readonly in: null; readonly out: null };
  /** The account is tried at once, whatever it waits for; a pause that somebody chose stays. */
  'try-now': { readonly in: null; readonly out: null };
  'check-now': { readonly in: null; readonly out: null };
  'set-up': { readonly in: null; readonly out: SetUpView };
  pair: { readonly in: { readonly cloudUrl: string; readonly code: string }; readonly out: CheckOutcome };
  /** `offline`: there is no network to ask anybody. */
  'guess-server': { readonly in: { readonly address: string }; readonly out: ServerGuess | 'offline' };
  /** Opens in the browser the page on which a provider makes its codes; only ids of known providers are taken. */
  'open-provider-page': { readonly in: { readonly provider: string }; readonly out: null };
  'save-account': { readonly in: AccountInput; readonly out: CheckOutcome };
  /** Ends the sign-in with the browser that `save-account` waits for. */
  'stop-sign-in': { readonly in: null; readonly out: null };
  'finish-set-up': { readonly in: { readonly startAtLogin: boolean }; readonly out: null };
  settings: { readonly in: null; readonly out: SettingsView };
  'save-settings': { readonly in: SettingsInput; readonly out: CheckOutcome };
  proxy: { readonly in: null; readonly out: ProxyView };
  /** Tries the way to the cloud, where one is paired, and stores only what works. */
  'save-proxy': { readonly in: ProxyInput; readonly out: CheckOutcome };
  language: { readonly in: null; readonly out: Language };
  about: { readonly in: null; readonly out: AboutView };
  licences: { readonly in: null; readonly out: readonly LicenceView[] };
  'export-log': { readonly in: null; readonly out: { readonly file: string } | null };
  'open-data-folder': { readonly in: null; readonly out: null };
  'copy-diagnostics': { readonly in: null; readonly out: null };
};

/** What main tells the window by itself. */
export type Events = {
  /** Something the window shows may have changed; it asks for what it shows. */
  changed: null;
  /** A step of the live check that `save-account` makes. */
  'account-check': CheckProgress;
  /** A place to go to: from a notification, the tray or a second start. */
  'go-to': { readonly place: 'today' | 'mails' | 'needs-you' | 'settings' | 'set-up' };
};

export type RequestName = keyof Requests;
export type EventName = keyof Events;

export const REQUEST_NAMES = [
  'today',
  'mails',
  'mail',
  'questions',
  'answer',
  'note-conflict',
  'note-failures',
  'undo-answer',
  'lift-address',
  'pause',
  'resume',
  'try-now',
  'check-now',
  'set-up',
  'pair',
  'guess-server',
  'open-provider-page',
  'save-account',
  'stop-sign-in',
  'finish-set-up',
  'settings',
  'save-settings',
  'proxy',
  'save-proxy',
  'language',
  'about',
  'licences',
  'export-log',
  'open-data-folder',
  'copy-diagnostics',
] as const satisfies readonly RequestName[];

export const EVENT_NAMES = ['changed', 'account-check', 'go-to'] as const satisfies readonly EventName[];

/** The name under which a request or an event crosses from page to main or back. */
export const requestChannel = (name: RequestName): string => `request:${name}`;
export const eventChannel = (name: EventName): string => `event:${name}`;

/** Errors travel as values: a code for the program, a text for the person. */
export type IpcResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: { readonly code: 'refused' | 'bad-arguments' | 'failed'; readonly text: string };
    };

/** What preload gives the page, and nothing else. */
export type Bridge = {
  request<N extends RequestName>(name: N, argument: Requests[N]['in']): Promise<IpcResult<Requests[N]['out']>>;
  /** Returns its own undo. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
};
