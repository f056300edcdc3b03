/** Sums of repeated measurements. An empty list is a fault of the caller and throws. */

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

/** The middle value; of an even count the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of nothing');
  return (upper + lower) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Three significant digits, without an exponent: 1234, 12.3, 0.123. */
export function short(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(6, digits));
}

export const spreadText = ({ median: middle, min, max }: Spread): string =>
  `${short(middle)} (${short(min)}–${short(max)})`;
