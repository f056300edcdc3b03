import path from 'node:path';
import type { AgentState } from '../../src/shared/wire/messages.ts';
import type { DesktopApp, StagedApp } from './desktop-app.ts';

const STATES: readonly AgentState[] = ['idle', 'sending', 'paused', 'needs-you', 'offline'];

/** Tells which of the five icons a tray shows, by the picture alone. */
export async function iconReader(app: DesktopApp, staged: StagedApp): Promise<(pixels: Buffer) => AgentState> {
  const files = STATES.flatMap((state) =>
    ['light', 'dark'].map((theme) => ({
      state,
      file: path.join(staged.folder, 'assets/tray', `${state}-${theme}-24.png`),
    })),
  );
  const pictures = await app.electron.evaluate(
    ({ nativeImage }, names) => names.map((name) => nativeImage.createFromPath(name).toBitmap().toString('base64')),
    files.map(({ file }) => file),
  );
  const known = files.map(({ state }, at) => ({
    state,
    pixels: alphaFirst(Buffer.from(pictures[at] ?? '', 'base64')),
  }));
  return (pixels) => {
    const [nearest] = known
      .map((one) => ({ state: one.state, distance: distance(one.pixels, pixels) }))
      .sort((a, b) => a.distance - b.distance);
    if (nearest === undefined || nearest.distance === Number.POSITIVE_INFINITY)
      throw new Error('no icon has this size');
    return nearest.state;
  };
}

/** From blue, green, red, alpha to the order of the tray's protocol. */
const alphaFirst = (bitmap: Buffer): Buffer => Buffer.from(bitmap).swap32();

function distance(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum;
}
