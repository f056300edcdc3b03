import type { Result } from '../../shared/result.ts';
import type {
  BeginRequest,
  ClaimReplyEnvelope,
  HeartbeatReply,
  HeartbeatRequest,
  SmtpReply,
  Stage,
  SyncReplyEnvelope,
  SyncRequest,
  TaskTotals,
} from '../../shared/wire/messages.ts';
import type { ProblemCode } from '../../shared/wire/problem.ts';
import type { Submission } from '../core/attempt-end.ts';
import type { Fact, HeldAddress } from '../core/facts.ts';
import type { Hold, HoldKind } from '../core/hold.ts';
import type { LedgerMail, NewMail } from '../core/ledger-mail.ts';
import type { Letter } from '../core/letter.ts';
import type { Failure, MailEvent, Report, StateKind } from '../core/mail-state.ts';
import type { TaskCounts } from '../core/progress.ts';
import type { ReadyMail } from '../core/ready-mail.ts';
import type { IllegalMove } from '../core/step.ts';

/** The engine's whole world. Adapters make it real; tests and the simulator make it small. Instants are epoch ms. */
export type Ports = {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly cloud: Cloud;
  readonly composer: Composer;
  readonly mailer: Mailer;
  /** Null for an account whose folders are not read. */
  readonly mailbox: Mailbox | null;
  readonly log: Log;
};

// ---- time and chance

export type Clock = {
  /** Wall clock, for what people see and for what must survive a restart. */
  nowMs(): number;
  /** Never goes back; for durations within this process. */
  monotonicMs(): number;
  /** Resolves after `ms` or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves once what is ready to be read and written has had its turn: long work lets replies go first. */
  turn(): Promise<void>;
};

export type Random = {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** 128 random bits or more, URL-safe. */
  nonce(): string;
  uuid(): string;
};

// ---- ledger

export const TASKS_MAX = 20;

export type { LedgerMail, NewMail } from '../core/ledger-mail.ts';

export type OutboxRow = {
  /** Order in which reports were written; from 1. */
  readonly seq: number;
  readonly mailId: string;
  readonly route: Report['route'];
  /** The JSON text to send, byte for byte the same on every try. */
  readonly body: string;
  readonly nonce: string | null;
  /** Tries so far. */
  readonly tries: number;
};

/**
 * How a report ended. `conflict` is shown to a person; the cloud's word stands. `refused`: the cloud takes no such fact,
 * and nothing depends on it.
 */
export type ReportEnd =
  | { readonly kind: 'told' }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'conflict'; readonly problem: string; readonly stored: unknown };

export type LedgerChange =
  | { readonly kind: 'claim-asked'; readonly claimId: string; readonly atMs: number }
  /** The mails of an answered claim or a sync; known keys are left alone, a released one is taken up again. */
  | {
      readonly kind: 'mails-claimed';
      readonly claimId: string | null;
      readonly mails: readonly NewMail[];
      readonly atMs: number;
    }
  | { readonly kind: 'mail'; readonly mailId: string; readonly event: MailEvent; readonly atMs: number }
  | { readonly kind: 'report-ended'; readonly seq: number; readonly end: ReportEnd; readonly atMs: number }
  | { readonly kind: 'report-postponed'; readonly seq: number; readonly untilMs: number }
  /** Tells a report again whose effect the cloud does not show. */
  | { readonly kind: 'report-reopened'; readonly seq: number }
  /** Once for each fact, together with its report. */
  | { readonly kind: 'fact'; readonly mailId: string; readonly fact: Fact; readonly atMs: number }
  /** Another Message-ID under which a mail is answered or comes back. */
  | { readonly kind: 'mail-named'; readonly mailId: string; readonly messageId: string }
  | { readonly kind: 'copy-ended'; readonly mailId: string; readonly end: CopyEnd; readonly atMs: number }
  | { readonly kind: 'address-held'; readonly held: HeldAddress }
  | { readonly kind: 'address-lifted'; readonly address: string }
  | { readonly kind: 'hold-set'; readonly hold: Hold }
  | { readonly kind: 'hold-lifted'; readonly holdKind: HoldKind }
  /** The cloud's latest word on the user's tasks; a task it no longer names has nothing left in the queue. */
  | { readonly kind: 'tasks-told'; readonly tasks: readonly TaskTotals[] }
  /** A person has taken note of these mails' failures or conflicts: they ask for nothing more. */
  | {
      readonly kind: 'seen';
      readonly what: 'failure' | 'conflict';
      readonly mailIds: readonly string[];
      readonly atMs: number;
    }
  | { readonly kind: 'setting'; readonly key: string; readonly value: unknown };

