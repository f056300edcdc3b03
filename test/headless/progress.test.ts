import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/main/headless/progress.ts';
import { clockTime } from '../../src/main/headless/terminal.ts';
import { type StatusView, WAIT_REASONS } from '../../src/shared/status.ts';
import { LANGUAGES } from '../../src/shared/texts/language.ts';
import { statusWith } from '../support/status-sample.ts';

const NOW_MS = Date.now();
const waitingFor = (why: (typeof WAIT_REASONS)[number], untilMs: number | null): StatusView =>
  statusWith({
    waiting: { why, untilMs },
    holds: why === 'held' ? [{ kind: 'user', sinceMs: NOW_MS, untilMs, text: 'Paused by you.' }] : [],
  });

describe.each(LANGUAGES)('the status in one line in %s', (language) => {
  it.each(WAIT_REASONS)('says when the next mail goes and why not sooner: %s', (why) => {
    const timed = progressLine(waitingFor(why, NOW_MS + 60_000), language);
    const open = progressLine(waitingFor(why, null), language);

    const reason = open.split(' · ').at(-1) ?? '';
    expect(timed).toContain(clockTime(NOW_MS + 60_000, language));
    expect(timed.endsWith(reason)).toBe(true);
    expect(reason).not.toBe('');
  });
});
