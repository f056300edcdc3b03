import { FAILURE_TEXTS } from '../../shared/texts/failure-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import type { SmtpReply, Stage } from '../../shared/wire/messages.ts';
import type { BrokenCause } from './attempt-end.ts';
import type { Verdict } from './classify.ts';
import type { Failure } from './mail-state.ts';

/**
 * A verdict as ledger, cloud and person read it. The message says what happened and what it means for the mail; the
 * server's own words stay in `reply`. `cause` tells more than the class does, where no reply came.
 */
export function failureOf(
  language: Language,
  stage: Stage,
  verdict: Verdict,
  reply: SmtpReply | null,
  cause: BrokenCause | null = null,
): Failure {
  const texts = FAILURE_TEXTS[language];
  // After the gate the cause matters less than that nobody knows.
  const happened =
    cause === null || verdict.outcome === 'uncertain' ? texts.about[verdict.class] : texts.trouble[cause];
  return { stage, class: verdict.class, reply, message: texts.join(happened, texts.meaning[verdict.action]) };
}