/** What became of the copy of a mail in the Sent folder; `given-up` where the mailbox took none. */
export type CopyEnd = 'kept' | 'there-already' | 'given-up';

/**
 * Why a commit did not happen. Nothing of it is on disk after `illegal`, `key-conflict`, `busy` and `full`. After `io`
 * the adapter has reopened the file and found nothing of it there, or could not reopen it (`reopened: false`).
 */
export type LedgerFailure =
  | { readonly kind: 'illegal'; readonly mailId: string; readonly move: IllegalMove }
  /** The key is known with another payload hash. */
  | { readonly kind: 'key-conflict'; readonly mailId: string }
  | { readonly kind: 'unknown-mail'; readonly mailId: string }
  | { readonly kind: 'busy' | 'full'; readonly text: string }
  | { readonly kind: 'io'; readonly text: string; readonly reopened: boolean };

/** `conflicts`: those no person has taken note of. */
export type LedgerCounts = Record<StateKind, number> & { readonly untold: number; readonly conflicts: number };

/** One line of a mail's timeline. */
export type AttemptRow = {
  readonly mailId: string;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly handedOverAtMs: number | null;
  readonly endedAtMs: number | null;
  /** The event that ended it, null while it runs. */
  readonly outcome: 'accepted' | 'refused' | 'not-sent' | 'lost' | null;
  readonly nonce: string | null;
  readonly failure: Failure | null;
  readonly reply: SmtpReply | null;
};

/**
 * The durable record. Every read sees every earlier commit. Synchronous by design: a mark that guards an effect is on
 * disk when `commit` returns. Reads throw only where the file is broken beyond use.
 */
export type Ledger = {
  /** All of it in one durable transaction, or nothing. Repeating a commit of unknown outcome is harmless. */
  commit(changes: readonly LedgerChange[]): Result<void, LedgerFailure>;
  mail(id: string): LedgerMail | null;
  /** The first waiting mail that may be tried at `nowMs` and is not settling, in the order claimed. */
  nextDue(nowMs: number): LedgerMail | null;
  /** When the earliest waiting mail becomes due, null where none waits. */
  nextDueAtMs(): number | null;
  /** How many waiting mails become due only after `atMs`. */
  dueAfter(atMs: number): number;
  /** Mails that are claimed, attempting, handed over or uncertain, in the order claimed. */
  held(limit: number): readonly LedgerMail[];
  /** The ids of the same. */
  heldIds(limit: number): readonly string[];
  /** Newest change first; `before` is the last row of the page before. */
  list(query: {
    readonly kinds: readonly StateKind[] | null;
    readonly limit: number;
    readonly offset: number;
  }): readonly LedgerMail[];
  attempts(mailId: string): readonly AttemptRow[];
  counts(): LedgerCounts;
  /**
   * Tasks with mails to send here or in the queue, and those changed since `sinceMs`; newest change first, at most
   * TASKS_MAX of them.
   */
  tasks(sinceMs: number): readonly TaskCounts[];
  /** Reports to be told now, oldest first, at most one a mail. */
  untold(nowMs: number, limit: number): readonly OutboxRow[];
  nextUntoldAtMs(): number | null;
  /** The report of an outcome that carries this nonce, or the latest one where `nonce` is null; told or not. */
  reportFor(mailId: string, nonce: string | null): (OutboxRow & { readonly ended: ReportEnd['kind'] | null }) | null;
  /** A claim that was asked and not answered. */
  openClaim(): { readonly claimId: string; readonly askedAtMs: number } | null;
  holds(): readonly Hold[];
  /** In the order learned. */
  facts(mailId: string): readonly Fact[];
  /** The mail that has this other Message-ID. */
  mailNamed(messageId: string): string | null;
  /** Sent since `sinceMs` and without an end of their copy in the Sent folder; the oldest first. */
  lackingCopy(sinceMs: number, limit: number): readonly LedgerMail[];
  heldAddress(address: string): HeldAddress | null;
  /** Newest first. */
  heldAddresses(limit: number): readonly HeldAddress[];
  /**
   * Instants of the latest submissions that may have reached the server, newest first, at most `limit`. Those that a
   * clock ahead of its time wrote into the far future are left out: they would stand before all others for years.
   */
  recentSubmissions(limit: number, nowMs: number): readonly number[];
  /** The same since an instant, with their mails; newest first. */
  submissionsSince(sinceMs: number, limit: number): readonly { readonly atMs: number; readonly mailId: string }[];
  /** Days since 1970 (UTC) with such a submission at or after `sinceMs`, the newest 100. */
  submissionDays(sinceMs: number): readonly number[];
  /** The latest attempts that have ended, newest first. */
  recentEnds(limit: number): readonly AttemptRow[];
  setting(key: string): unknown;
  close(): void;
};

