/** One figure over time, in the order measured. */
export type Series = { readonly name: string; readonly unit: string; readonly values: readonly number[] };

/** How much a figure may grow from the first half of the time after warming up to the last part. */
export type Allowance = { readonly factor: number; readonly plus: number };

export type Verdict = { readonly name: string; readonly from: number; readonly to: number; readonly grows: boolean };

/** The first part of a run fills caches and compiles; what grows there is no leak. */
const WARM_UP_PART = 0.25;
const PARTS = 6;
/** Of a steady growth each of the five steps has a fifth. */
const STEP_PART = 0.1;

/**
 * Whether a figure grows: the time after the warm-up is cut into six equal parts, each stands for its median, so that a
 * garbage collection or a slow second does not count. It grows where the last part is above the first by more than is
 * allowed and at least four of the five steps between the parts take a good share of that: a level that was reached and
 * stays is no growth.
 */
export function judge(series: Series, allowed: Allowance): Verdict {
  const warm = series.values.slice(Math.floor(series.values.length * WARM_UP_PART));
  const medians = Array.from({ length: PARTS }, (_, part) =>
    median(warm.slice(Math.floor((part * warm.length) / PARTS), Math.floor(((part + 1) * warm.length) / PARTS))),
  );
  const from = medians[0] ?? 0;
  const to = medians.at(-1) ?? 0;
  // A step within the noise is none.
  const least = (to - from) * STEP_PART;
  const stepsUp = medians.filter((value, index) => index > 0 && value - (medians[index - 1] ?? 0) > least).length;
  const grows = to > from * allowed.factor + allowed.plus && stepsUp >= PARTS - 2;
  return { name: series.name, from, to, grows };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
