import type { ReplyClass, SmtpReply, Stage } from '../../shared/wire/messages.ts';
import type { BrokenCause } from './attempt-end.ts';
import { decodeReply } from './reply-bytes.ts';
import { type EnvelopeCommand, FALLBACK_RULES, REPLY_RULES, type ReplyAction, type ReplyRule } from './reply-rules.ts';

/**
 * What an attempt came to and what follows from it.
 * `accepted`: the server took the mail over (`class` says nothing then). `refused`: this mail ends. `not-sent`: the
 * mail stays; its account pauses, backs off, or the mail waits. `uncertain`: a person decides, never the agent.
 */
export type Verdict = {
  readonly class: ReplyClass;
  readonly outcome: 'accepted' | 'not-sent' | 'refused' | 'uncertain';
  readonly action: ReplyAction;
  /** For `back-off-account` and `retry-later`, milliseconds; null where nothing is waited for. */
  readonly waitMs: number | null;
  /** From which hit in a row on the wait ends with the provider's day instead; null where it never does. */
  readonly untilMidnightFrom: 1 | 2 | null;
  /** The line of the reply table that decided, for the log. */
  readonly ruleId: string;
};

/** How often a reply about one mail may put it off; then it counts as refused. Connections are not counted. */
export const RETRY_LATER_MAX = 3;

const PLAIN = { waitMs: null, untilMidnightFrom: null } as const;
const CONNECTION_WAIT_MS = 60_000;
const OUT_OF_STEP_WAIT_MS = 300_000;

/**
 * Judges a complete reply. After the gate a 2yz is acceptance, a 5yz and a 4yz prove that the mail was not taken, and
 * what says nothing about the mail (421, idle lines, other codes) leaves it uncertain. Before the gate nothing is.
 * `command` tells the three commands of stage `envelope` apart where it is known. Never throws.
 */
export function classify(stage: Stage, reply: SmtpReply, command?: EnvelopeCommand): Verdict {
  const final = stage === 'handed-over';
  if (final && reply.code >= 200 && reply.code < 300) {
    return { ...PLAIN, class: 'local', outcome: 'accepted', action: 'none', ruleId: 'accepted' };
  }
  if (reply.code < 400) return final ? uncertain('out-of-step') : later(OUT_OF_STEP_WAIT_MS, 'out-of-step');
  if (final && reply.code === 421) return uncertain('closing-421');
  const text = comparable(reply.text);
  const fits = (rule: ReplyRule) => matches(rule, stage, command, reply, text);
  const rule = REPLY_RULES.find(fits) ?? FALLBACK_RULES.find(fits);
  if (rule === undefined) return final ? uncertain('no-rule') : later(OUT_OF_STEP_WAIT_MS, 'no-rule');
  if (rule.action === 'never-auto-retry') return final ? uncertain(rule.id) : later(CONNECTION_WAIT_MS, rule.id);
  const isFinal = rule.finalFor?.test(reply.enhanced ?? '') === true;
  const action = isFinal ? 'fail-recipient' : rule.action;
  return {
    class: rule.class,
    outcome: action === 'fail-recipient' ? 'refused' : 'not-sent',
    action,
    waitMs: isFinal ? null : (rule.waitMs ?? null),
    untilMidnightFrom: rule.untilMidnightFrom ?? null,
    ruleId: rule.id,
  };
}

/**
 * Judges a dialogue that ended without a complete reply: uncertain after the gate, whatever the cause. The last of the
 * fallbacks: it has no reply to look at.
 */
export function classifyBroken(stage: Stage, cause: BrokenCause): Verdict {
  if (stage === 'handed-over') return uncertain('fb-none');
  const ruleId = `broken-${cause}`;
  const verdict = (
    replyClass: ReplyClass,
    outcome: Verdict['outcome'],
    action: ReplyAction,
    waitMs: number | null,
  ): Verdict => ({ ...PLAIN, class: replyClass, outcome, action, waitMs, ruleId });
  switch (cause) {
    case 'dns':
    case 'refused':
    case 'timeout':
    case 'dropped':
    case 'proxy-unreachable':
    case 'sign-in-unreachable':
      return later(CONNECTION_WAIT_MS, ruleId);
    case 'tls':
    case 'out-of-step':
    case 'too-much':
    case 'proxy-login':
    case 'proxy-refused':
      // A server that speaks out of turn seldom mends within a minute, and a proxy's rules neither.
      return later(OUT_OF_STEP_WAIT_MS, ruleId);
    case 'certificate':
    case 'starttls-missing':
      return verdict('connection', 'not-sent', 'stop-ask-user', null);
    case 'auth-not-offered':
    case 'no-credentials':
    case 'sign-in-again':
      return verdict('auth', 'not-sent', 'stop-ask-user', null);
    case 'smtputf8-missing':
      return verdict('recipient-invalid', 'refused', 'fail-recipient', null);
    case 'size-exceeded':
      return verdict('too-big', 'refused', 'fail-recipient', null);
    case 'stopped':
      return verdict('local', 'not-sent', 'none', null);
  }
}

const uncertain = (ruleId: string): Verdict => ({
  ...PLAIN,
  class: 'ambiguous',
  outcome: 'uncertain',
  action: 'never-auto-retry',
  ruleId,
});

const later = (waitMs: number, ruleId: string): Verdict => ({
  ...PLAIN,
  class: 'connection',
  outcome: 'not-sent',
  action: 'retry-later',
  waitMs,
  ruleId,
});

function matches(
  rule: ReplyRule,
  stage: Stage,
  command: EnvelopeCommand | undefined,
  reply: SmtpReply,
  text: string,
): boolean {
  if (rule.stage !== undefined && rule.stage !== stage) return false;
  if (rule.command !== undefined && (rule.command !== command || stage !== 'envelope')) return false;
  if (rule.code !== undefined && !rule.code.test(String(reply.code))) return false;
  if (rule.enhanced !== undefined && !rule.enhanced.test(reply.enhanced ?? '')) return false;
  return rule.text === undefined || rule.text.test(text);
}

/** One line, readable: line ends with the codes repeated behind them become a space, raw bytes become characters. */
function comparable(text: string): string {
  return decodeReply(text)
    .replace(/[\r\n]+(?:\d{3}[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?/g, ' ')
    .replace(/\s+/g, ' ');
}
