import type { Plan } from './plan.ts';
import { type RunOptions, type RunResult, runPlan } from './simulation.ts';

/** Runs at most while a failing plan is made smaller. */
const RUNS_MAX = 400;

export type Shrunk = { readonly plan: Plan; readonly result: RunResult };

/**
 * The smallest plan found that still breaks the same promise: troubles are left out, in halves and then one by one, and
 * so are mails and roughness. Its trace is what a person reads.
 */
export async function shrink(failing: Plan, options: RunOptions): Promise<Shrunk> {
  const first = await runPlan(failing, options);
  const promise = promiseOf(first);
  let best = failing;
  let runs = 0;
  const keepsFailing = async (plan: Plan): Promise<boolean> => {
    runs += 1;
    const fails = promise !== null && promiseOf(await runPlan(plan, options)) === promise;
    if (fails) best = plan;
    return fails;
  };
  for (let part = Math.max(1, best.troubles.length >> 1); part >= 1; part >>= 1) {
    for (let from = 0; from < best.troubles.length && runs < RUNS_MAX; ) {
      const troubles = best.troubles.toSpliced(from, part);
      if (!(await keepsFailing({ ...best, troubles }))) from += part;
    }
  }
  await keepsFailing({ ...best, roughness: 0 });
  for (let mailCount = best.mailCount >> 1; mailCount >= 1 && runs < RUNS_MAX; mailCount >>= 1) {
    if (!(await keepsFailing({ ...best, mailCount }))) break;
  }
  return { plan: best, result: await runPlan(best, { ...options, keepsTrace: true }) };
}

/** The word before the colon: which promise broke. */
const promiseOf = ({ failure }: RunResult): string | null => failure?.split(':')[0] ?? null;
