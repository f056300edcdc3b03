import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Language } from '../../../src/shared/texts/language.ts';
import type { Scene } from './example-scenes.ts';
import { type PageServer, servePage } from './page-server.ts';
import { CHROMIUM } from './views.ts';

export type Shown = {
  readonly page: Page;
  /** What the page complained of: errors and refusals of its policy. */
  readonly complaints: readonly string[];
  /** What the page asked of the agent, name and argument. */
  readonly asked: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

export type WindowBrowser = {
  readonly show: (scene: Scene, language?: Language) => Promise<Shown>;
  readonly close: () => Promise<void>;
};

/** The built page in a real browser under the app's policy; each `show` is a fresh window. */
export async function openBrowser(): Promise<WindowBrowser> {
  const server: PageServer = await servePage();
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return {
    async show(scene, language = 'en') {
      const context = await browser.newContext({ viewport: { width: 440, height: 680 }, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(server.url({ scene, language }));
      const asked = () => page.evaluate<string[]>('window.agent.asked');
      return { page, complaints, asked, close: () => context.close() };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Violations of WCAG 2.2 A and AA in what the page shows, by rule and element. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe
    .run(document, { iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}
