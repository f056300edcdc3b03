import type { ConnectionTrouble } from '../../shared/texts/failure-texts.ts';
import type { SmtpReply, Stage } from '../../shared/wire/messages.ts';
import type { BeginMeaning } from './begin-answer.ts';
import type { EnvelopeCommand } from './reply-rules.ts';

/** How one SMTP dialogue ended. `stage` is how far it got. */
export type Submission =
  /** A complete 2yz reply to the end of data. */
  | { readonly kind: 'accepted'; readonly reply: SmtpReply }
  /** A complete negative reply, at whatever stage. */
  | {
      readonly kind: 'replied';
      readonly stage: Stage;
      readonly reply: SmtpReply;
      /** Which command of stage `envelope` was answered: a refused recipient is not a refused sender. */
      readonly command?: EnvelopeCommand;
    }
  /** No complete reply: dropped, silent, out of step, too much, or stopped by us. */
  | { readonly kind: 'broken'; readonly stage: Stage; readonly cause: BrokenCause; readonly text: string }
  /** The gate stayed shut; the connection was dropped before the last bytes. */
  | { readonly kind: 'held-back' };

export type BrokenCause = ConnectionTrouble;

/** The cloud's word on `begin`; `unknown` where no definite answer came in time. */
export type BeginAnswer = { readonly kind: 'granted' } | { readonly kind: Exclude<BeginMeaning, 'ask-again'> };

/** How one attempt ended, as the engine saw it. */
export type AttemptEnd = {
  /** Null where `begin` was never asked. */
  readonly nonce: string | null;
  /** Null where `begin` was not asked or had no answer when the dialogue ended. */
  readonly begin: BeginAnswer | null;
  /** False where the ledger could not take the handed-over mark. */
  readonly marked: boolean;
  readonly submission: Submission;
};
