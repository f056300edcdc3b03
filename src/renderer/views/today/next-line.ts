import type { StatusView } from '../../../shared/status.ts';
import { clockTime } from '../../../shared/texts/window-texts/time-texts.ts';
import type { WindowTexts } from '../../../shared/texts/window-texts/window-texts.ts';

/** When the next mail goes and why not sooner; null where a hold or a mail under way says it already. */
export function nextLine(status: StatusView, texts: WindowTexts, nowMs: number): string | null {
  const { waiting, holds } = status;
  if (waiting === null || (waiting.why === 'held' && holds.length > 0 && waiting.untilMs === null)) return null;
  const isAhead = waiting.untilMs !== null && waiting.untilMs > nowMs;
  const time = isAhead && waiting.untilMs !== null ? clockTime(texts.language, waiting.untilMs, nowMs) : null;
  return texts.today.next[waiting.why](time);
}
