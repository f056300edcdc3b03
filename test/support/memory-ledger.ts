import { type Fact, factRequest, type HeldAddress } from '../../src/main/core/facts.ts';
import { HOLD_KINDS, type Hold } from '../../src/main/core/hold.ts';
import type { MailEvent, Report, StateKind } from '../../src/main/core/mail-state.ts';
import type { TaskCounts } from '../../src/main/core/progress.ts';
import { step } from '../../src/main/core/step.ts';
import { farthestWaitMs, isOver } from '../../src/main/core/waits.ts';
import {
  type AttemptRow,
  type CopyEnd,
  type Ledger,
  type LedgerChange,
  type LedgerCounts,
  type LedgerFailure,
  type LedgerMail,
  type NewMail,
  type OutboxRow,
  type ReportEnd,
  TASKS_MAX,
} from '../../src/main/engine/ports.ts';
import { assertNever, err, ok, type Result } from '../../src/shared/result.ts';
import type { TaskTotals } from '../../src/shared/wire/messages.ts';

/** `order`: place among the mails claimed. Stored values are replaced, never changed: copying the maps copies it all. */
type StoredMail = { readonly mail: LedgerMail; readonly order: number };
type StoredReport = OutboxRow & {
  readonly nextTryAtMs: number;
  readonly end: ReportEnd | null;
  readonly seen: boolean;
};
/** `place`: order among all attempts ever started. */
type StoredAttempt = { readonly row: AttemptRow; readonly submittedAtMs: number | null; readonly place: number };

/** Everything that is stored, and indexes into it that a commit keeps in step. */
class Data {
  readonly mails: Map<string, StoredMail>;
  /** Waiting mails, and reports still to be told: what is asked for all the time. */
  readonly claimed: Map<string, StoredMail>;
  readonly untold: Map<number, StoredReport>;
  readonly idsByKey: Map<string, string>;
  readonly kindCounts: Map<StateKind | 'conflict' | 'last-order' | 'last-attempt', number>;
  readonly reports: Map<number, StoredReport>;
  readonly attempts: Map<string, readonly StoredAttempt[]>;
  readonly claims: Map<string, { readonly askedAtMs: number; readonly order: number }>;
  readonly holds: Map<string, Hold>;
  readonly settings: Map<string, unknown>;
  readonly facts: Map<string, readonly Fact[]>;
  readonly names: Map<string, string>;
  readonly copies: Map<string, CopyEnd>;
  readonly heldAddresses: Map<string, HeldAddress>;
  readonly told: Map<string, TaskTotals>;
  constructor(from: Data | null) {
    this.mails = new Map(from?.mails);
    this.claimed = new Map(from?.claimed);
    this.untold = new Map(from?.untold);
    this.idsByKey = new Map(from?.idsByKey);
    this.kindCounts = new Map(from?.kindCounts);
    this.reports = new Map(from?.reports);
    this.attempts = new Map(from?.attempts);
    this.claims = new Map(from?.claims);
    this.holds = new Map(from?.holds);
    this.settings = new Map(from?.settings);
    this.facts = new Map(from?.facts);
    this.names = new Map(from?.names);
    this.copies = new Map(from?.copies);
    this.heldAddresses = new Map(from?.heldAddresses);
    this.told = new Map(from?.told);
  }
}

export type MemoryLedger = Ledger & {
  /** An independent ledger with the same contents: a backup, a cloned disk. */
  copy(): MemoryLedger;
};

export type MemoryLedgerOptions = {
  /** Asked before each commit that has changes; a failure it answers is the commit's answer, and nothing happens. */
  readonly failure?: () => LedgerFailure | null;
};

/** The ledger port without a disk. Its contents outlive `close`, as a file's do: a restart just goes on with it. */
export const memoryLedger = (options: MemoryLedgerOptions = {}): MemoryLedger => ledgerOn(new Data(null), options);

