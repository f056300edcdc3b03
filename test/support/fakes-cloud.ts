import { judgeNotSent, judgeResult, mayMove, operatorMay, refuseBegin } from '../../cloud/queue/rules.ts';
import type { Cloud, CloudFailure, OutboxRow } from '../../src/main/engine/ports.ts';
import { assertNever, err, ok, type Result } from '../../src/shared/result.ts';
import {
  BeginRequest,
  ClaimRequest,
  type CloudStatus,
  FactRequest,
  HeartbeatRequest,
  NotSentRequest,
  type OtherItem,
  ResultRequest,
  type SignInIds,
  SyncRequest,
  type TaskTotals,
} from '../../src/shared/wire/messages.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { PROBLEMS, type ProblemCode } from '../../src/shared/wire/problem.ts';
import type { VirtualClock } from './fakes-clock.ts';
import {
  type CloudMail,
  claimedItem,
  factsOf,
  move,
  samplePayload,
  storedResult,
  TASK,
  USER_ID,
} from './fakes-cloud-mail.ts';

export type CallName = 'claim' | 'begin' | 'result' | 'notSent' | 'fact' | 'heartbeat' | 'sync';

/** What goes wrong with one call. After `lose-request` nothing happened; after `lose-reply` it did. */
export type CloudFault =
  | 'lose-request'
  | 'lose-reply'
  | 'nonsense'
  | 'too-large'
  /** The token cannot be read, so nothing is asked. */
  | 'no-credentials'
  /** The keychain answers, and has no token. */
  | 'no-token'
  | 'hang'
  | { readonly problem: ProblemCode; readonly retryAfterMs?: number }
  /** The answer comes later. */
  | { readonly delayMs: number }
  /** The agent hears nothing; the request arrives this much later. */
  | { readonly arriveAfterMs: number };

export type CallRecord = {
  readonly name: CallName;
  readonly agentId: string;
  readonly mailId: string | null;
  readonly atMs: number;
  /** As it went over the wire. */
  readonly body: string;
  /** The problem's code or the way it failed; null for a success. */
  answer: string | null | 'pending';
};

/** What decides in the queue: the cloud's own rules, unless a test breaks one to see it noticed. */
export type CloudRules = {
  readonly refuseBegin: typeof refuseBegin;
  readonly judgeNotSent: typeof judgeNotSent;
  readonly judgeResult: typeof judgeResult;
  readonly operatorMay: typeof operatorMay;
  readonly mayMove: typeof mayMove;
};
export const CLOUD_RULES: CloudRules = { refuseBegin, judgeNotSent, judgeResult, operatorMay, mayMove };

/** Something that changed a mail in the cloud, told right after it did. */
export type CloudChange =
  | { readonly kind: 'move'; readonly by: string; readonly result: ResultRequest | null }
  | { readonly kind: 'begin' | 'not-sent'; readonly by: string; readonly nonce: string }
  | { readonly kind: 'fact'; readonly by: string; readonly fact: FactRequest }
  | { readonly kind: 'uncertain'; readonly by: string; readonly result: ResultRequest };

/** The mails of one user in a cloud in memory, decided by the rules of the real queue. */
export class ModelCloud {
  readonly mails = new Map<string, CloudMail>();
  readonly calls: CallRecord[] = [];
  readonly heartbeats: HeartbeatRequest[] = [];
  /** Told with the next heartbeat. */
  readonly commands: string[] = [];
  /** What the office says about the sign-in with the browser. */
  signIn: SignInIds | undefined;
  /** Asked with each heartbeat, for one agent alone. */
  commandsFor: (agentId: string, request: HeartbeatRequest) => readonly string[] = () => [];
  /** Faults for the calls to come, by name, in order. `null` is a call that works. */
  readonly faults = new Map<CallName, (CloudFault | null)[]>();
  /** Asked where `faults` has none. */
  faultFor: (name: CallName) => CloudFault | null = () => null;
  tokenRefused = false;
  /** Put in front of the items of the next claims and syncs. */
  readonly extraItems: unknown[] = [];
  /** Hears of every change. */
  onChange: (mail: CloudMail, change: CloudChange) => void = () => undefined;
  /** False: `calls` stays empty, which saves a long run its memory. */
  keepsCalls = true;
  /** False: a claim is answered at once, with mails or without. */
  waits = true;
  rules: CloudRules = CLOUD_RULES;
  readonly #claims = new Map<string, readonly string[]>();
  readonly #queued = new Set<CloudMail>();
  readonly #clock: VirtualClock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  // ---- what the office does

