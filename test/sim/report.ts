import { drawPlan, type Plan, type Profile } from './plan.ts';
import { shrink } from './shrink.ts';
import { type RunOptions, type RunResult, runPlan } from './simulation.ts';

export type Sums = {
  readonly seeds: number;
  readonly mails: number;
  readonly accepted: number;
  readonly troubles: number;
  readonly events: number;
  readonly failed: readonly RunResult[];
};

/** Runs seed after seed; stops at the first that fails, where so wished, or at `isOver`. */
export async function runSeeds(
  from: number,
  count: number,
  profile: Profile,
  options: RunOptions & { readonly isOver?: (sums: Sums) => boolean; readonly failuresMax?: number } = {},
): Promise<Sums> {
  let sums: Sums = { seeds: 0, mails: 0, accepted: 0, troubles: 0, events: 0, failed: [] };
  const { isOver = () => false, failuresMax = 1, ...run } = options;
  for (let seed = from; seed < from + count && !isOver(sums); seed += 1) {
    const result = await runPlan(drawPlan(seed, profile), run);
    sums = {
      seeds: sums.seeds + 1,
      mails: sums.mails + result.mailCount,
      accepted: sums.accepted + result.acceptedCount,
      troubles: sums.troubles + result.appliedCount,
      events: sums.events + result.eventCount,
      failed: result.failure === null ? sums.failed : [...sums.failed, result],
    };
    if (sums.failed.length >= failuresMax) break;
  }
  return sums;
}

const TRACE_LINES_MAX = 400;

/** What a person needs to find the fault: the seed, what broke, the smallest plan that breaks it, and its trace. */
export async function failureText(plan: Plan, options: RunOptions = {}): Promise<string> {
  const { plan: small, result } = await shrink(plan, options);
  const lines = result.trace.slice(-TRACE_LINES_MAX);
  const left = result.trace.length - lines.length;
  return [
    `seed ${plan.seed}: ${result.failure ?? 'it does not fail again'}`,
    `smallest plan: ${small.mailCount} mails, roughness ${small.roughness}, ${small.troubles.length} troubles`,
    ...small.troubles.map(({ when, what }) => `  ${JSON.stringify(when)} ${JSON.stringify(what)}`),
    ...(left > 0 ? [`(${left} lines before)`] : []),
    ...lines,
  ].join('\n');
}