function ledgerOn(data: Data, options: MemoryLedgerOptions): MemoryLedger {
  const { mails, reports } = data;
  /** The mails that `wanted` lets through, in the order claimed. */
  const inOrder = (wanted: (mail: LedgerMail) => boolean): readonly LedgerMail[] =>
    [...mails.values()]
      .filter(({ mail }) => wanted(mail))
      .sort((a, b) => a.order - b.order)
      .map(({ mail }) => mail);
  return {
    commit: (changes) => {
      if (changes.length === 0) return ok(undefined);
      const failure = options.failure?.() ?? null;
      return failure === null ? commit(data, changes) : err(failure);
    },
    mail: (id) => mails.get(id)?.mail ?? null,
    nextDue: (nowMs) => {
      let first: StoredMail | null = null;
      for (const stored of data.claimed.values()) {
        const { state, notBeforeMs } = stored.mail;
        if (state.kind !== 'claimed' || state.settlingNonce !== null) continue;
        const isDue = isOver(state.retryAtMs, nowMs) && (notBeforeMs ?? 0) <= nowMs;
        if (isDue && (first === null || stored.order < first.order)) first = stored;
      }
      return first?.mail ?? null;
    },
    dueAfter: (atMs) => [...data.claimed.values()].filter(({ mail }) => (dueAtMs(mail) ?? 0) > atMs).length,
    nextDueAtMs: () => smallest([...data.claimed.values()].flatMap(({ mail }) => dueAtMs(mail) ?? [])),
    held: (limit) => inOrder(({ state }) => HELD.includes(state.kind)).slice(0, limit),
    heldIds: (limit) =>
      inOrder(({ state }) => HELD.includes(state.kind))
        .slice(0, limit)
        .map(({ id }) => id),
    list: ({ kinds, limit, offset }) =>
      [...mails.values()]
        .filter(({ mail }) => kinds === null || kinds.includes(mail.state.kind))
        .sort((a, b) => b.mail.changedAtMs - a.mail.changedAtMs || b.order - a.order)
        .slice(offset, offset + limit)
        .map(({ mail }) => mail),
    attempts: (mailId) => (data.attempts.get(mailId) ?? []).map(({ row }) => row),
    counts: () => counts(data),
    tasks: (sinceMs) => tasks(data, sinceMs),
    untold: (nowMs, limit) =>
      oldestUntold(data)
        .filter((report) => isOver(report.nextTryAtMs, nowMs))
        .slice(0, limit)
        .map(outboxRow),
    nextUntoldAtMs: () => smallest(oldestUntold(data).map((report) => report.nextTryAtMs)),
    reportFor: (mailId, nonce) => {
      const wanted = (report: StoredReport) =>
        report.mailId === mailId && report.route !== 'fact' && (nonce === null || report.nonce === nonce);
      const found = [...reports.values()].findLast(wanted);
      return found === undefined ? null : { ...outboxRow(found), ended: found.end?.kind ?? null };
    },
    openClaim: () => {
      const [first] = [...data.claims].sort(([, a], [, b]) => a.order - b.order);
      return first === undefined ? null : { claimId: first[0], askedAtMs: first[1].askedAtMs };
    },
    holds: () => HOLD_KINDS.flatMap((kind) => data.holds.get(kind) ?? []),
    recentSubmissions: (limit, nowMs) =>
      [...data.attempts.values()]
        .flat()
        .flatMap(({ submittedAtMs }) => submittedAtMs ?? [])
        .filter((atMs) => atMs <= farthestWaitMs(nowMs))
        .sort((a, b) => b - a)
        .slice(0, limit),
    submissionsSince: (sinceMs, limit) =>
      [...data.attempts]
        .flatMap(([mailId, rows]) =>
          rows.flatMap(({ submittedAtMs }) => (submittedAtMs === null ? [] : [{ atMs: submittedAtMs, mailId }])),
        )
        .filter(({ atMs }) => atMs >= sinceMs)
        .sort((a, b) => b.atMs - a.atMs)
        .slice(0, limit),
    submissionDays: (sinceMs) => {
      const instants = [...data.attempts.values()].flat().flatMap(({ submittedAtMs }) => submittedAtMs ?? []);
      const days = instants.filter((atMs) => atMs >= sinceMs).map((atMs) => Math.floor(atMs / 86_400_000));
      return [...new Set(days)].sort((a, b) => b - a).slice(0, 100);
    },
    recentEnds: (limit) =>
      [...data.attempts.values()]
        .flat()
        .filter(({ row }) => row.endedAtMs !== null)
        .sort((a, b) => b.place - a.place)
        .slice(0, limit)
        .map(({ row }) => row),
    facts: (mailId) => data.facts.get(mailId) ?? [],
    mailNamed: (messageId) => data.names.get(messageId) ?? null,
    lackingCopy: (sinceMs, limit) =>
      [...mails.values()]
        .filter(({ mail }) => mail.state.kind === 'sent' && mail.changedAtMs > sinceMs && !data.copies.has(mail.id))
        .sort((a, b) => a.mail.changedAtMs - b.mail.changedAtMs || a.order - b.order)
        .slice(0, limit)
        .map(({ mail }) => mail),
    heldAddress: (address) => data.heldAddresses.get(address) ?? null,
    heldAddresses: (limit) =>
      [...data.heldAddresses.values()]
        .sort((a, b) => b.sinceMs - a.sinceMs || (a.address < b.address ? -1 : 1))
        .slice(0, limit),
    setting: (key) => data.settings.get(key),
    close: () => undefined,
    copy: () => ledgerOn(new Data(data), options),
  };
}

