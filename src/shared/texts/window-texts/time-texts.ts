import type { Language } from '../language.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const JUST_NOW: Record<Language, string> = { en: 'just now', 'zh-CN': '刚刚' };

/** "3 min ago", within a day; older instants by date and time. An instant ahead of the clock counts as now. */
export function timeAgo(language: Language, atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  if (agoMs < 5 * SECOND_MS) return JUST_NOW[language];
  const relative = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'always' });
  if (agoMs < MINUTE_MS) return relative.format(-Math.floor(agoMs / SECOND_MS), 'second').replace('.', '');
  if (agoMs < HOUR_MS) return relative.format(-Math.floor(agoMs / MINUTE_MS), 'minute').replace('.', '');
  if (agoMs < DAY_MS) return relative.format(-Math.floor(agoMs / HOUR_MS), 'hour').replace('.', '');
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(atMs);
}

/** The instant to the second, with its date. */
export const exactTime = (language: Language, atMs: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }).format(atMs);

/** "14:32" today, with the weekday in the coming week, with the date otherwise. */
export function clockTime(language: Language, atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  if (at.toDateString() === new Date(nowMs).toDateString()) {
    return new Intl.DateTimeFormat(language, time).format(at);
  }
  const isNear = Math.abs(atMs - nowMs) < 6 * DAY_MS;
  const day = isNear ? ({ weekday: 'long' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(language, { ...day, ...time }).format(at);
}
