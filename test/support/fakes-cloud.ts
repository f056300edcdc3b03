import type { Cloud, CloudFailure } from '../../src/main/engine/ports.ts';
import { err, ok, type Result } from '../../src/shared/result.ts';
import {
  BeginRequest,
  ClaimRequest,
  HeartbeatRequest,
  NotSentRequest,
  type OtherItem,
  ResultRequest,
  SyncRequest,
  type TaskTotals,
} from '../../src/shared/wire/messages.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { PROBLEMS, type ProblemCode } from '../../src/shared/wire/problem.ts';
import type { VirtualClock } from './fakes-clock.ts';
import { type CloudMail, claimedItem, move, samplePayload, storedResult, TASK, USER_ID } from './fakes-cloud-mail.ts';

export type CallName = 'claim' | 'begin' | 'result' | 'notSent' | 'heartbeat' | 'sync';

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

/** The mails of one user in a cloud in memory, by the rules of the contract. */
export class ModelCloud {
  readonly mails = new Map<string, CloudMail>();
  readonly calls: CallRecord[] = [];
  readonly heartbeats: HeartbeatRequest[] = [];
  /** Told with the next heartbeat. */
  readonly commands: string[] = [];
  /** Faults for the calls to come, by name, in order. `null` is a call that works. */
  readonly faults = new Map<CallName, (CloudFault | null)[]>();
  /** Asked where `faults` has none. */
  faultFor: (name: CallName) => CloudFault | null = () => null;
  tokenRefused = false;
  /** Put in front of the items of the next claims and syncs. */
  readonly extraItems: unknown[] = [];
  readonly #claims = new Map<string, readonly string[]>();
  readonly #clock: VirtualClock;
  #woken = new AbortController();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  // ---- what the office does