const HELD: readonly StateKind[] = ['claimed', 'attempting', 'handed-over', 'uncertain'];

function dueAtMs({ state, notBeforeMs }: LedgerMail): number | null {
  if (state.kind !== 'claimed' || state.settlingNonce !== null) return null;
  return Math.max(state.retryAtMs, notBeforeMs ?? 0);
}

const smallest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));

/** The oldest untold report of each mail, oldest first. */
function oldestUntold(data: Data): readonly StoredReport[] {
  const first = new Map<string, StoredReport>();
  for (const report of data.untold.values()) {
    const before = first.get(report.mailId);
    if (before === undefined || report.seq < before.seq) first.set(report.mailId, report);
  }
  return [...first.values()].sort((a, b) => a.seq - b.seq);
}

const outboxRow = ({ nextTryAtMs: _, end: __, seen: ___, ...row }: StoredReport): OutboxRow => row;

function counts(data: Data): LedgerCounts {
  const of = (kind: StateKind | 'conflict') => data.kindCounts.get(kind) ?? 0;
  return {
    claimed: of('claimed'),
    attempting: of('attempting'),
    'handed-over': of('handed-over'),
    sent: of('sent'),
    failed: of('failed'),
    uncertain: of('uncertain'),
    cancelled: of('cancelled'),
    released: of('released'),
    untold: data.untold.size,
    conflicts: of('conflict'),
  };
}

const OPEN: readonly StateKind[] = ['claimed', 'attempting', 'handed-over'];
const SETTLED: readonly StateKind[] = ['sent', 'failed', 'uncertain'];

function tasks(data: Data, sinceMs: number): readonly TaskCounts[] {
  const all = [...data.mails.values()].map(({ mail }) => mail);
  const isShown = ({ state, changedAtMs }: LedgerMail) =>
    OPEN.includes(state.kind) || (SETTLED.includes(state.kind) && changedAtMs >= sinceMs);
  const queued = [...data.told.values()].filter((task) => task.queued > 0).map(({ id }) => id);
  const shown = [...new Set([...all.filter(isShown).map(({ taskId }) => taskId), ...queued])];
  const rows = shown.map((taskId) => {
    const mails = all.filter((mail) => mail.taskId === taskId && [...OPEN, ...SETTLED].includes(mail.state.kind));
    const of = (kinds: readonly StateKind[]) => mails.filter(({ state }) => kinds.includes(state.kind)).length;
    const known = data.told.get(taskId);
    const {
      id: _id,
      name: _name,
      ...told
    } = known ?? { id: taskId, name: '', total: 0, queued: 0, sent: 0, failed: 0 };
    const names = mails.map(({ taskName }) => taskName).sort();
    return {
      lastMs: Math.max(0, ...mails.map(({ changedAtMs }) => changedAtMs)),
      row: {
        taskId,
        name: known?.name ?? names.at(-1) ?? '',
        open: of(OPEN),
        sent: of(['sent']),
        failed: of(['failed']),
        uncertain: of(['uncertain']),
        told: known === undefined ? null : told,
      },
    };
  });
  const inOrder = rows.sort((a, b) => b.lastMs - a.lastMs || (a.row.taskId < b.row.taskId ? -1 : 1));
  return inOrder.slice(0, TASKS_MAX).map(({ row }) => row);
}