  queue(id: string, over: Partial<Pick<CloudMail, 'payload' | 'hash' | 'notAfterMs' | 'resendOf'>> = {}): CloudMail {
    const payload = over.payload ?? samplePayload(id);
    const mail: CloudMail = {
      id,
      userId: USER_ID,
      key: `email-recipient-${id}`,
      hash: over.hash ?? payloadHash(payload),
      payload,
      notAfterMs: over.notAfterMs ?? null,
      status: 'queued',
      agentId: null,
      begun: null,
      retired: [],
      uncertain: false,
      smtpMessageId: null,
      errorMessage: null,
      resendOf: over.resendOf ?? null,
      resentAs: null,
      history: ['queued'],
      facts: new Map(),
    };
    this.mails.set(id, mail);
    this.#queued.add(mail);
    this.#wakeClaims();
    return mail;
  }

  queueMany(count: number): readonly CloudMail[] {
    return Array.from({ length: count }, () => this.queue(`${this.mails.size + 1}`));
  }

  mail(id: string): CloudMail {
    const mail = this.mails.get(id);
    if (mail === undefined) throw new Error(`there is no mail ${id}`);
    return mail;
  }

  cancel(id: string): 'stopped' | 'too-late' {
    const mail = this.mail(id);
    if (!this.#operatorMay('cancel', mail)) return 'too-late';
    this.#move(mail, 'cancelled', 'operator');
    return 'stopped';
  }

  giveBack(id: string): 'queued' | 'too-late' {
    const mail = this.mail(id);
    if (!this.#operatorMay('give-back', mail)) return 'too-late';
    this.#move(mail, 'queued', 'operator');
    // A row that waits has neither holder nor mark: the table's own constraint.
    mail.agentId = null;
    mail.begun = null;
    mail.uncertain = false;
    return 'queued';
  }

  /** An operator's word on a mail that is marked uncertain. */
  settle(
    id: string,
    as: 'sent' | 'send_failed',
    over: { smtpMessageId?: string | null; errorMessage?: string | null } = {},
  ): 'settled' | 'not-uncertain' {
    const mail = this.mail(id);
    if (!this.#operatorMay('resolve', mail)) return 'not-uncertain';
    this.resolve(id, as, over);
    return 'settled';
  }

  /** The same for any mail in `sending`, marked or not: what another copy of the agent may have told meanwhile. */
  resolve(
    id: string,
    as: 'sent' | 'send_failed',
    over: { smtpMessageId?: string | null; errorMessage?: string | null } = {},
  ): void {
    const mail = this.mail(id);
    mail.smtpMessageId = over.smtpMessageId ?? null;
    mail.errorMessage = over.errorMessage ?? null;
    this.#move(mail, as, 'operator');
  }

  /** A new mail with the same content and a key of its own; null where the old one is not at its end, or was used. */
  sendAgain(id: string): CloudMail | null {
    const mail = this.mail(id);
    if (!this.#operatorMay('send-again', mail)) return null;
    const { payload, hash } = mail;
    mail.resentAs = `${id}-again`;
    return this.queue(mail.resentAs, { payload, hash, resendOf: id });
  }

  /** Its only task, once there is a mail in it. */
  #tasks(): TaskTotals[] {
    const counts = { queued: 0, sent: 0, failed: 0 };
    let total = 0;
    for (const { status } of this.mails.values()) {
      if (status === 'queued' || status === 'sent') counts[status] += 1;
      if (status === 'send_failed') counts.failed += 1;
      if (status !== 'cancelled') total += 1;
    }
    return this.mails.size === 0 ? [] : [{ ...TASK, total, ...counts }];
  }

  callsOf(name: CallName): readonly CallRecord[] {
    return this.calls.filter((call) => call.name === name);
  }

  // ---- what an agent does

  /** One agent's way to this cloud. */
  port(agentId = 'agent-1'): Cloud {
    return {
      claim: ({ claimId, limit, waitSeconds }, signal) => {
        const request = ClaimRequest.parse({ claim_id: claimId, limit, wait: waitSeconds });
        return this.#call({ name: 'claim', agentId, mailId: null, request, signal }, () =>
          this.#claim(agentId, request, signal),
        );
      },
      begin: (mailId, request, signal) =>
        this.#call({ name: 'begin', agentId, mailId, request, signal }, () =>
          this.#begin(agentId, mailId, BeginRequest.parse(request)),
        ),
      report: ({ mailId, route, body }, signal) =>
        this.#call({ name: route, agentId, mailId, request: JSON.parse(body), body, signal }, (request) =>
          this.#report(agentId, mailId, route, request),
        ),
      heartbeat: (request, signal) =>
        this.#call({ name: 'heartbeat', agentId, mailId: null, request, signal }, () => {
          this.heartbeats.push(HeartbeatRequest.parse(request));
          const commands = [...this.commands.splice(0), ...this.commandsFor(agentId, request)].map((kind) => ({
            kind,
          }));
          const server_time = new Date(this.#clock.nowMs()).toISOString();
          return ok({ server_time, commands, tasks: this.#tasks(), sign_in: this.signIn });
        }),
      sync: (request, signal) =>
        this.#call({ name: 'sync', agentId, mailId: null, request, signal }, () =>
          this.#sync(agentId, SyncRequest.parse(request)),
        ),
      close: async () => undefined,
    };
  }