// ---- cloud

export type CloudFailure =
  /** Answered by the contract: nothing happened, or the problem says what. */
  | {
      readonly kind: 'problem';
      readonly code: ProblemCode;
      readonly detail: string;
      readonly stored: unknown;
      readonly retryAfterMs: number | null;
    }
  /** No complete answer: the call may have worked. */
  | { readonly kind: 'unreachable'; readonly text: string }
  /** An answer that the contract does not know: the call may have worked, nothing in the answer is used. */
  | { readonly kind: 'nonsense'; readonly text: string; readonly retryAfterMs: number | null }
  /** The answer is larger than the agent reads. */
  | { readonly kind: 'too-large'; readonly text: string }
  /** The keychain has no usable token (only pairing helps), or cannot be read. */
  | { readonly kind: 'no-credentials'; readonly why: 'missing' | 'unreadable'; readonly text: string };

export type Cloud = {
  claim(
    request: { readonly claimId: string; readonly limit: number; readonly waitSeconds: number },
    signal: AbortSignal,
  ): Promise<Result<ClaimReplyEnvelope, CloudFailure>>;
  begin(mailId: string, request: BeginRequest, signal: AbortSignal): Promise<Result<void, CloudFailure>>;
  /** Tells one outbox row; the reply names the mail it is for, or it is `nonsense`. */
  report(row: Pick<OutboxRow, 'mailId' | 'route' | 'body'>, signal: AbortSignal): Promise<Result<void, CloudFailure>>;
  heartbeat(request: HeartbeatRequest, signal: AbortSignal): Promise<Result<HeartbeatReply, CloudFailure>>;
  sync(request: SyncRequest, signal: AbortSignal): Promise<Result<SyncReplyEnvelope, CloudFailure>>;
  close(): Promise<void>;
};

// ---- message and submission

export type { BrokenCause, Submission } from '../core/attempt-end.ts';

/** A finished RFC 5322 message with its envelope: exactly one recipient, addresses in ASCII where that is possible. */
export type ComposedMessage = {
  readonly messageId: string;
  readonly envelope: { readonly from: string; readonly to: string; readonly needsSmtpUtf8: boolean };
  readonly bytes: Buffer;
};

export type Composer = {
  /** Fetches and checks attachments, builds the message field by field. */
  compose(mail: ReadyMail, signal: AbortSignal): Promise<Result<ComposedMessage, ComposeFailure>>;
};
export type ComposeFailure = {
  /** `permanent`: this mail can never be built. `temporary`: an attachment could not be fetched now. */
  readonly kind: 'permanent' | 'temporary';
  readonly failure: Failure;
};