type Done = Result<void, LedgerFailure>;

/** Writes to the maps and remembers how to take it back. */
type Draft = {
  readonly data: Data;
  put<K, V>(map: Map<K, V>, key: K, value: V): void;
  drop<K, V>(map: Map<K, V>, key: K): void;
};

function commit(data: Data, changes: readonly LedgerChange[]): Done {
  const undo: (() => void)[] = [];
  const remember = <K, V>(map: Map<K, V>, key: K) => {
    const [before] = map.has(key) ? [map.get(key)] : [];
    undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  };
  const draft: Draft = {
    data,
    put: (map, key, value) => {
      remember(map, key);
      map.set(key, value);
    },
    drop: (map, key) => {
      remember(map, key);
      map.delete(key);
    },
  };
  let happened = false;
  try {
    for (const change of changes) {
      const done = apply(draft, change);
      if (!done.ok) return done;
    }
    happened = true;
    return ok(undefined);
  } finally {
    if (!happened) for (const back of undo.reverse()) back();
  }
}

function apply(draft: Draft, change: LedgerChange): Done {
  const { data } = draft;
  switch (change.kind) {
    case 'claim-asked':
      if (!data.claims.has(change.claimId)) {
        const order = 1 + [...data.claims.values()].reduce((last, claim) => Math.max(last, claim.order), 0);
        draft.put(data.claims, change.claimId, { askedAtMs: change.atMs, order });
      }
      return ok(undefined);
    case 'mails-claimed': {
      if (change.claimId !== null) draft.drop(data.claims, change.claimId);
      for (const mail of change.mails) {
        const done = enter(draft, mail, change.atMs);
        if (!done.ok) return done;
      }
      return ok(undefined);
    }
    case 'mail': {
      const stored = data.mails.get(change.mailId);
      return stored === undefined
        ? err({ kind: 'unknown-mail', mailId: change.mailId })
        : move(draft, stored, change.event, change.atMs);
    }
    case 'report-ended':
      return toReport(draft, change.seq, (report) =>
        report.end === null ? { ...report, end: asJson(change.end) } : report,
      );
    case 'report-postponed':
      return toReport(draft, change.seq, (report) =>
        report.end === null ? { ...report, tries: report.tries + 1, nextTryAtMs: change.untilMs } : report,
      );
    case 'report-reopened':
      return toReport(draft, change.seq, (report) => ({ ...report, end: null, nextTryAtMs: 0, seen: false }));
    case 'fact':
      return addFact(draft, change.mailId, change.fact);
    case 'mail-named':
      return ofKnownMail(draft, change.mailId, () => {
        if (!data.names.has(change.messageId)) draft.put(data.names, change.messageId, change.mailId);
      });
    case 'copy-ended':
      return ofKnownMail(draft, change.mailId, () => {
        if (!data.copies.has(change.mailId)) draft.put(data.copies, change.mailId, change.end);
      });
    case 'address-held':
      return ofKnownMail(draft, change.held.mailId, () => {
        const { held } = change;
        if (!data.heldAddresses.has(held.address)) draft.put(data.heldAddresses, held.address, held);
      });
    case 'address-lifted':
      draft.drop(data.heldAddresses, change.address);
      return ok(undefined);
    case 'hold-set':
      draft.put(data.holds, change.hold.kind, change.hold);
      return ok(undefined);
    case 'hold-lifted':
      draft.drop(data.holds, change.holdKind);
      return ok(undefined);
    case 'tasks-told':
      for (const [id, task] of data.told) draft.put(data.told, id, { ...task, queued: 0 });
      for (const task of change.tasks) draft.put(data.told, task.id, task);
      return ok(undefined);
    case 'seen':
      // That a failure was seen shows in the window's own reads only.
      if (change.what === 'failure') return ok(undefined);
      for (const report of data.reports.values()) {
        if (report.end?.kind === 'conflict' && change.mailIds.includes(report.mailId))
          putReport(draft, { ...report, seen: true });
      }
      return ok(undefined);
    case 'setting':
      if (change.value === undefined) draft.drop(data.settings, change.key);
      else draft.put(data.settings, change.key, asJson(change.value));
      return ok(undefined);
    default:
      return assertNever(change);
  }
}