  async #call<T>(
    call: {
      readonly name: CallName;
      readonly agentId: string;
      readonly mailId: string | null;
      readonly request: unknown;
      readonly body?: string;
      readonly signal: AbortSignal;
    },
    effect: (request: unknown) => Answer<T> | Promise<Answer<T>>,
  ): Promise<Result<T, CloudFailure>> {
    const { name, agentId, mailId, request, signal } = call;
    if (!this.keepsCalls) return this.#withFault(name, () => effect(request), signal);
    const body = call.body ?? JSON.stringify(request);
    const record: CallRecord = { name, agentId, mailId, atMs: this.#clock.nowMs(), body, answer: 'pending' };
    this.calls.push(record);
    const answer = await this.#withFault(name, () => effect(request), signal);
    record.answer = answer.ok ? null : answer.error.kind === 'problem' ? answer.error.code : answer.error.kind;
    return answer;
  }

  async #withFault<T>(
    name: CallName,
    effect: () => Answer<T> | Promise<Answer<T>>,
    signal: AbortSignal,
  ): Promise<Result<T, CloudFailure>> {
    const planned = this.faults.get(name)?.shift();
    const fault = planned === undefined ? this.faultFor(name) : planned;
    if (signal.aborted || fault === 'lose-request') return unreachable();
    if (fault === 'no-token') return err({ kind: 'no-credentials', why: 'missing', text: 'There is no token.' });
    if (fault === 'no-credentials') return err({ kind: fault, why: 'unreadable', text: 'The keychain is locked.' });
    if (this.tokenRefused) return problem('unauthorized');
    if (fault === null) return asResult(await effect());
    if (fault === 'hang') {
      await this.#clock.sleep(Number.MAX_SAFE_INTEGER, signal);
      return unreachable();
    }
    if (typeof fault === 'object' && 'problem' in fault)
      return problem(fault.problem, null, fault.retryAfterMs ?? null);
    if (typeof fault === 'object' && 'arriveAfterMs' in fault) {
      void this.#clock.sleep(fault.arriveAfterMs, NEVER).then(effect);
      return unreachable();
    }
    const answer = await effect();
    switch (fault) {
      case 'lose-reply':
        return unreachable();
      case 'nonsense':
        return err({ kind: 'nonsense', text: 'no contract', retryAfterMs: null });
      case 'too-large':
        return err({ kind: 'too-large', text: 'too large' });
      default:
        await this.#clock.sleep(fault.delayMs, signal);
        return signal.aborted ? unreachable() : asResult(answer);
    }
  }

  async #claim(agentId: string, request: ClaimRequest, signal: AbortSignal) {
    const claim = `${agentId} ${request.claim_id}`;
    const untilMs = this.#clock.monotonicMs() + request.wait * 1000;
    while (!this.#claims.has(claim)) {
      const taken = this.#oldestQueued(request.limit);
      for (const mail of taken) {
        mail.agentId = agentId;
        this.#move(mail, 'sending', agentId);
      }
      const extra = this.extraItems.length > 0;
      if (taken.length > 0 || extra)
        this.#claims.set(
          claim,
          taken.map((mail) => mail.id),
        );
      else if (!this.waits || signal.aborted || this.#clock.monotonicMs() >= untilMs) break;
      else await this.#waitForMails(untilMs - this.#clock.monotonicMs(), signal);
    }
    const held = (this.#claims.get(claim) ?? [])
      .map((id) => this.mail(id))
      .filter((mail) => mail.status === 'sending' && mail.agentId === agentId);
    return ok({ claim_id: request.claim_id, items: [...this.extraItems.splice(0), ...held.map(claimedItem)] });
  }

  /** In the order of the queue, whichever came back to it late. */
  #oldestQueued(limit: number): readonly CloudMail[] {
    if (this.#queued.size === 0) return [];
    const taken: CloudMail[] = [];
    for (const mail of this.mails.values()) {
      if (taken.length === limit || taken.length === this.#queued.size) break;
      if (mail.status === 'queued') taken.push(mail);
    }
    return taken;
  }

  /** Until a mail is queued, `ms` have passed, or nobody waits any more. */
  #waitForMails(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        cancel();
        resolve();
      };
      const cancel = this.#clock.timeline.after(ms, wake);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #begin(agentId: string, mailId: string, request: BeginRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    const refused = this.rules.refuseBegin(factsOf(mail, this.#clock.nowMs()), identity(agentId), request);
    if (refused !== null) return refuse(refused);
    const isNew = mail.begun !== request.nonce;
    mail.begun = request.nonce;
    if (isNew) this.onChange(mail, { kind: 'begin', by: agentId, nonce: request.nonce });
    return ok(undefined);
  }

  #report(agentId: string, mailId: string, route: OutboxRow['route'], request: unknown): Answer<void> {
    switch (route) {
      case 'result':
        return this.#result(agentId, mailId, ResultRequest.parse(request));
      case 'notSent':
        return this.#notSent(agentId, mailId, NotSentRequest.parse(request));
      case 'fact':
        return this.#fact(agentId, mailId, FactRequest.parse(request));
    }
  }

  #fact(agentId: string, mailId: string, request: FactRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    if (mail.key !== request.idempotency_key || mail.hash !== request.payload_hash) return refuse('payload-changed');
    if (mail.facts.has(request.fact_id)) return ok(undefined);
    mail.facts.set(request.fact_id, request);
    this.onChange(mail, { kind: 'fact', by: agentId, fact: request });
    return ok(undefined);
  }

  #notSent(agentId: string, mailId: string, request: NotSentRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    const effect = this.rules.judgeNotSent(factsOf(mail, this.#clock.nowMs()), request);
    if (effect.kind === 'refused') return refuse(effect.code);
    if (effect.kind === 'nothing') return ok(undefined);
    if (effect.clears) {
      mail.begun = null;
      mail.uncertain = false;
    }
    if (!mail.retired.includes(request.nonce)) {
      mail.retired.push(request.nonce);
      this.onChange(mail, { kind: 'not-sent', by: agentId, nonce: request.nonce });
    }
    return ok(undefined);
  }

  #result(agentId: string, mailId: string, request: ResultRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    const effect = this.rules.judgeResult(factsOf(mail, this.#clock.nowMs()), identity(agentId), request);
    switch (effect.kind) {
      case 'refused':
        return refuse(effect.code, effect.code === 'conflicting-result' ? storedResult(mail) : null);
      case 'repeated':
        return ok(undefined);
      case 'mark-uncertain':
        mail.uncertain = true;
        this.onChange(mail, { kind: 'uncertain', by: agentId, result: request });
        return ok(undefined);
      case 'finish':
        mail.smtpMessageId = request.smtp_message_id;
        mail.errorMessage = request.error_message;
        this.#move(mail, effect.as, agentId, request);
        return ok(undefined);
      default:
        return assertNever(effect);
    }
  }

  #operatorMay(act: Parameters<CloudRules['operatorMay']>[0], mail: CloudMail): boolean {
    return this.rules.operatorMay(act, { ...factsOf(mail, 0), isResent: mail.resentAs !== null });
  }

  #move(mail: CloudMail, to: CloudStatus, by: string, result: ResultRequest | null = null): void {
    move(mail, to, this.rules.mayMove);
    if (to === 'queued') this.#queued.add(mail);
    else this.#queued.delete(mail);
    this.onChange(mail, { kind: 'move', by, result });
    if (to === 'queued') this.#wakeClaims();
  }

  #wakeClaims(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #sync(agentId: string, request: SyncRequest) {
    const held = [...this.mails.values()].filter((mail) => mail.status === 'sending' && mail.agentId === agentId);
    const start = request.after === null ? 0 : held.findIndex((mail) => mail.id === request.after) + 1;
    const page = held.slice(start, start + request.limit);
    const more = start + page.length < held.length;
    const others = request.known.flatMap((id): OtherItem[] => {
      const mail = this.mails.get(id);
      if (mail === undefined) return [{ id, status: 'unknown', smtp_message_id: null, error_message: null }];
      if (held.includes(mail)) return [];
      const { status, smtpMessageId, errorMessage } = mail;
      return [{ id, status, smtp_message_id: smtpMessageId, error_message: errorMessage }];
    });
    const items = page.map((mail) => ({ ...claimedItem(mail), begun_nonce: mail.begun, uncertain: mail.uncertain }));
    return ok({
      items: [...this.extraItems.splice(0), ...items],
      next_after: more ? (page.at(-1)?.id ?? null) : null,
      others,
    });
  }
}

const NEVER = new AbortController().signal;

const identity = (agentId: string) => ({ agentId, userId: USER_ID });

type Refusal = { readonly code: ProblemCode; readonly stored: unknown };
type Answer<T> = Result<T, Refusal>;
const refuse = (code: ProblemCode, stored: unknown = null) => err({ code, stored });

const asResult = <T>(answer: Answer<T>): Result<T, CloudFailure> =>
  answer.ok ? answer : problem(answer.error.code, answer.error.stored);

const problem = (code: ProblemCode, stored: unknown = null, retryAfterMs: number | null = null) =>
  err({ kind: 'problem', code, detail: PROBLEMS[code].title, stored, retryAfterMs } as const);

const unreachable = () => err({ kind: 'unreachable', text: 'no complete answer' } as const);
