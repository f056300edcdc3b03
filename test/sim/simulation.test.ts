import { describe, expect, it } from 'vitest';
import { drawPlan, LIFE_STEPS, type Plan, type Trouble } from './plan.ts';
import { shrink } from './shrink.ts';
import { runPlan, traceHash } from './simulation.ts';

const SEEDS = [3, 17, 29, 102, 20_503];

describe('a run of the simulator', () => {
  it.each(SEEDS)('is the same to the last byte for the same seed: %i', async (seed) => {
    const first = await runPlan(drawPlan(seed, 'quick'), { keepsTrace: true });
    const second = await runPlan(drawPlan(seed, 'quick'), { keepsTrace: true });

    expect(first.trace.length).toBeGreaterThan(100);
    expect(traceHash(second.trace)).toBe(traceHash(first.trace));
    expect(second).toEqual(first);
  });

  it('is another one for another seed', async () => {
    const hashes = new Set<string>();
    for (const seed of SEEDS) {
      hashes.add(traceHash((await runPlan(drawPlan(seed, 'quick'), { keepsTrace: true })).trace));
    }

    expect(hashes.size).toBe(SEEDS.length);
  });

  it('reaches every step of a mail’s life, and draws every trouble', async () => {
    const steps = new Set<string>();
    const troubles = new Set<Trouble['kind']>();
    for (let seed = 1; seed <= 60; seed += 1) {
      const plan = drawPlan(seed, 'quick');
      for (const { what } of plan.troubles) troubles.add(what.kind);
      const small = { ...plan, mailCount: Math.min(plan.mailCount, 10) };
      for (const line of (await runPlan(small, { keepsTrace: true })).trace) steps.add(line.split(' ')[2] ?? '');
    }

    expect(LIFE_STEPS.filter((step) => !steps.has(step))).toEqual([]);
    expect([...troubles].sort()).toEqual(ALL_TROUBLES);
  });

  it('shrinks a plan that fails to the trouble that makes it fail', async () => {
    const mutation = { forgottenCommits: 3 };
    let failing: Plan | null = null;
    for (let seed = 1; failing === null && seed < 500; seed += 1) {
      const plan = { ...drawPlan(seed, 'quick'), mailCount: 8 };
      const { failure } = await runPlan(plan, { mutation });
      if (failure !== null && plan.troubles.length > 4) failing = plan;
    }
    if (failing === null) throw new Error('a disk that forgets was not noticed');

    const { plan, result } = await shrink(failing, { mutation });

    expect(plan.troubles.length).toBeLessThan(failing.troubles.length);
    expect(plan.troubles.map(({ what }) => what.kind)).toContain('power-loss');
    expect(result.failure).not.toBeNull();
    expect(result.trace.length).toBeGreaterThan(0);
  });
});

const ALL_TROUBLES: readonly Trouble['kind'][] = [
  'answer',
  'backup',
  'cancel',
  'claim-repeated',
  'clock-jump',
  'clone',
  'cloud-answers',
  'delete-ledger',
  'disk',
  'give-back',
  'kill',
  'lift',
  'network-down',
  'office',
  'office-was-faster',
  'pause',
  'power-loss',
  'queue',
  'quit',
  'reply-lost',
  'restore',
  'resume',
  'second-pc',
  'second-process',
  'send-again',
  'settle',
  'sleep',
  'smtp',
  'told-otherwise',
];
