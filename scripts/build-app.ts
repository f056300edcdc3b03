// Builds the desktop app into build/: what runs in Node, the preload, the page. Usage: npm run build
import path from 'node:path';
import { build } from 'vite';

const ROOT = path.dirname(import.meta.dirname);
const PARTS = [
  { config: 'vite.shell.config.ts', mode: 'main' },
  { config: 'vite.shell.config.ts', mode: 'preload' },
  { config: 'vite.renderer.config.ts', mode: 'production' },
] as const;

export async function buildApp(): Promise<void> {
  for (const { config, mode } of PARTS) {
    await build({ configFile: path.join(ROOT, config), mode, logLevel: 'warn' });
  }
}

if (import.meta.main) await buildApp();
