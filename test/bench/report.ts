import { type Spread, short, spreadText } from './figures.ts';

/** A bound on a ratio's median. */
export type Bound = { readonly least: number } | { readonly most: number };

/** Collects what is printed: text as it comes, ratios and figures by name for the end. */
export type Report = {
  line(text: string): void;
  ratio(name: string, ratio: Spread, required: Bound | null): void;
  /** A number beside the ratios, for the JSON line. */
  figure(name: string, value: number): void;
  /** The required ratios that were missed, as text. */
  missed(): readonly string[];
  json(): string;
};

export function createReport(print: (line: string) => void): Report {
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = {};
  const missed: string[] = [];
  return {
    line: print,
    ratio(name, ratio, required) {
      ratios[name] = rounded(ratio.median);
      const kept = required === null || isKept(ratio.median, required);
      const wish = required === null ? 'nothing required' : `required ${boundText(required)}`;
      print(`  ratio      ${spreadText(ratio)}, ${wish}${kept ? '' : ', MISSED'}`);
      if (!kept) missed.push(`${name}: ${short(ratio.median)}, ${wish}`);
    },
    figure(name, value) {
      figures[name] = rounded(value);
    },
    missed: () => missed,
    json: () => JSON.stringify({ ratios, figures, missed }),
  };
}

const isKept = (value: number, bound: Bound): boolean =>
  'least' in bound ? value >= bound.least : value <= bound.most;

const boundText = (bound: Bound): string => ('least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most}`);

const rounded = (value: number): number => Number(value.toPrecision(4));
