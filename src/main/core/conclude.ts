import { assertNever } from '../../shared/result.ts';
import type { Language } from '../../shared/texts/language.ts';
import { LOCAL_TEXTS, type LocalReason } from '../../shared/texts/local-texts.ts';
import type { ReplyClass, SmtpReply, Stage } from '../../shared/wire/messages.ts';
import type { AttemptEnd, BrokenCause } from './attempt-end.ts';
import { backoffMs } from './backoff.ts';
import { classify, classifyBroken, RETRY_LATER_MAX, type Verdict } from './classify.ts';
import { failureOf } from './failure.ts';
import type { Hold } from './hold.ts';
import type { Failure, MailEvent } from './mail-state.ts';

/** What an attempt's end means: what happens to the mail, and to the account. */
export type Conclusion = {
  readonly event: MailEvent;
  /** A hold to set; `lift-back-off` after a success; null leaves the holds as they are. */
  readonly hold: Hold | 'lift-back-off' | null;
};

export type ConclusionFacts = {
  readonly attempt: number;
  readonly messageId: string;
  readonly language: Language;
  readonly nowMs: number;
  /** In [0, 1). */
  readonly random: number;
  /** Earlier attempts of this mail that the mail server put off. */
  readonly putOffCount: number;
  /** The account's latest back-off, while no mail has gone through since; null for none. */
  readonly backOff: Pick<Hold, 'repeat' | 'text'> | null;
};

