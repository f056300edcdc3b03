import { describe, expect, it } from 'vitest';
import { pauseUntilMs } from '../../src/main/window-host/pause-until.ts';

describe('a pause', () => {
  it('of an hour ends after an hour', () => {
    expect(pauseUntilMs('hour', 1_000)).toBe(3_601_000);
  });

  it('for today ends at this machine’s next midnight', () => {
    const noon = new Date(2026, 1, 28, 12, 30).getTime();

    expect(pauseUntilMs('today', noon)).toBe(new Date(2026, 2, 1).getTime());
  });

  it('until somebody resumes has no end', () => {
    expect(pauseUntilMs('resume', 1_000)).toBeNull();
  });
});
