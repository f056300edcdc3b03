// Shows the window's page over example data, without Electron. Usage, after `npm ci`:
//   node scripts/run.mjs scripts/renderer-preview.ts [--out FOLDER]   a picture of every view, language and theme
//   node scripts/run.mjs scripts/renderer-preview.ts --serve          addresses to open in a browser, until Ctrl-C
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { LANGUAGES } from '../src/shared/texts/language.ts';
import { SCENES } from '../test/support/window/example-scenes.ts';
import { servePage } from '../test/support/window/page-server.ts';
import { CHROMIUM, VIEWS } from '../test/support/window/views.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/screenshots' },
    serve: { type: 'boolean', default: false },
    only: { type: 'string' },
    narrow: { type: 'boolean', default: false },
  },
});
const server = await servePage();
if (values.serve) {
  for (const scene of SCENES) process.stdout.write(`${server.url({ scene, language: 'en' })}\n`);
  process.once('SIGINT', () => void server.close());
} else {
  try {
    await takePictures(path.resolve(values.out));
  } finally {
    await server.close();
  }
}

async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const viewport = values.narrow ? { width: 400, height: 560 } : { width: 440, height: 680 };
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const language of LANGUAGES) {
        for (const view of VIEWS) {
          if (values.only !== undefined && !view.name.startsWith(values.only)) continue;
          // A window of its own: what one view typed must not stand in the next.
          const context = await browser.newContext({
            ...{ viewport, colorScheme, reducedMotion: 'reduce', locale: language, timezoneId: 'Asia/Shanghai' },
          });
          const page = await context.newPage();
          await page.goto(server.url({ scene: view.scene, language }));
          await view.open(page, language);
          const file = path.join(folder, `${view.name}-${language}-${colorScheme}.png`);
          await page.screenshot({ path: file });
          process.stdout.write(`${file}\n`);
          await context.close();
        }
      }
    }
  } finally {
    await browser.close();
  }
}
