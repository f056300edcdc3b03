import type { StatusView } from '../../shared/status.ts';
import { taskSum } from '../../shared/task-sum.ts';
import { CLI_TEXTS } from '../../shared/texts/cli-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { AGENT_STATE_TEXTS } from '../../shared/texts/state-texts.ts';
import { clockTime } from './terminal.ts';

/** The whole status in one countable line: "12 of 40 sent · Sending mail 57 (envelope)". */
export function progressLine(status: StatusView, language: Language): string {
  const texts = CLI_TEXTS[language];
  const parts = [texts.progress(taskSum(status.tasks))];
  if (status.current !== null) {
    parts.push(`${AGENT_STATE_TEXTS[language].sending} ${status.current.mailId} (${status.current.stage})`);
  } else {
    if (status.state !== 'idle' && status.state !== 'sending') parts.push(AGENT_STATE_TEXTS[language][status.state]);
    parts.push(...waitingPart(status, language));
  }
  return parts.join(' · ');
}

function waitingPart({ waiting, holds }: StatusView, language: Language): string[] {
  const [worst] = holds;
  const texts = CLI_TEXTS[language];
  if (waiting === null) return [];
  const what = waiting.why === 'held' && worst !== undefined ? worst.text : texts.wait[waiting.why];
  return [waiting.untilMs === null ? what : texts.nextMail(clockTime(waiting.untilMs, language), what)];
}
