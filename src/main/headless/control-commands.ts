import { StatusView } from '../../shared/status.ts';
import { holdLine } from '../../shared/texts/hold-texts.ts';
import { exportLog } from '../adapters/log/export-log.ts';
import { openLedgerReadOnly } from '../adapters/sqlite/open-ledger.ts';
import { agentState } from '../core/plan.ts';
import { heldMails, liftChanges } from '../engine/held-addresses.ts';
import { pauseChange, resolveChange, resumeChanges, tryNowChanges } from '../engine/person.ts';
import type { Ledger, LedgerChange } from '../engine/ports.ts';
import { currentTasks, mailCounts } from '../engine/status.ts';
import { checkSetting, readSetUp } from '../set-up.ts';
import { askRunningAgent, type ControlRequest } from './control.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, setUpOf } from './open.ts';
import { progressLine } from './progress.ts';
import { logFolder, resolveProblem } from './run-command.ts';
import { clockTime, type Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/**
 * Commands about an agent that may be running: they ask it over its control socket, and where none runs they write
 * into the ledger themselves.
 */

/** True where the running agent has done it. */
async function askRunning(terminal: Terminal, request: ControlRequest): Promise<boolean> {
  const asked = await askRunningAgent(terminal.folder, request);
  if (asked.ok) return true;
  if (asked.error.kind === 'refused') throw new CommandError(EXIT.noSuchMail, asked.error.text);
  return false;
}

function commitHere(
  terminal: Terminal,
  changes: (ledger: ReturnType<typeof openForWriting>) => readonly LedgerChange[],
): void {
  const ledger = openForWriting(terminal);
  try {
    const written = ledger.commit(changes(ledger));
    if (!written.ok) throw new CommandError(EXIT.ledger, `the ledger refused: ${written.error.kind}`);
  } finally {
    ledger.close();
  }
}

export async function pauseCommand(terminal: Terminal, untilMs: number | null): Promise<void> {
  if (!(await askRunning(terminal, { command: 'pause', untilMs }))) {
    commitHere(terminal, () => [pauseChange(terminal.language, Date.now(), untilMs)]);
  }
  const { texts, language } = terminal;
  terminal.result(
    { paused: true, untilMs },
    untilMs === null ? texts.paused : texts.pausedUntil(clockTime(untilMs, language)),
  );
}

export async function resumeCommand(terminal: Terminal): Promise<void> {
  if (!(await askRunning(terminal, { command: 'resume' }))) commitHere(terminal, resumeChanges);
  terminal.result({ resumed: true }, terminal.texts.resumed);
}

/** `try-now`: the account is tried at once, whatever it waits for. */
export async function tryNowCommand(terminal: Terminal): Promise<void> {
  if (!(await askRunning(terminal, { command: 'try-now' }))) commitHere(terminal, tryNowChanges);
  terminal.result({ tried: true }, terminal.texts.tried);
}

/** `lift ADDRESS`: mails to an address that bounced may begin again. */
export async function liftCommand(terminal: Terminal, address: string): Promise<void> {
  if (!(await askRunning(terminal, { command: 'lift', address }))) {
    commitHere(terminal, (ledger) => liftChanges(ledger, address, Date.now()));
  }
  terminal.result({ lifted: address }, terminal.texts.lifted(address));
}

export async function resolveCommand(terminal: Terminal, mailId: string, as: 'sent' | 'not-sent'): Promise<void> {
  if (!(await askRunning(terminal, { command: 'resolve', mailId, as }))) {
    commitHere(terminal, (ledger) => {
      const mail = ledger.mail(mailId);
      const problem = mail === null ? 'unknown-mail' : mail.state.kind !== 'uncertain' ? 'not-uncertain' : null;
      if (mail === null || problem !== null) {
        throw new CommandError(EXIT.noSuchMail, resolveProblem(terminal, mailId, problem ?? 'unknown-mail'));
      }
      const accountAddress = setUpOf(ledger).account?.address ?? '';
      return [resolveChange(mail, as, { language: terminal.language, accountAddress, nowMs: Date.now() })];
    });
  }
  terminal.result({ resolved: mailId, as }, terminal.texts.resolved(mailId, as));
}

/** `set KEY JSON`: one setting, checked before it is stored. */
export function setCommand(terminal: Terminal, key: string, json: string): void {
  if (key !== 'pace' && key !== 'signIn') {
    throw new CommandError(EXIT.usage, `There is no setting "${key}" to set here. Allowed: pace, signIn.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new CommandError(
      EXIT.usage,
      `setting ${key}: the value is not JSON: ${cause instanceof Error ? cause.message : ''}`,
    );
  }
  const checked = checkSetting(key, value);
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  commitHere(terminal, () => [{ kind: 'setting', key, value: checked.value }]);
  terminal.result({ set: key, value: checked.value }, terminal.texts.setting(key));
}

/** `status`: the running agent's own word, or what the ledger says. */
export async function statusCommand(terminal: Terminal): Promise<void> {
  const asked = await askRunningAgent(terminal.folder, { command: 'status' });
  const read = openLedgerReadOnly({ folder: terminal.folder });
  if (!read.ok) {
    throw new CommandError(read.error.kind === 'missing' ? EXIT.notSetUp : EXIT.ledger, read.error.text);
  }
  const ledger = read.value;
  try {
    const running = asked.ok;
    const status = running ? readStatus(asked.value) : restingStatus(ledger);
    const uncertain = ledger.list({ kinds: ['uncertain'], limit: 50, offset: 0 }).map((mail) => mail.id);
    const held = heldMails(ledger);
    const setUp = readSetUp(ledger);
    const account = setUp.ok ? (setUp.value.account?.address ?? null) : null;
    const time = (atMs: number): string => clockTime(atMs, terminal.language);
    const lines = [
      ...(running ? [] : [terminal.texts.notRunning]),
      progressLine(status, terminal.language),
      ...status.holds.flatMap((hold) => [`- ${hold.text}`, `  ${holdLine(terminal.language, hold, time)}`]),
      ...uncertain.map((id) => `? ${id}`),
      ...held.map((one) => `- ${terminal.texts.heldAddress(one.address, one.mails.length, one.text)}`),
    ];
    const heldAddresses = held.map(({ address, text, mails }) => ({ address, text, mails: mails.map(({ id }) => id) }));
    terminal.result({ running, account, ...status, uncertainMails: uncertain, heldAddresses }, lines.join('\n'));
  } finally {
    ledger.close();
  }
}

function readStatus(answer: unknown): StatusView {
  const parsed = StatusView.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandError(EXIT.fault, 'The running agent is of another version and its answer cannot be read.');
}

function restingStatus(
  ledger: Pick<Ledger, 'counts' | 'holds' | 'held' | 'heldAddresses' | 'tasks' | 'list'>,
): StatusView {
  const counts = mailCounts(ledger);
  const openQuestions = counts.uncertain + counts.conflicts + heldMails(ledger).length;
  const holds = ledger.holds();
  return {
    state: agentState({ holds, cloudReachable: true, sending: false, openQuestions, nowMs: Date.now() }),
    synced: false,
    counts,
    tasks: currentTasks(ledger, Date.now()),
    current: null,
    waiting: null,
    holds,
    lastHeartbeatAtMs: null,
    cloudReachable: false,
  };
}

export async function exportLogCommand(terminal: Terminal, to: string): Promise<void> {
  const saved = await exportLog({ folder: logFolder(terminal.folder), to, version: VERSION });
  if (!saved.ok) throw new CommandError(EXIT.usage, saved.error);
  terminal.result({ saved: saved.value }, terminal.texts.logSaved(saved.value));
}
