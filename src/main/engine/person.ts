import type { Language } from '../../shared/texts/language.ts';
import { LOCAL_TEXTS } from '../../shared/texts/local-texts.ts';
import type { HoldKind } from '../core/hold.ts';
import type { LedgerChange, LedgerMail } from './ports.ts';
import { messageIdOfMail } from './prepare-mail.ts';

/** What a person can do, as changes to the ledger: the running agent writes them, or a command while none runs. */

/** Sending stops until `untilMs` (epoch milliseconds), or until somebody resumes where it is null. */
export function pauseChange(language: Language, nowMs: number, untilMs: number | null): LedgerChange {
  const text = LOCAL_TEXTS[language]['paused-by-you'];
  return { kind: 'hold-set', hold: { kind: 'user', sinceMs: nowMs, untilMs, text, repeat: 1 } };
}

const TRIED_AGAIN: readonly HoldKind[] = ['account', 'back-off', 'keychain'];

const lifted = (kinds: readonly HoldKind[]): readonly LedgerChange[] =>
  kinds.map((holdKind) => ({ kind: 'hold-lifted', holdKind }));

/** The account is tried at once, whatever it waits for; a pause that somebody chose stays. */
export const tryNowChanges = (): readonly LedgerChange[] => lifted(TRIED_AGAIN);

/** Ends every hold that a person can end. */
export const resumeChanges = (): readonly LedgerChange[] => lifted(['user', ...TRIED_AGAIN]);

/** A person's word on an uncertain mail; the mail and its report to the cloud follow from it. */
export function resolveChange(
  mail: LedgerMail,
  as: 'sent' | 'not-sent',
  by: { readonly language: Language; readonly accountAddress: string; readonly nowMs: number },
): LedgerChange {
  const note = LOCAL_TEXTS[by.language][as === 'sent' ? 'person-says-sent' : 'person-says-not-sent'];
  return {
    kind: 'mail',
    mailId: mail.id,
    event: {
      kind: 'resolved',
      as: as === 'sent' ? 'sent' : 'failed',
      messageId: messageIdOfMail(mail, by.accountAddress),
      evidence: { kind: 'person', note },
    },
    atMs: by.nowMs,
  };
}