/** A mail's place behind all the others. */
function nextOrder(draft: Draft): number {
  const order = (draft.data.kindCounts.get('last-order') ?? 0) + 1;
  draft.put(draft.data.kindCounts, 'last-order', order);
  return order;
}

function putMail(draft: Draft, stored: StoredMail): void {
  const { mails, claimed, kindCounts } = draft.data;
  const { id, state } = stored.mail;
  const before = mails.get(id)?.mail.state.kind;
  if (before !== state.kind) {
    if (before !== undefined) draft.put(kindCounts, before, (kindCounts.get(before) ?? 0) - 1);
    draft.put(kindCounts, state.kind, (kindCounts.get(state.kind) ?? 0) + 1);
  }
  draft.put(mails, id, stored);
  if (state.kind === 'claimed') draft.put(claimed, id, stored);
  else if (before === 'claimed') draft.drop(claimed, id);
}

function putReport(draft: Draft, report: StoredReport): void {
  const { reports, untold, kindCounts } = draft.data;
  const isOpenConflict = (one: StoredReport | undefined) => Number(one?.end?.kind === 'conflict' && !one.seen);
  const was = isOpenConflict(reports.get(report.seq));
  const is = isOpenConflict(report);
  if (is !== was) draft.put(kindCounts, 'conflict', (kindCounts.get('conflict') ?? 0) + is - was);
  draft.put(reports, report.seq, report);
  if (report.end === null) draft.put(untold, report.seq, report);
  else if (untold.has(report.seq)) draft.drop(untold, report.seq);
}

function enter(draft: Draft, mail: NewMail, atMs: number): Done {
  const { mails, idsByKey } = draft.data;
  const known = mails.get(mail.id) ?? mails.get(idsByKey.get(mail.idempotencyKey) ?? '');
  if (known === undefined) {
    const state = { kind: 'claimed', attempt: 0, retryAtMs: 0, settlingNonce: null } as const;
    const entered = { ...mail, payload: asJson(mail.payload), changedAtMs: atMs, state };
    putMail(draft, { mail: entered, order: nextOrder(draft) });
    draft.put(idsByKey, mail.idempotencyKey, mail.id);
    return ok(undefined);
  }
  const same =
    known.mail.id === mail.id &&
    known.mail.idempotencyKey === mail.idempotencyKey &&
    known.mail.payloadHash === mail.payloadHash;
  if (!same) return err({ kind: 'key-conflict', mailId: mail.id });
  if (known.mail.state.kind !== 'released') return ok(undefined);
  const { taskId, taskName, notBeforeMs, notAfterMs, claimedAtMs } = mail;
  const taken = { ...known.mail, taskId, taskName, notBeforeMs, notAfterMs, claimedAtMs };
  return move(draft, { mail: taken, order: nextOrder(draft) }, { kind: 'reclaimed' }, atMs);
}

