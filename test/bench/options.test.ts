import { describe, expect, it } from 'vitest';
import { PARTS, readOptions } from './options.ts';

describe('The options of the benchmark', () => {
  it('run every part in full where nothing is said', () => {
    expect(readOptions([])).toEqual({
      ok: true,
      value: { parts: PARTS, rounds: 5, rows: 1_000_000, size: 'full', output: 'text' },
    });
  });

  it('keep the order of the parts, whatever the order they are named in', () => {
    const options = readOptions(['--only', 'claim', '--only', 'send-2k-40ms', '--quick', '--json', '--rounds', '2']);
    expect(options).toEqual({
      ok: true,
      value: { parts: ['send-2k-40ms', 'claim'], rounds: 2, rows: 100_000, size: 'quick', output: 'json' },
    });
  });

  it.each([
    [['--only', 'nothing'], '--only "nothing": is no part'],
    [['--rounds', '0'], '--rounds "0": must be 1 or more'],
    [['--rounds', 'many'], '--rounds "many": is not a number'],
    [['--rows', '99'], '--rows "99": must be 10000 or more'],
    [['--rows', '10000.5'], '--rows "10000.5": is not a whole number'],
    [['--fast'], "Unknown option '--fast'"],
  ])('name what is wrong with %j', (args, words) => {
    expect(readOptions(args)).toEqual({ ok: false, error: expect.stringContaining(words) });
  });
});
