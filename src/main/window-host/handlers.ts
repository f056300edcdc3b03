import type { IpcResult, RequestName, Requests } from '../../shared/ipc/channels.ts';
import type { AboutView, AccountInput, AccountView, CheckOutcome, SettingsView } from '../../shared/ipc/views.ts';
import { type AppChoices, MailAccount } from '../../shared/settings.ts';
import { DESKTOP_TEXTS, type DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { WindowReads } from '../adapters/sqlite/window-reads.ts';
import { checkAccount } from '../check-account.ts';
import type { Clock, Ledger, LedgerChange, Secrets } from '../engine/ports.ts';
import { checkAs, checkSetting } from '../set-up.ts';
import type { AgentHost } from './agent-host.ts';
import { domainOfAddress, guessServer } from './guess-server.ts';
import { mailDetail, mailRow } from './mail-views.ts';
import { bound, pairHere } from './pair.ts';
import { pauseUntilMs } from './pause-until.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { questionsOf } from './questions.ts';

const TASKS_MAX = 20;

/** What the desktop does for a request beyond the agent itself. */
export type Desktop = {
  about(): AboutView;
  /** Answers the file saved, null where the person thought better of it. */
  exportLog(): Promise<IpcResult<{ readonly file: string } | null>>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  setStartAtLogin(wanted: 'on' | 'off'): void;
  /** Names of the servers that receive a domain's mail, none where nobody knows. */
  receiversOf(domain: string): Promise<readonly string[]>;
};

export type HandlerParts = {
  readonly host: AgentHost;
  readonly ledger: Ledger;
  readonly reads: WindowReads;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly answers: PendingAnswers;
  readonly desktop: Desktop;
  readonly version: string;
};

export type Handlers = {
  readonly [N in RequestName]: (
    argument: Requests[N]['in'],
  ) => IpcResult<Requests[N]['out']> | Promise<IpcResult<Requests[N]['out']>>;
};

const done = <T>(value: T): IpcResult<T> => ({ ok: true, value });
const failed = (text: string): IpcResult<never> => ({ ok: false, error: { code: 'failed', text } });

/** One handler for each request of the window; arguments come parsed. None answers a secret. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { host, ledger, reads, secrets, clock, answers, desktop, version } = parts;
  const texts = (): DesktopTexts => DESKTOP_TEXTS[host.language()];
  const saved = (written: { readonly ok: boolean }): IpcResult<null> =>
    written.ok ? done(null) : failed(texts().saveFailed);
  const choose = (change: Partial<AppChoices>): LedgerChange => ({
    kind: 'setting',
    key: 'app',
    value: { ...host.choices(), ...change },
  });
  const rowOf = (mailId: string) => {
    const mail = ledger.mail(mailId);
    return mail === null ? null : mailRow(mail);
  };

  return {
    today() {
      const status = host.status();
      const currentMail = status.current === null ? null : rowOf(status.current.mailId);
      return done({ status, currentMail, tasks: reads.tasks(TASKS_MAX) });
    },
    mails: (query) => done(reads.mails(query)),
    mail({ id }) {
      const mail = ledger.mail(id);
      if (mail === null) return done(null);
      const accountAddress = host.setUp().account?.address ?? '';
      const language = host.language();
      const facts = {
        attempts: ledger.attempts(id),
        reports: reads.reports(id),
        facts: ledger.facts(id),
        accountAddress,
        language,
      };
      return done(mailDetail(mail, facts));
    },
    questions: () =>
      done(
        questionsOf({
          ledger,
          reads,
          status: host.status(),
          answerTo: answers.of,
          language: host.language(),
          nowMs: clock.nowMs(),
        }),
      ),
    answer({ mailId, as }) {
      const mail = ledger.mail(mailId);
      if (mail === null) return failed(texts().noSuchMail);
      if (mail.state.kind !== 'uncertain') return failed(texts().notUncertain);
      return answers.add(mailId, as) ? done(null) : failed(texts().wrong);
    },
    'lift-address': ({ address }) => (host.liftAddress(address).ok ? done(null) : failed(texts().wrong)),
    'undo-answer': ({ mailId }) => (answers.undo(mailId) ? done(null) : failed(texts().answerGiven)),
    pause: ({ until }) => saved(host.pause(pauseUntilMs(until, clock.nowMs()))),
    resume: () => saved(host.resume()),
    'check-now'() {
      host.checkNow();
      return done(null);
    },
    'set-up'() {
      const { pairing, account } = host.setUp();
      return done({
        pairing: pairing === null ? null : { cloudUrl: pairing.cloudUrl, userName: pairing.userName },
        account: account === null ? null : accountView(account, host),
        startAtLogin: host.choices().startAtLogin,
        isDone: host.isSetUp(),
      });
    },
    async pair(typed) {
      const outcome = await pairHere(
        {
          secrets,
          version,
          language: host.language(),
          boundTo: bound(host.setUp().pairing, ledger.counts()),
          save: (value) =>
            host.save(
              [
                { kind: 'setting', key: 'pairing', value },
                { kind: 'hold-lifted', holdKind: 'token' },
              ],
              'restart',
            ).ok,
        },
        typed,
      );
      return done(outcome);
    },
    async 'guess-server'({ address }) {
      const domain = domainOfAddress(address);
      if (domain === null) return done(null);
      return done(guessServer(domain, []) ?? guessServer(domain, await desktop.receiversOf(domain)));
    },
    'save-account': async (input) => done(await saveAccount(parts, input)),
    'finish-set-up'({ startAtLogin }) {
      const { pairing, account } = host.setUp();
      if (pairing === null) return failed(texts().pairFirst);
      if (account === null) return failed(texts().accountFirst);
      const written = host.save([choose({ startAtLogin, setUpDone: true })], 'none');
      if (written.ok) desktop.setStartAtLogin(startAtLogin ? 'on' : 'off');
      return saved(written);
    },
    settings() {
      const { language, startAtLogin } = host.choices();
      return done({ pace: host.setUp().pace, language, startAtLogin: startAtLogin ?? false });
    },
    'save-settings': (wanted) => done(saveSettings(parts, wanted, choose)),
    language: () => done(host.language()),
    about: () => done(desktop.about()),
    'export-log': () => desktop.exportLog(),
    async 'open-data-folder'() {
      await desktop.openDataFolder();
      return done(null);
    },
    'copy-diagnostics'() {
      const { state, counts, holds, cloudReachable, lastHeartbeatAtMs } = host.status();
      const kinds = holds.map(({ kind }) => kind);
      const facts = { ...desktop.about(), state, counts, holds: kinds, cloudReachable, lastHeartbeatAtMs };
      desktop.copyText(JSON.stringify(facts, null, 2));
      return done(null);
    },
  };
}

function accountView({ address, name, userName, smtp }: MailAccount, host: AgentHost): AccountView {
  // The account is stored only after its password was; reading the keychain to be sure could hang for seconds.
  const hasPassword = !host.status().holds.some(({ kind }) => kind === 'keychain');
  return { address, name, userName, smtp, hasPassword };
}

/** Tries the login first; then password and account are stored, and the agent starts anew with them. */
async function saveAccount({ host, secrets }: HandlerParts, input: AccountInput): Promise<CheckOutcome> {
  const texts = DESKTOP_TEXTS[host.language()];
  const { password: typed, ...facts } = input;
  const before = host.setUp().account;
  const kept = before?.address === facts.address ? keptFacts(before) : {};
  const account = checkAs('account', MailAccount, { ...facts, ...kept });
  if (!account.ok) return { ok: false, text: texts.badArguments, quote: account.error };
  let password = typed;
  if (password === '') {
    if (before === null) return { ok: false, text: texts.passwordMissing, quote: null };
    const stored = await secrets.get('smtp-password');
    if (!stored.ok) return { ok: false, text: texts.passwordMissing, quote: stored.error.text };
    password = stored.value;
  }
  const checked = await checkAccount(account.value, password, host.language());
  if (!checked.ok) return { ok: false, ...checked.error };
  if (typed !== '') {
    const stored = await secrets.set('smtp-password', typed);
    if (!stored.ok) return { ok: false, text: stored.error.text, quote: null };
  }
  const written = host.save(
    [
      { kind: 'setting', key: 'account', value: account.value },
      // A login that works answers what the old one was refused for.
      { kind: 'hold-lifted', holdKind: 'account' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ],
    'restart',
  );
  return written.ok ? { ok: true } : { ok: false, text: texts.saveFailed, quote: null };
}

/** What set-up does not ask for stays as it was while the address does. */
const keptFacts = ({ aliases, login, imap, savesSentCopy }: MailAccount) => ({ aliases, login, imap, savesSentCopy });

function saveSettings(
  { host, desktop }: HandlerParts,
  wanted: SettingsView,
  choose: (change: Partial<AppChoices>) => LedgerChange,
): CheckOutcome {
  const texts = DESKTOP_TEXTS[host.language()];
  const pace = checkSetting('pace', wanted.pace);
  if (!pace.ok) return { ok: false, text: texts.badArguments, quote: pace.error };
  const { language, startAtLogin } = wanted;
  const before = host.choices();
  const changes: LedgerChange[] = [
    { kind: 'setting', key: 'pace', value: pace.value },
    choose({ language, startAtLogin }),
  ];
  // Pace and language are what a running agent was started with.
  const isSame = JSON.stringify(host.setUp().pace) === JSON.stringify(pace.value) && before.language === language;
  const written = host.save(changes, isSame ? 'none' : 'restart');
  if (!written.ok) return { ok: false, text: texts.saveFailed, quote: null };
  if (startAtLogin !== before.startAtLogin) desktop.setStartAtLogin(startAtLogin ? 'on' : 'off');
  return { ok: true };
}
