/** One call about one mail, as a client saw it. `endMs` is infinite where no definite answer came. */
export type Call = {
  readonly startMs: number;
  readonly endMs: number;
  readonly act: Act;
  /** The cloud's word; null where it may or may not have happened. */
  readonly answer: Answer | null;
};

export type Act =
  /** The mail is among those of a claim. */
  | { readonly kind: 'claim'; readonly agent: string; readonly claimId: string }
  | { readonly kind: 'begin'; readonly agent: string; readonly nonce: string }
  | { readonly kind: 'not-sent'; readonly nonce: string }
  | {
      readonly kind: 'result';
      readonly agent: string;
      readonly nonce: string | null;
      readonly outcome: 'sent' | 'send_failed' | 'uncertain';
      readonly told: string;
    }
  | { readonly kind: 'release'; readonly agent: string }
  | { readonly kind: 'cancel' | 'give-back' }
  /** What the row says once everybody is done. */
  | { readonly kind: 'look' };

/** `done` with what it answered beside, or the code of a refusal. */
export type Answer = { readonly done: string } | { readonly refused: string };

/** A mail as the contract describes it. */
export type MailModel = {
  readonly status: 'queued' | 'sending' | 'sent' | 'send_failed' | 'cancelled';
  readonly agent: string | null;
  readonly claimId: string | null;
  readonly begun: string | null;
  readonly retired: readonly string[];
  readonly isUncertain: boolean;
  readonly told: string | null;
};

export const QUEUED: MailModel = {
  status: 'queued',
  agent: null,
  claimId: null,
  begun: null,
  retired: [],
  isUncertain: false,
  told: null,
};

/**
 * What the contract allows: the mail after this act, if the act may be answered so at this moment, and null if it may
 * not. Without an answer whatever the act does is allowed.
 */
export function after(mail: MailModel, act: Act, answer: Answer | null): MailModel | null {
  const said = answer === null ? null : 'done' in answer ? answer.done : answer.refused;
  const refused = answer !== null && 'refused' in answer;
  const isOpen = mail.status === 'sending' && mail.begun === null && !mail.isUncertain;
  const given: MailModel = { ...mail, status: 'queued', agent: null, claimId: null };
  switch (act.kind) {
    case 'claim': {
      if (mail.status === 'queued') return { ...mail, status: 'sending', agent: act.agent, claimId: act.claimId };
      const isSame = mail.status === 'sending' && mail.agent === act.agent && mail.claimId === act.claimId;
      return isSame ? mail : null;
    }
    case 'begin': {
      const why = beginRefusal(mail, act);
      if (refused) return why === said ? mail : null;
      return why === null ? { ...mail, begun: act.nonce } : null;
    }
    case 'not-sent': {
      const isFinal = mail.status !== 'queued' && mail.status !== 'sending';
      const isCleared = !isFinal && mail.begun === act.nonce;
      if (said !== null && said !== String(isCleared)) return null;
      if (isFinal) return mail;
      const retired = mail.retired.includes(act.nonce) ? mail.retired : [...mail.retired, act.nonce].sort();
      return isCleared ? { ...mail, begun: null, isUncertain: false, retired } : { ...mail, retired };
    }
    case 'result':
      return afterResult(mail, act, said, refused);
    case 'release': {
      if (refused) return said === releaseRefusal(mail, act.agent) ? mail : null;
      if (mail.status === 'queued') return mail;
      return isOpen && mail.agent === act.agent ? given : null;
    }
    case 'give-back':
      // Its refusal names what was there a moment later; it did nothing.
      if (refused) return mail;
      return isOpen ? given : null;
    case 'cancel':
      if (said === 'too-late') return mail.status === 'cancelled' ? null : mail;
      if (said === 'already') return mail.status === 'cancelled' ? mail : null;
      return mail.status === 'queued' || isOpen ? { ...mail, status: 'cancelled' } : null;
    case 'look': {
      const seen = [mail.status, mail.agent, mail.begun, mail.isUncertain, mail.told].join(' ');
      return seen === said ? mail : null;
    }
  }
}

function beginRefusal(mail: MailModel, act: Extract<Act, { kind: 'begin' }>): string | null {
  if (mail.status === 'cancelled') return 'cancelled';
  if (mail.status === 'sent' || mail.status === 'send_failed') return 'already-final';
  if (mail.status === 'queued' || mail.agent !== act.agent) return 'not-holder';
  if (mail.retired.includes(act.nonce)) return 'nonce-retired';
  if (mail.begun === act.nonce) return null;
  return mail.begun !== null || mail.isUncertain ? 'already-begun' : null;
}

function releaseRefusal(mail: MailModel, agent: string): string | null {
  if (mail.status !== 'sending') return 'not-sending';
  if (mail.agent !== agent) return 'not-holder';
  return mail.begun !== null || mail.isUncertain ? 'already-begun' : null;
}

function afterResult(
  mail: MailModel,
  act: Extract<Act, { kind: 'result' }>,
  said: string | null,
  refused: boolean,
): MailModel | null {
  const { outcome, told } = act;
  const word = resultWord(mail, act);
  if (refused) return word === said ? mail : null;
  if (word === 'again') return said === null || said === 'again' ? mail : null;
  if (word !== 'taken' || (said !== null && said !== 'taken')) return null;
  return outcome === 'uncertain' ? { ...mail, isUncertain: true } : { ...mail, status: outcome, told };
}

function resultWord(mail: MailModel, act: Extract<Act, { kind: 'result' }>): string {
  const knowsNonce = act.nonce !== null && act.nonce === mail.begun;
  if (mail.status === 'queued') return 'not-sending';
  if (mail.status !== 'sending') {
    return mail.status === act.outcome && mail.told === act.told ? 'again' : 'conflicting-result';
  }
  if (mail.agent !== act.agent && !knowsNonce) return 'not-holder';
  if (act.outcome === 'uncertain' && mail.isUncertain) return 'again';
  if (knowsNonce) return 'taken';
  if (act.outcome === 'uncertain') return act.nonce === null ? 'taken' : 'wrong-nonce';
  return act.outcome === 'send_failed' && mail.begun === null ? 'taken' : 'wrong-nonce';
}
