import type { CheckProgress } from '../../../src/shared/account-check.ts';
import { deferred } from '../../../src/shared/deferred.ts';
import type { Bridge, EventName, Events, IpcResult, RequestName, Requests } from '../../../src/shared/ipc/channels.ts';
import type {
  AccountInput,
  PendingAnswer,
  ProxyView,
  Question,
  SettingsView,
  SetUpView,
} from '../../../src/shared/ipc/views.ts';
import type { Pace } from '../../../src/shared/settings.ts';
import type { Language } from '../../../src/shared/texts/language.ts';
import { exampleCheck, exampleGuess } from './example-check.ts';
import { type Example, example, exampleDetail, exampleMail, type Scene } from './example-scenes.ts';
import { EXAMPLE_WORDS } from './example-words.ts';

/** What the page's address asks of the fake agent. */
export type FakeOptions = { readonly scene: Scene; readonly language: Language };

export type FakeAgent = Bridge & {
  /** Every request so far: name and argument. */
  readonly asked: readonly string[];
  readonly emit: <N extends EventName>(name: N, payload: Events[N]) => void;
};

const UNDO_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Written out: in the page the schema's own would ask for code from text, which the policy refuses. */
const PACE: Pace = {
  gapMinMs: 20_000,
  gapMaxMs: 60_000,
  perMinute: 3,
  perHour: 60,
  perDay: 300,
  perHourPerDomain: 20,
  rampUpDays: 10,
  pauseAfterEqualErrors: 5,
  pauseAboveRefusedPercent: 40,
  workingHours: null,
};

type Handlers = {
  readonly [N in RequestName]: (argument: Requests[N]['in']) => Requests[N]['out'] | Promise<Requests[N]['out']>;
};