/** Passes once the last bytes may leave; says why not otherwise. Awaited after 354, before the last bytes. */
export type Gate = () => Promise<'open' | 'shut'>;

export type Mailer = {
  /**
   * Sends one message over the account's one kept connection, opening or renewing it first. Never throws, never
   * retries, never sends to more than the one recipient. `onStage` hears each stage as it is entered. Before
   * `handed-over` an abort drops the connection; after it, the reply is waited for.
   */
  submit(
    message: ComposedMessage,
    watch: { readonly onStage: (stage: Stage) => void; readonly gate: Gate },
    signal: AbortSignal,
  ): Promise<Submission>;
  /** Says QUIT on the kept connection, if there is one; never throws. */
  close(): Promise<void>;
};

// ---- the account's own folders

/** What happened on the way to the mailbox; `text` is for a person and names no address. Nothing of it touches sending. */
export type MailboxFailure = {
  /** `login`: the server refused user or password. `busy`: a limit or a fault of the server's, worth another try. */
  readonly kind: 'unreachable' | 'login' | 'no-folder' | 'refused' | 'busy' | 'no-credentials' | 'stopped';
  readonly text: string;
};

/** A mail that was found by the Message-ID it was composed with. */
export type FoundMail = {
  readonly messageId: string;
  /** Microsoft gives a mail a new Message-ID and keeps ours in a header of its own. */
  readonly by: 'message-id' | 'original-message-id';
  /** The Message-ID it has in the folder, null where it has none. */
  readonly currentMessageId: string | null;
  readonly copies: number;
};

/** `folder` as the server names it; mails that are not in `found` were not seen there, which proves nothing by itself. */
export type FolderSearch = { readonly folder: string; readonly found: readonly FoundMail[] };

/** A message to be kept in the Sent folder. `dateMs` becomes the date under which the folder lists it. */
export type SentCopy = { readonly messageId: string; readonly bytes: Buffer; readonly dateMs: number };

/** How far the inbox was read: valid while the folder is the same one. Source: RFC 9051 2.3.1.1. */
export type InboxCursor = { readonly uidValidity: string; readonly uidNext: number };

/** The account's mailbox, read for evidence. Each call is one short connection with a deadline; none ever throws. */
export type Mailbox = {
  /** Looks for mails by Message-ID; angle brackets included. */
  find(
    where: 'sent' | 'inbox',
    messageIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<FolderSearch, MailboxFailure>>;
  /**
   * Puts each copy into the Sent folder, marked as read, unless one is there. One that the folder does not take is
   * `refused`; those missing from the answer were not tried.
   */
  keepCopies(
    copies: readonly SentCopy[],
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, 'kept' | 'there-already' | 'refused'>, MailboxFailure>>;
  /** What came into the inbox since the cursor, or since `sinceMs` where there is none; `isRest` where more waits. */
  letters(
    cursor: InboxCursor | null,
    sinceMs: number,
    signal: AbortSignal,
  ): Promise<
    Result<
      { readonly cursor: InboxCursor; readonly letters: readonly Letter[]; readonly isRest: boolean },
      MailboxFailure
    >
  >;
};

// ---- secrets and log

export type SecretName = 'agent-token' | 'smtp-password' | 'mail-sign-in' | 'proxy-password';
export type SecretFailure = {
  readonly kind: 'missing' | 'locked' | 'unavailable' | 'timeout';
  /** What happened and what to do, for a person. */
  readonly text: string;
};
export type Secrets = {
  get(name: SecretName): Promise<Result<string, SecretFailure>>;
  set(name: SecretName, value: string): Promise<Result<void, SecretFailure>>;
  delete(name: SecretName): Promise<Result<void, SecretFailure>>;
};

/** What may be logged: ids, codes, counts, durations. Never an address, a subject, a body or a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
};
