import { describe, expect, it } from 'vitest';
import { median, short, spread } from './figures.ts';
import { createReport } from './report.ts';

describe('The figures of the benchmark', () => {
  it('take the middle of an odd count and the mean of the two middle ones of an even count', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(() => median([])).toThrow(RangeError);
  });

  it.each([
    [1234.5, '1235'],
    [12.345, '12.3'],
    [0.09512, '0.0951'],
    [0, '0'],
  ])('write %d as %s', (value, text) => {
    expect(short(value)).toBe(text);
  });
});

describe('The report of the benchmark', () => {
  it('keeps every ratio and names the required ones that were missed', () => {
    const report = createReport(() => undefined);
    report.ratio('fast', spread([0.9, 0.96, 1.2]), { least: 0.95 });
    report.ratio('slow', spread([0.4]), { least: 0.5 });
    report.ratio('wide', spread([1.4]), { most: 1.3 });
    report.ratio('free', spread([0.1]), null);
    report.figure('mails', 12.34567);
    expect(JSON.parse(report.json())).toEqual({
      ratios: { fast: 0.96, slow: 0.4, wide: 1.4, free: 0.1 },
      figures: { mails: 12.35 },
      missed: ['slow: 0.400, required ≥ 0.5', 'wide: 1.40, required ≤ 1.3'],
    });
  });
});
