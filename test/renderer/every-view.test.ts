import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/shared/texts/language.ts';
import { openBrowser, violations, type WindowBrowser } from '../support/window/open-browser.ts';
import { VIEWS } from '../support/window/views.ts';

let browser: WindowBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(LANGUAGES)('every view in %s', (language) => {
  it.each(VIEWS.map(({ name, scene, open }) => [name, { scene, open }] as const))(
    'shows %s for everyone, light and dark, down to the smallest window',
    async (_name, { scene, open }) => {
      const { page, complaints, close } = await browser.show(scene, language);
      await open(page, language);

      const light = await violations(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await violations(page);
      await page.setViewportSize({ width: 400, height: 560 });
      const tooWide = await page.evaluate<string[]>(TOO_WIDE);
      const text = await page.locator('body').textContent();
      await close();

      expect(light).toEqual([]);
      expect(dark).toEqual([]);
      expect(tooWide).toEqual([]);
      expect(text).not.toMatch(/[Dd]eliver|送达|undefined|NaN|\[object/);
      expect(complaints.filter((text) => !text.includes(TRACKER))).toEqual([]);
    },
  );
});

/** The picture in the example mail; that the frame's policy refuses it is what it is there for. */
const TRACKER = 'https://tracker.example/';

/** Elements that stand out of the window, beyond what an ellipsis or a scroll bar of its own takes care of. */
const TOO_WIDE = `[...document.querySelectorAll('main *, nav *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.closest('.heard-only') === null)
  .map((element) => element.outerHTML.slice(0, 120))`;
