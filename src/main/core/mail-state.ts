import type {
  Evidence,
  FactRequest,
  NotSentRequest,
  ReplyClass,
  ResultRequest,
  SmtpReply,
  Stage,
} from '../../shared/wire/messages.ts';

/**
 * Where one mail stands in this agent's ledger. `attempt` is the number of the last attempt that started, 0 for none.
 * `claimed` waits for its next attempt: not before `retryAtMs` (epoch milliseconds), and not while the cloud has yet
 * to hear that the attempt with `settlingNonce` did not send.
 */
export type MailState =
  | {
      readonly kind: 'claimed';
      readonly attempt: number;
      readonly retryAtMs: number;
      readonly settlingNonce: string | null;
    }
  | { readonly kind: 'attempting' | 'handed-over'; readonly attempt: number }
  | { readonly kind: 'sent' | 'failed'; readonly attempt: number }
  | { readonly kind: 'uncertain'; readonly attempt: number; readonly nonce: string | null }
  | { readonly kind: 'cancelled' | 'released'; readonly attempt: number };

export type StateKind = MailState['kind'];

/** Why a mail was not sent, in the contract's words; `message` is for a person. */
export type Failure = {
  readonly stage: Stage;
  readonly class: ReplyClass;
  /** The mail server's complete reply, where there was one. */
  readonly reply: SmtpReply | null;
  readonly message: string;
};

/** What happened to a mail. `nonce` is null where `begin` was not asked. */
export type MailEvent =
  | { readonly kind: 'attempt-started'; readonly attempt: number }
  | { readonly kind: 'handed-over'; readonly attempt: number }
  | {
      readonly kind: 'accepted';
      readonly attempt: number;
      readonly nonce: string;
      readonly messageId: string;
      readonly reply: SmtpReply;
    }
  | { readonly kind: 'refused'; readonly attempt: number; readonly nonce: string | null; readonly failure: Failure }
  | {
      readonly kind: 'not-sent';
      readonly attempt: number;
      readonly nonce: string | null;
      readonly retryAtMs: number;
      readonly failure: Failure;
    }
  | {
      readonly kind: 'lost';
      readonly attempt: number;
      readonly nonce: string | null;
      readonly messageId: string;
      readonly failure: Failure;
    }
  | { readonly kind: 'settled'; readonly nonce: string }
  | { readonly kind: 'postponed'; readonly retryAtMs: number }
  | { readonly kind: 'withdrawn'; readonly as: 'cancelled' | 'released' }
  | { readonly kind: 'cleared'; readonly retryAtMs: number }
  | { readonly kind: 'reclaimed' }
  | {
      readonly kind: 'resolved';
      readonly as: 'sent' | 'failed';
      readonly messageId: string;
      readonly evidence: Evidence;
    }
  | { readonly kind: 'concluded'; readonly as: 'sent' | 'failed' | 'cancelled' };

export type EventKind = MailEvent['kind'];

/** Every legal move: from which states an event may come, where it leads, and what it means. */
export const MOVES: Record<
  EventKind,
  { readonly from: readonly StateKind[]; readonly to: readonly StateKind[]; readonly meaning: string }
> = {
  'attempt-started': { from: ['claimed'], to: ['attempting'], meaning: 'a numbered attempt begins, before any socket' },
  'handed-over': {
    from: ['attempting'],
    to: ['handed-over'],
    meaning: 'the last bytes may leave once this is durable',
  },
  accepted: { from: ['handed-over'], to: ['sent'], meaning: 'a complete 2yz reply to the end of the mail' },
  refused: {
    from: ['claimed', 'attempting', 'handed-over'],
    to: ['failed'],
    meaning: 'a complete refusal that another try will not change, or a mail that cannot be sent at all',
  },
  'not-sent': {
    from: ['attempting', 'handed-over'],
    to: ['claimed'],
    meaning: 'the attempt certainly did not send; another may follow once the cloud has heard so',
  },
  lost: {
    from: ['claimed', 'attempting', 'handed-over', 'uncertain'],
    to: ['uncertain'],
    meaning: 'the end of the mail may have left and no complete reply was read, or another process began this mail',
  },
  settled: { from: ['claimed'], to: ['claimed'], meaning: 'the cloud has heard that the attempt did not send' },
  postponed: {
    from: ['claimed'],
    to: ['claimed'],
    meaning: 'it cannot be prepared now, an attachment is out of reach',
  },
  withdrawn: {
    from: ['claimed', 'attempting', 'handed-over'],
    to: ['cancelled', 'released'],
    meaning: 'the cloud took the mail back before it began',
  },
  cleared: {
    from: ['claimed', 'attempting', 'handed-over'],
    to: ['claimed'],
    meaning: 'after a restart: the cloud knows that the mail has not begun, so it cannot have left',
  },
  reclaimed: { from: ['released'], to: ['claimed'], meaning: 'a mail given back comes to this agent again' },
  resolved: { from: ['uncertain'], to: ['sent', 'failed'], meaning: 'a person or the Sent folder settled it' },
  concluded: {
    from: ['claimed', 'attempting', 'handed-over', 'uncertain'],
    to: ['sent', 'failed', 'cancelled'],
    meaning: 'the cloud already has the final word, and its word stands',
  },
};

/** A mail as `step` needs it. */
export type MailFacts = {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly payloadHash: string;
  readonly state: MailState;
};

/** Something the cloud must be told; the same bytes on every try. */
export type Report =
  | { readonly route: 'result'; readonly body: ResultRequest }
  | { readonly route: 'notSent'; readonly body: NotSentRequest }
  | { readonly route: 'fact'; readonly body: FactRequest };

export const isOpen = (kind: StateKind): boolean =>
  kind === 'claimed' || kind === 'attempting' || kind === 'handed-over';
