import { z } from 'zod';

export type WindowSize = { readonly width: number; readonly height: number };

const USUAL_SIZE: WindowSize = { width: 440, height: 680 };
export const LEAST_SIZE: WindowSize = { width: 400, height: 560 };
const SIDE_MAX = 10_000;

const Size = z.object({ width: z.int().min(1).max(SIDE_MAX), height: z.int().min(1).max(SIDE_MAX) });

/** The size a person gave the window, within what is useful and what the screen has room for. */
export function windowSize(stored: unknown, area: WindowSize): WindowSize {
  const parsed = Size.safeParse(stored);
  const wanted = parsed.success ? parsed.data : USUAL_SIZE;
  const side = (name: 'width' | 'height') =>
    Math.max(LEAST_SIZE[name], Math.min(wanted[name], Math.max(area[name], LEAST_SIZE[name])));
  return { width: side('width'), height: side('height') };
}