/** Stands in for preload and main: answers every request from an example, and remembers what it was told. */
export function fakeAgent(options: FakeOptions): FakeAgent {
  const nowMs = Date.now();
  const asked: string[] = [];
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  let language = options.language;
  let shown: Example = example(options.scene, language, nowMs);
  let settings: SettingsView = {
    pace: PACE,
    language: 'system',
    startAtLogin: true,
    provider: { name: 'QQ', allows: EXAMPLE_WORDS[language].providerAllows },
  };
  let proxy: ProxyView = { proxy: { kind: 'system', userName: null, mail: 'direct' }, hasPassword: false };
  let setUp: SetUpView = shown.isSetUp
    ? readySetUp(language)
    : { pairing: null, account: null, startAtLogin: null, isDone: false };
  const answers = new Map<string, PendingAnswer>();
  const signInStopped = deferred<void>();

  const emit = <N extends EventName>(name: N, payload: Events[N]): void => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never);
  };
  const changed = (): void => emit('changed', null);
  const say = (next: Partial<Example>): null => {
    shown = { ...shown, ...next };
    changed();
    return null;
  };
  const withAnswer = (question: Question): Question =>
    question.kind === 'uncertain' ? { ...question, answer: answers.get(question.mail.id) ?? null } : question;

  const handlers: Handlers = {
    today: () => ({ status: shown.status, currentMail: shown.currentMail }),
    mails({ kinds, text, offset, limit }) {
      const sought = text.toLowerCase();
      const rows = Array.from({ length: shown.mailCount }, (_, index) => exampleMail(index, language, nowMs)).filter(
        (row) =>
          (kinds === null || kinds.includes(row.kind)) &&
          `${row.toName ?? ''} ${row.toAddress} ${row.subject}`.toLowerCase().includes(sought),
      );
      return { rows: rows.slice(offset, offset + limit), total: rows.length };
    },
    mail: ({ id }) => exampleDetail(Number(id.slice('mail-'.length)), language, nowMs),
    questions: () => shown.questions.map(withAnswer),
    answer({ mailId, as }) {
      const answer: PendingAnswer = { as, undoUntilMs: Date.now() + UNDO_MS };
      answers.set(mailId, answer);
      setTimeout(() => {
        if (answers.get(mailId) !== answer) return;
        say({ questions: shown.questions.filter((one) => one.kind !== 'uncertain' || one.mail.id !== mailId) });
      }, UNDO_MS);
      return say({});
    },
    'lift-address'({ address }) {
      return say({
        questions: shown.questions.filter((one) => one.kind !== 'held-address' || one.address !== address),
      });
    },
    'note-conflict': ({ mailId }) =>
      say({ questions: shown.questions.filter((one) => one.kind !== 'conflict' || one.mail.id !== mailId) }),
    'note-failures': ({ cause }) =>
      say({ questions: shown.questions.filter((one) => one.kind !== 'failed' || one.cause !== cause) }),
    'undo-answer'({ mailId }) {
      answers.delete(mailId);
      return say({});
    },
    pause({ until }) {
      const untilMs = until === 'hour' ? Date.now() + HOUR_MS : null;
      const hold = { kind: 'user', sinceMs: Date.now(), untilMs, text: EXAMPLE_WORDS[language].paused };
      return say({ status: { ...shown.status, state: 'paused', holds: [hold] } });
    },
    resume: () => say({ status: { ...shown.status, state: 'sending', holds: [] } }),
    'try-now'() {
      const holds = shown.status.holds.filter(({ kind }) => kind === 'user' || kind === 'cloud');
      return say({ status: { ...shown.status, state: holds.length === 0 ? 'sending' : 'paused', holds } });
    },
    'check-now': () => null,
    'set-up': () => setUp,
    async pair({ cloudUrl, code }) {
      await moment();
      if (code === 'WRONG')
        return { ok: false, text: EXAMPLE_WORDS[language].codeRefused, quote: 'pairing-code-unknown' };
      setUp = { ...setUp, pairing: { cloudUrl, userName: EXAMPLE_WORDS[language].user } };
      return { ok: true };
    },
    'guess-server': ({ address }) => exampleGuess(address, language),
    'open-provider-page': () => null,
    'stop-sign-in'() {
      signInStopped.resolve();
      return null;
    },
    async 'save-account'(input) {
      const tell = (one: CheckProgress): void => emit('account-check', one);
      const outcome = await exampleCheck(input, language, { tell, moment, signInStopped: signInStopped.promise });
      if (outcome.ok) setUp = { ...setUp, account: accountOf(input) };
      return outcome;
    },
    'finish-set-up'({ startAtLogin }) {
      setUp = { ...setUp, startAtLogin, isDone: true };
      return null;
    },
    settings: () => settings,
    'save-settings'(next) {
      settings = { ...settings, ...next };
      language = next.language === 'system' ? options.language : next.language;
      changed();
      return { ok: true };
    },
    proxy: () => proxy,
    'save-proxy'(input) {
      proxy = { proxy: input.proxy, hasPassword: input.proxy.kind !== 'none' && input.proxy.userName !== null };
      return { ok: true };
    },
    language: () => language,
    about: () => ({
      version: '0.1.0',
      electron: '45.5.0',
      chromium: '154.0.7712.40',
      node: '24.21.0',
      platform: 'Windows 11',
      dataFolder: 'C:\\Users\\Lena Hoffmann\\AppData\\Roaming\\Mail Agent',
    }),
    licences: () => [
      {
        name: 'preact',
        version: '11.2.0',
        license: 'MIT',
        text: 'The MIT License (MIT)\n\nCopyright (c) 2015-present Jason Miller',
      },
    ],
    'export-log': () => ({ file: 'C:\\Users\\Lena Hoffmann\\Documents\\mail-agent-log.jsonl' }),
    'open-data-folder': () => null,
    'copy-diagnostics': () => null,
  };

  return {
    asked,
    emit,
    async request<N extends RequestName>(name: N, argument: Requests[N]['in']): Promise<IpcResult<Requests[N]['out']>> {
      asked.push(`${name} ${JSON.stringify(argument)}`);
      if (options.scene === 'broken' && name !== 'language' && name !== 'set-up') {
        return { ok: false, error: { code: 'failed', text: EXAMPLE_WORDS[language].cause } };
      }
      return { ok: true, value: await handlers[name](argument) };
    },
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener as (payload: never) => void));
      return () => void all.delete(listener as (payload: never) => void);
    },
  };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

const accountOf = ({ address, name, userName, smtp, login }: AccountInput): SetUpView['account'] => ({
  address,
  name,
  userName,
  smtp,
  login,
  hasSecret: true,
});

const readySetUp = (language: Language): SetUpView => ({
  pairing: { cloudUrl: 'https://mail.example.com', userName: EXAMPLE_WORDS[language].user },
  account: {
    address: 'lena.hoffmann@example.com',
    name: EXAMPLE_WORDS[language].user,
    userName: 'lena.hoffmann@example.com',
    smtp: { host: 'smtp.example.com', port: 465, security: 'tls', caFile: null },
    login: 'password',
    hasSecret: true,
  },
  startAtLogin: true,
  isDone: true,
});