function move(draft: Draft, { mail, order }: StoredMail, event: MailEvent, atMs: number): Done {
  const moved = step(mail, event);
  if (!moved.ok) return err({ kind: 'illegal', mailId: mail.id, move: moved.error });
  const { state, report } = moved.value;
  if (state === mail.state) return ok(undefined);
  const { attempts } = draft.data;
  putMail(draft, { mail: { ...mail, state, changedAtMs: atMs }, order });
  const place = (draft.data.kindCounts.get('last-attempt') ?? 0) + 1;
  draft.put(draft.data.kindCounts, 'last-attempt', place);
  draft.put(attempts, mail.id, afterEvent(attempts.get(mail.id) ?? [], mail.id, event, atMs, place));
  if (report !== null) addReport(draft, mail.id, report);
  return ok(undefined);
}

function addReport(draft: Draft, mailId: string, report: Report): void {
  const { reports } = draft.data;
  const seq = reports.size + 1;
  const nonce = report.route === 'fact' ? null : report.body.nonce;
  const fresh = { tries: 0, nextTryAtMs: 0, end: null, seen: false };
  putReport(draft, { seq, mailId, route: report.route, body: JSON.stringify(report.body), nonce, ...fresh });
}

function ofKnownMail(draft: Draft, mailId: string, change: () => void): Done {
  if (!draft.data.mails.has(mailId)) return err({ kind: 'unknown-mail', mailId });
  change();
  return ok(undefined);
}

function addFact(draft: Draft, mailId: string, fact: Fact): Done {
  const stored = draft.data.mails.get(mailId);
  if (stored === undefined) return err({ kind: 'unknown-mail', mailId });
  const before = draft.data.facts.get(mailId) ?? [];
  if (before.some(({ id }) => id === fact.id)) return ok(undefined);
  draft.put(draft.data.facts, mailId, [...before, fact]);
  addReport(draft, mailId, { route: 'fact', body: factRequest(stored.mail, fact) });
  return ok(undefined);
}

/** A mail's timeline after one more event. */
function afterEvent(
  before: readonly StoredAttempt[],
  mailId: string,
  event: MailEvent,
  atMs: number,
  place: number,
): readonly StoredAttempt[] {
  const open = before.findLast(({ row }) => row.endedAtMs === null);
  const rest = before.filter((attempt) => attempt !== open);
  const fresh = (attempt: number): StoredAttempt => ({
    row: {
      mailId,
      attempt,
      startedAtMs: atMs,
      handedOverAtMs: null,
      endedAtMs: null,
      outcome: null,
      nonce: null,
      failure: null,
      reply: null,
    },
    submittedAtMs: null,
    place,
  });
  switch (event.kind) {
    case 'attempt-started':
      return [...before, fresh(event.attempt)];
    case 'handed-over':
      return open === undefined
        ? before
        : [...rest, { ...open, row: { ...open.row, handedOverAtMs: atMs }, submittedAtMs: atMs }];
    case 'accepted':
    case 'refused':
    case 'not-sent':
    case 'lost': {
      const mine = open ?? fresh(event.attempt);
      const { row, submittedAtMs } = mine;
      const failure = event.kind === 'accepted' ? null : event.failure;
      const reply = event.kind === 'accepted' ? event.reply : event.failure.reply;
      const reached = event.kind === 'accepted' || event.kind === 'lost' || event.failure.stage === 'handed-over';
      const ended = { endedAtMs: atMs, outcome: event.kind, nonce: event.nonce, failure, reply };
      return [...rest, { ...mine, row: { ...row, ...ended }, submittedAtMs: reached ? submittedAtMs : null }];
    }
    case 'withdrawn':
    case 'cleared':
      return open === undefined
        ? before
        : [...rest, { ...open, row: { ...open.row, endedAtMs: atMs }, submittedAtMs: null }];
    case 'concluded':
      return open === undefined ? before : [...rest, { ...open, row: { ...open.row, endedAtMs: atMs } }];
    case 'settled':
    case 'postponed':
    case 'reclaimed':
    case 'resolved':
      return before;
    default:
      return assertNever(event);
  }
}

function toReport(draft: Draft, seq: number, change: (report: StoredReport) => StoredReport): Done {
  const report = draft.data.reports.get(seq);
  if (report === undefined) throw new Error(`there is no report ${seq}`);
  putReport(draft, change(report));
  return ok(undefined);
}

/** What comes back from a column of JSON. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}