  queue(id: string, over: Partial<Pick<CloudMail, 'payload' | 'hash' | 'notAfterMs'>> = {}): CloudMail {
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
      retired: new Set(),
      uncertain: false,
      smtpMessageId: null,
      errorMessage: null,
      history: ['queued'],
    };
    this.mails.set(id, mail);
    this.#woken.abort();
    this.#woken = new AbortController();
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
    const early = mail.status === 'queued' || (mail.status === 'sending' && mail.begun === null && !mail.uncertain);
    if (early) move(mail, 'cancelled');
    return early ? 'stopped' : 'too-late';
  }

  giveBack(id: string): 'queued' | 'too-late' {
    const mail = this.mail(id);
    if (mail.status !== 'sending' || mail.begun !== null || mail.uncertain) return 'too-late';
    mail.agentId = null;
    move(mail, 'queued');
    return 'queued';
  }

  /** An operator's word on a mail that hangs. */
  resolve(
    id: string,
    as: 'sent' | 'send_failed',
    over: { smtpMessageId?: string | null; errorMessage?: string | null } = {},
  ): void {
    const mail = this.mail(id);
    mail.smtpMessageId = over.smtpMessageId ?? null;
    mail.errorMessage = over.errorMessage ?? null;
    move(mail, as);
  }

  /** Its only task, once there is a mail in it. */
  #tasks(): TaskTotals[] {
    const mails = [...this.mails.values()];
    const of = (...wanted: readonly CloudMail['status'][]) =>
      mails.filter(({ status }) => wanted.includes(status)).length;
    const counts = { queued: of('queued'), sent: of('sent'), failed: of('send_failed') };
    const total = counts.queued + counts.sent + counts.failed + of('sending');
    return mails.length === 0 ? [] : [{ ...TASK, total, ...counts }];
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
          route === 'result'
            ? this.#result(agentId, mailId, ResultRequest.parse(request))
            : this.#notSent(mailId, NotSentRequest.parse(request)),
        ),
      heartbeat: (request, signal) =>
        this.#call({ name: 'heartbeat', agentId, mailId: null, request, signal }, () => {
          this.heartbeats.push(HeartbeatRequest.parse(request));
          const commands = this.commands.splice(0).map((kind) => ({ kind }));
          return ok({ server_time: new Date(this.#clock.nowMs()).toISOString(), commands, tasks: this.#tasks() });
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
      const taken = [...this.mails.values()].filter(({ status }) => status === 'queued').slice(0, request.limit);
      for (const mail of taken) {
        mail.agentId = agentId;
        move(mail, 'sending');
      }
      const extra = this.extraItems.length > 0;
      if (taken.length > 0 || extra)
        this.#claims.set(
          claim,
          taken.map((mail) => mail.id),
        );
      else if (signal.aborted || this.#clock.monotonicMs() >= untilMs) break;
      else await this.#clock.sleep(untilMs - this.#clock.monotonicMs(), AbortSignal.any([signal, this.#woken.signal]));
    }
    const held = (this.#claims.get(claim) ?? [])
      .map((id) => this.mail(id))
      .filter((mail) => mail.status === 'sending' && mail.agentId === agentId);
    return ok({ claim_id: request.claim_id, items: [...this.extraItems.splice(0), ...held.map(claimedItem)] });
  }

  #begin(agentId: string, mailId: string, request: BeginRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    if (mail.key !== request.idempotency_key || mail.hash !== request.payload_hash) return refuse('payload-changed');
    if (mail.status === 'cancelled') return refuse('cancelled');
    if (mail.status === 'sent' || mail.status === 'send_failed') return refuse('already-final');
    if (mail.status === 'queued' || mail.agentId !== agentId) return refuse('not-holder');
    if (mail.retired.has(request.nonce)) return refuse('nonce-retired');
    if (mail.begun === request.nonce) return ok(undefined);
    if (mail.begun !== null || mail.uncertain) return refuse('already-begun');
    if (mail.notAfterMs !== null && mail.notAfterMs <= this.#clock.nowMs()) return refuse('expired');
    mail.begun = request.nonce;
    return ok(undefined);
  }

  #notSent(mailId: string, request: NotSentRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    if (mail.key !== request.idempotency_key) return refuse('payload-changed');
    if (mail.status !== 'queued' && mail.status !== 'sending') return ok(undefined);
    if (mail.begun === request.nonce) {
      mail.begun = null;
      mail.uncertain = false;
    }
    mail.retired.add(request.nonce);
    return ok(undefined);
  }

  #result(agentId: string, mailId: string, request: ResultRequest): Answer<void> {
    const mail = this.mails.get(mailId);
    if (mail === undefined) return refuse('not-found');
    if (mail.key !== request.idempotency_key || mail.hash !== request.payload_hash) return refuse('payload-changed');
    const { outcome, nonce } = request;
    if (mail.status === 'queued') return refuse('not-sending');
    if (mail.status !== 'sending') {
      const same =
        mail.status === outcome &&
        mail.smtpMessageId === request.smtp_message_id &&
        mail.errorMessage === request.error_message;
      return same ? ok(undefined) : refuse('conflicting-result', storedResult(mail));
    }
    if (mail.agentId !== agentId) return refuse('not-holder');
    if (outcome === 'uncertain') {
      if (nonce !== null && nonce !== mail.begun) return mail.uncertain ? ok(undefined) : refuse('wrong-nonce');
      mail.uncertain = true;
      return ok(undefined);
    }
    const byEvidence = request.evidence !== null && mail.uncertain && nonce === null;
    const byNonce = nonce !== null && nonce === mail.begun;
    if (!byNonce && !byEvidence && !(outcome === 'send_failed' && mail.begun === null)) return refuse('wrong-nonce');
    mail.smtpMessageId = request.smtp_message_id;
    mail.errorMessage = request.error_message;
    move(mail, outcome);
    return ok(undefined);
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

type Refusal = { readonly code: ProblemCode; readonly stored: unknown };
type Answer<T> = Result<T, Refusal>;
const refuse = (code: ProblemCode, stored: unknown = null) => err({ code, stored });

const asResult = <T>(answer: Answer<T>): Result<T, CloudFailure> =>
  answer.ok ? answer : problem(answer.error.code, answer.error.stored);

const problem = (code: ProblemCode, stored: unknown = null, retryAfterMs: number | null = null) =>
  err({ kind: 'problem', code, detail: PROBLEMS[code].title, stored, retryAfterMs } as const);

const unreachable = () => err({ kind: 'unreachable', text: 'no complete answer' } as const);
