// Draws every icon of the app from its two sources in assets/; run it after changing one. Usage: npm run icons
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import type { AgentState } from '../src/shared/wire/messages.ts';

const ASSETS = path.join(import.meta.dirname, '../assets');
const TRAY = path.join(ASSETS, 'tray');

/** Each state's own colour, readable on both themes; a template has none. */
const MARKS: Record<AgentState, string> = {
  idle: '#000000',
  sending: '#2f81f7',
  paused: '#8a8f98',
  'needs-you': '#d9480f',
  offline: '#000000',
};
const INKS = { light: '#24292f', dark: '#f0f3f6' } as const;

/** A file for each scale that Electron looks for beside the first; Linux trays want 24 pixels at once. */
const SCALES = [
  { suffix: '', pixels: 16 },
  { suffix: '@1.5x', pixels: 24 },
  { suffix: '@2x', pixels: 32 },
] as const;
const LINUX = { suffix: '-24', pixels: 24 } as const;

const draw = (svg: string, pixels: number): Buffer =>
  new Resvg(svg, { fitTo: { mode: 'width', value: pixels }, font: { loadSystemFonts: false } }).render().asPng();

function trayIcon(source: string, state: AgentState, inks: { ink: string; mark: string; paper: string }): string {
  const ofState = new RegExp(`<g data-state="(?!${state}")[^]*?</g>`, 'g');
  return source
    .replace(ofState, '')
    .replace(/"(ink|mark|paper)"/g, (_whole, name: 'ink' | 'mark' | 'paper') => `"${inks[name]}"`);
}

const source = readFileSync(path.join(ASSETS, 'tray.svg'), 'utf8');
rmSync(TRAY, { recursive: true, force: true });
mkdirSync(TRAY);
for (const state of Object.keys(MARKS) as AgentState[]) {
  for (const [theme, ink] of Object.entries(INKS)) {
    const svg = trayIcon(source, state, { ink, mark: MARKS[state], paper: '#ffffff' });
    for (const { suffix, pixels } of [...SCALES, LINUX]) {
      writeFileSync(path.join(TRAY, `${state}-${theme}${suffix}.png`), draw(svg, pixels));
    }
  }
  // macOS reads the shape alone and colours it itself: the badge is left out around its sign.
  const shape = trayIcon(source, state, {
    ink: '#000000',
    mark: state === 'needs-you' ? 'none' : '#000000',
    paper: '#000000',
  });
  for (const { suffix, pixels } of SCALES) {
    writeFileSync(path.join(TRAY, `${state}Template${suffix}.png`), draw(shape, pixels));
  }
}
writeFileSync(path.join(ASSETS, 'icon.png'), draw(readFileSync(path.join(ASSETS, 'icon.svg'), 'utf8'), 512));
