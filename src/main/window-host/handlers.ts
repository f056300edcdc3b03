import type { CheckProgress } from '../../shared/account-check.ts';
import type { IpcResult, RequestName, Requests } from '../../shared/ipc/channels.ts';
import type { AboutView, AccountView, CheckOutcome, LicenceView, SettingsInput } from '../../shared/ipc/views.ts';
import { providerById } from '../../shared/providers/providers.ts';
import { err, type Result } from '../../shared/result.ts';
import type { AppChoices, MailAccount } from '../../shared/settings.ts';
import { DESKTOP_TEXTS, type DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { WindowReads } from '../adapters/sqlite/window-reads.ts';
import type { ResolveRoutes } from '../adapters/tunnel/tunnel.ts';
import { type FoundServer, type Mailbox, mailboxOf } from '../core/discovery/found-server.ts';
import type { NotFound } from '../engine/discovery/discover-server.ts';
import type { Clock, Ledger, LedgerChange, Secrets } from '../engine/ports.ts';
import { signInChanges, signInClients } from '../engine/sign-in-clients.ts';
import { pair } from '../pair.ts';
import { checkSetting } from '../set-up.ts';
import type { AgentHost } from './agent-host.ts';
import { mailDetail, mailRow } from './mail-views.ts';
import { bound, pairRefusal } from './pair.ts';
import { pauseUntilMs } from './pause-until.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { providerAllows } from './provider-allows.ts';
import { proxyView, saveProxyHere } from './proxy-settings.ts';
import { failedByCause, questionsOf } from './questions.ts';
import { createAccountSaver } from './save-account.ts';
import { serverGuess } from './server-guess.ts';

/** What the desktop does for a request beyond the agent itself. */
export type Desktop = {
  about(): AboutView;
  /** Of every program inside this one. */
  licences(): Promise<Result<readonly LicenceView[], 'unreadable'>>;
  /** Answers the file saved, null where the person thought better of it. */
  exportLog(): Promise<IpcResult<{ readonly file: string } | null>>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  /** Shows a page in the system's browser; rejects where there is none. */
  openPage(url: string): Promise<void>;
  /** The same for a page to sign in at. */
  openSignIn(url: string): Promise<void>;
  setStartAtLogin(wanted: 'on' | 'off'): void;
};

export type HandlerParts = {
  readonly host: AgentHost;
  readonly ledger: Ledger;
  readonly reads: WindowReads;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly answers: PendingAnswers;
  readonly desktop: Desktop;
  readonly resolveRoutes: ResolveRoutes;
  readonly version: string;
  /** The server behind an address. */
  readonly discover: (mailbox: Mailbox) => Promise<Result<FoundServer, NotFound>>;
  /** Tells the window how the check of an account goes on. */
  readonly tellCheck: (progress: CheckProgress) => void;
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
  const { host, ledger, reads, secrets, clock, answers, desktop, version, discover, resolveRoutes } = parts;
  const texts = (): DesktopTexts => DESKTOP_TEXTS[host.language()];
  const accounts = createAccountSaver(parts);
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
      return done({ status, currentMail });
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
    'note-conflict': ({ mailId }) =>
      saved(host.save([{ kind: 'seen', what: 'conflict', mailIds: [mailId], atMs: clock.nowMs() }], 'none')),
    'note-failures'({ cause, upToMs }) {
      const nowMs = clock.nowMs();
      // One that failed after the person looked is still to be shown.
      const looked = (failedByCause({ reads, language: host.language(), nowMs }).get(cause) ?? []).filter(
        ({ changedAtMs }) => changedAtMs <= upToMs,
      );
      const mailIds = looked.map(({ id }) => id);
      return saved(host.save([{ kind: 'seen', what: 'failure', mailIds, atMs: nowMs }], 'none'));
    },
    'undo-answer': ({ mailId }) => (answers.undo(mailId) ? done(null) : failed(texts().answerGiven)),
    pause: ({ until }) => saved(host.pause(pauseUntilMs(until, clock.nowMs()))),
    resume: () => saved(host.resume()),
    'try-now': () => saved(host.tryNow()),
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
      const boundTo = bound(host.setUp().pairing, ledger.counts());
      const paired = await pair(
        { secrets, version, boundTo, tunnel: host.tunnels().web },
        { ...typed, agentName: null },
      );
      if (!paired.ok) return done(pairRefusal(texts(), paired.error));
      const written = host.save(
        [
          { kind: 'setting', key: 'pairing', value: paired.value.pairing },
          ...signInChanges(ledger, paired.value.signIn),
          { kind: 'hold-lifted', holdKind: 'token' },
        ],
        'restart',
      );
      return done(written.ok ? { ok: true } : { ok: false, text: texts().saveFailed, quote: null });
    },
    async 'guess-server'({ address }) {
      const mailbox = mailboxOf(address);
      const found = mailbox === null ? err('unknown' as const) : await discover(mailbox);
      if (found.ok) return done(serverGuess(found.value, host.language(), signInClients(ledger)));
      return done(found.error === 'offline' ? 'offline' : null);
    },
    'save-account': async (input) => done(await accounts.save(input)),
    'stop-sign-in'() {
      accounts.stopSignIn();
      return done(null);
    },
    async 'open-provider-page'({ provider }) {
      const page = providerById(provider)?.page ?? null;
      if (page !== null) await desktop.openPage(page);
      return done(null);
    },
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
      const { pace, account } = host.setUp();
      const provider = account === null ? null : providerAllows(account, host.language());
      return done({ pace, language, startAtLogin: startAtLogin ?? false, provider });
    },
    'save-settings': (wanted) => done(saveSettings(parts, wanted, choose)),
    proxy: () => done(proxyView(host)),
    'save-proxy': async (input) => done(await saveProxyHere({ host, secrets, resolveRoutes }, input)),
    language: () => done(host.language()),
    about: () => done(desktop.about()),
    async licences() {
      const read = await desktop.licences();
      return read.ok ? done(read.value) : failed(texts().wrong);
    },
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

function accountView({ address, name, userName, smtp, login }: MailAccount, host: AgentHost): AccountView {
  // The account is stored only after its secret was; reading the keychain to be sure could hang for seconds.
  const hasSecret = !host.status().holds.some(({ kind }) => kind === 'keychain');
  return { address, name, userName, smtp, login, hasSecret };
}

function saveSettings(
  { host, desktop }: HandlerParts,
  wanted: SettingsInput,
  choose: (change: Partial<AppChoices>) => LedgerChange,
): CheckOutcome {
  const texts = DESKTOP_TEXTS[host.language()];
  const pace = checkSetting('pace', wanted.pace);
  if (!pace.ok) return { ok: false, text: texts.badArguments, quote: pace.error };
  const { language, startAtLogin } = wanted;
  const before = host.choices();
  const isSamePace = JSON.stringify(host.setUp().pace) === JSON.stringify(pace.value);
  const changes: LedgerChange[] = [
    // The usual pace goes with the account; it is somebody's choice only once they changed it.
    ...(isSamePace ? [] : [{ kind: 'setting', key: 'pace', value: pace.value } as const]),
    choose({ language, startAtLogin }),
  ];
  // Pace and language are what a running agent was started with.
  const written = host.save(changes, isSamePace && before.language === language ? 'none' : 'restart');
  if (!written.ok) return { ok: false, text: texts.saveFailed, quote: null };
  if (startAtLogin !== before.startAtLogin) desktop.setStartAtLogin(startAtLogin ? 'on' : 'off');
  return { ok: true };
}
