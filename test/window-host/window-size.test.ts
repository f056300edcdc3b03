import { describe, expect, it } from 'vitest';
import { windowSize } from '../../src/main/window-host/window-size.ts';

const SCREEN = { width: 1280, height: 900 };

describe('the size of the window', () => {
  it('is the usual one until a person chose another', () => {
    expect(windowSize(undefined, SCREEN)).toEqual({ width: 440, height: 680 });
    expect(windowSize({ width: 600, height: 800 }, SCREEN)).toEqual({ width: 600, height: 800 });
  });

  it('fits a smaller screen, and never falls under what shows everything', () => {
    expect(windowSize({ width: 2_000, height: 2_000 }, SCREEN)).toEqual(SCREEN);
    expect(windowSize({ width: 10, height: 10 }, SCREEN)).toEqual({ width: 400, height: 560 });
  });

  it('takes nothing else for a size', () => {
    for (const stored of ['wide', { width: -1, height: 700 }, { width: 440.5, height: 700 }, null]) {
      expect(windowSize(stored, SCREEN)).toEqual({ width: 440, height: 680 });
    }
  });
});
