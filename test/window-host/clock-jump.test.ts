import { describe, expect, it } from 'vitest';
import { clockJumpMs } from '../../src/main/window-host/clock-jump.ts';

const at = (wallMs: number, monotonicMs: number) => ({ wallMs, monotonicMs });

describe('a clock that was set', () => {
  it('is told from one that went on, in both directions', () => {
    expect(clockJumpMs(at(1_000_000, 0), at(1_005_000, 5_000))).toBeNull();
    expect(clockJumpMs(at(1_000_000, 0), at(1_005_000 + 3_600_000, 5_000))).toBe(3_600_000);
    expect(clockJumpMs(at(10_000_000, 0), at(10_005_000 - 3_600_000, 5_000))).toBe(-3_600_000);
  });

  it('is not called set for a small correction, nor for a look that came late', () => {
    expect(clockJumpMs(at(0, 0), at(5_900, 5_000))).toBeNull();
    expect(clockJumpMs(at(0, 0), at(600_000, 600_000))).toBeNull();
  });
});