const SOON_MS = 30_000;
const CONNECTION = { baseMs: 5_000, capMs: 600_000 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BACK_OFF_MAX_MS = DAY_MS;
/** Not all agents come back with the first second of the day, and the provider's clock may be behind. */
const AFTER_MIDNIGHT_MS = 15 * 60_000;

/** From the end of one attempt to the mail's next event. Never throws; nothing here guesses that a mail was sent. */
export function conclude(end: AttemptEnd, facts: ConclusionFacts): Conclusion {
  const { submission } = end;
  switch (submission.kind) {
    case 'accepted': {
      // The gate opens only after `begin` was asked and granted.
      if (end.nonce === null) throw new Error('a mail was accepted without a nonce');
      const { attempt, messageId } = facts;
      const event = { kind: 'accepted', attempt, nonce: end.nonce, messageId, reply: submission.reply } as const;
      return { event, hold: 'lift-back-off' };
    }
    case 'replied':
      return byVerdict(end, facts, {
        verdict: classify(submission.stage, submission.reply, submission.command),
        ...submission,
        cause: null,
      });
    case 'broken':
      return byVerdict(end, facts, {
        verdict: classifyBroken(submission.stage, submission.cause),
        ...submission,
        reply: null,
      });
    case 'held-back':
      return heldBack(end, facts);
    default:
      return assertNever(submission);
  }
}

type Seen = {
  readonly verdict: Verdict;
  readonly stage: Stage;
  readonly reply: SmtpReply | null;
  readonly cause: BrokenCause | null;
};

function byVerdict(end: AttemptEnd, facts: ConclusionFacts, seen: Seen): Conclusion {
  const { verdict, stage, reply, cause } = seen;
  const { attempt } = facts;
  const failure = failureOf(facts.language, stage, verdict, reply, cause);
  const hold = accountHold(seen, failure, facts);
  if (verdict.outcome === 'uncertain') return { event: lost(end.nonce, facts, failure), hold };
  // Refused after the server had read it, for what it says, it would be refused again, first in line for ever: it has
  // failed, and the account waits for a person, because more of the same would cost the sender's name.
  const isContentRefused = verdict.class === 'content' && (stage === 'body' || stage === 'handed-over');
  if (verdict.outcome === 'refused' || isContentRefused) {
    return { event: { kind: 'refused', attempt, nonce: end.nonce, failure }, hold };
  }
  const isAboutMail = putsOff(verdict);
  if (isAboutMail && facts.putOffCount + 1 >= RETRY_LATER_MAX) {
    const message = `${LOCAL_TEXTS[facts.language]['tried-often']} ${failure.message}`;
    return { event: { kind: 'refused', attempt, nonce: end.nonce, failure: { ...failure, message } }, hold };
  }
  const retryAtMs = facts.nowMs + (isAboutMail ? (verdict.waitMs ?? SOON_MS) : 0);
  return { event: { kind: 'not-sent', attempt, nonce: end.nonce, retryAtMs, failure }, hold };
}

/** Trouble with the connection or the account is never held against the mail; a mail put off too often has failed. */
const putsOff = (verdict: Verdict): boolean => verdict.action === 'retry-later' && verdict.class !== 'connection';

/** True where an earlier attempt ended with a reply that put this mail off. */
export const isPutOff = ({ stage, reply }: Failure): boolean => reply !== null && putsOff(classify(stage, reply));

function accountHold(seen: Seen, failure: Failure, facts: ConclusionFacts): Hold | null {
  const { verdict } = seen;
  const sinceMs = facts.nowMs;
  if (seen.cause === 'no-credentials') {
    return { kind: 'keychain', sinceMs, untilMs: sinceMs + SOON_MS, text: failure.message, repeat: 1 };
  }
  if (verdict.action === 'stop-ask-user')
    return { kind: 'account', sinceMs, untilMs: null, text: failure.message, repeat: 1 };
  if (verdict.action === 'back-off-account') {
    // Only the same again doubles: a line that was down for a while makes no day's pause of a limit's first hit.
    const repeat = facts.backOff?.text === failure.message ? facts.backOff.repeat + 1 : 1;
    const { untilMidnightFrom } = verdict;
    const waitMs =
      untilMidnightFrom === null || repeat < untilMidnightFrom
        ? Math.min(BACK_OFF_MAX_MS, (verdict.waitMs ?? SOON_MS) * 2 ** (repeat - 1))
        : untilMidnightInShanghaiMs(sinceMs) + Math.floor(facts.random * AFTER_MIDNIGHT_MS);
    return { kind: 'back-off', sinceMs, untilMs: sinceMs + waitMs, text: failure.message, repeat };
  }
  // An uncertain end backs off too: a server that takes mails and drops its replies must not eat the whole queue.
  if (verdict.class === 'connection' || verdict.outcome === 'uncertain') {
    const repeat = (facts.backOff?.repeat ?? 0) + 1;
    const waitMs = backoffMs(repeat, facts.random, CONNECTION);
    return { kind: 'back-off', sinceMs, untilMs: sinceMs + waitMs, text: failure.message, repeat };
  }
  return null;
}

/** China keeps one time all year, eight hours ahead of UTC. Answers milliseconds, more than 0 and at most a day. */
const untilMidnightInShanghaiMs = (nowMs: number): number => DAY_MS - ((nowMs + 8 * HOUR_MS) % DAY_MS);

function heldBack(end: AttemptEnd, facts: ConclusionFacts): Conclusion {
  const { attempt, nowMs } = facts;
  const { nonce } = end;
  const local = (reason: LocalReason, replyClass: ReplyClass = 'local') =>
    localFailure(facts.language, reason, replyClass);
  const notSent = (reason: LocalReason, retryAtMs = nowMs + SOON_MS): MailEvent => ({
    kind: 'not-sent',
    attempt,
    nonce,
    retryAtMs,
    failure: local(reason),
  });
  if (!end.marked) return { event: notSent('ledger-unwritable'), hold: null };
  const begin = end.begin ?? ({ kind: 'unknown' } as const);
  switch (begin.kind) {
    case 'granted':
      return { event: notSent('stopped', nowMs), hold: null };
    case 'cancelled':
    case 'released':
      return { event: { kind: 'withdrawn', as: begin.kind }, hold: null };
    case 'expired':
      return { event: { kind: 'refused', attempt, nonce, failure: local('expired', 'expired') }, hold: null };
    case 'payload-changed':
      return { event: { kind: 'refused', attempt, nonce, failure: local('payload-changed', 'payload') }, hold: null };
    case 'begun-elsewhere':
      return { event: lost(null, facts, local('begun-elsewhere')), hold: null };
    case 'token-refused':
      return { event: notSent('token-refused'), hold: tokenHold(facts.language, nowMs) };
    case 'unknown':
      return { event: notSent('begin-unanswered'), hold: null };
    default:
      return assertNever(begin);
  }
}

function lost(nonce: string | null, facts: ConclusionFacts, failure: Failure): MailEvent {
  return { kind: 'lost', attempt: facts.attempt, nonce, messageId: facts.messageId, failure };
}

/** A failure of the agent's own, before or beside the dialogue. */
export function localFailure(language: Language, reason: LocalReason, replyClass: ReplyClass): Failure {
  return { stage: 'prepare', class: replyClass, reply: null, message: LOCAL_TEXTS[language][reason] };
}

export function tokenHold(language: Language, nowMs: number): Hold {
  return { kind: 'token', sinceMs: nowMs, untilMs: null, text: LOCAL_TEXTS[language]['token-refused'], repeat: 1 };
}
