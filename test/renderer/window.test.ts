import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type WindowBrowser } from '../support/window/open-browser.ts';

let browser: WindowBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Read in the frame; this side knows no document. */
const frameColour = (page: Page) =>
  page.frames()[1]?.evaluate<string>("getComputedStyle(document.querySelector('b')).color");

const focusedId = (page: Page) => page.evaluate<string>('document.activeElement.id');

describe('the list of mails', () => {
  it('keeps the page small over 10,000 mails and reaches the last one', async () => {
    const { page, complaints, close } = await browser.show('many');
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-0 .mark').waitFor();
    await page.getByText('10,000 mails').waitFor();
    const rowsAtTop = await page.locator('.mail-row').count();

    await page.locator('#mail-list').focus();
    await page.keyboard.press('End');
    await page.locator('#mail-row-9999 .mark').waitFor();

    const rows = await page.locator('.mail-row').count();
    const active = await page.locator('#mail-list').getAttribute('aria-activedescendant');
    expect(rowsAtTop).toBeLessThan(40);
    expect(rows).toBeLessThan(40);
    expect(active).toBe('mail-row-9999');
    expect(complaints).toEqual([]);
    await close();
  });

  it('is walked by arrows, opened by Enter and found again at the same row', async () => {
    const { page, close } = await browser.show('many');
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-0 .mark').waitFor();
    await page.locator('#mail-list').focus();
    for (let row = 0; row < 20; row += 1) await page.keyboard.press('ArrowDown');

    await page.keyboard.press('Enter');
    await page.locator('.timeline').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#mail-row-20 .mark').waitFor();

    await expect.poll(() => focusedId(page)).toBe('mail-list');
    expect(await page.locator('#mail-list').getAttribute('aria-activedescendant')).toBe('mail-row-20');
    await close();
  });

  it('shows only what fits filter and search', async () => {
    const { page, close } = await browser.show('many');
    await page.locator('#nav-mails').click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('failed');
    await page.getByRole('searchbox').fill('keller');

    const distinct = async (rows: string) => [...new Set(await page.locator(rows).allInnerTexts())].sort();
    await expect
      .poll(() => distinct('.mail-row-top .strong'))
      .toEqual(['Maria Keller', 'm.keller@keller-maschinenbau.example']);
    expect(await distinct('.mail-row .mark')).toEqual(['Refused']);
    await close();
  });
});

describe('a question', () => {
  it('is answered once, can be undone, and gives the focus to what stands next', async () => {
    const { page, asked, close } = await browser.show('sending');
    await page.locator('#nav-needs-you').click();
    await page.getByRole('button', { name: 'It was sent', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await expect.poll(() => undo.evaluate((element) => element.matches(':focus'))).toBe(true);
    await expect.poll(() => page.locator('.badge').textContent()).toBe('1');

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'It was not sent' }).waitFor();

    const acts = (await asked()).filter((one) => /^(undo-)?answer /.test(one));
    expect(acts).toEqual(['answer {"mailId":"mail-4","as":"sent"}', 'undo-answer {"mailId":"mail-4"}']);
    await expect.poll(() => page.locator('.badge').textContent()).toBe('2');
    await close();
  });

  it('goes away by itself when the time to undo has passed', async () => {
    const { page, close } = await browser.show('sending');
    await page.locator('#nav-needs-you').click();
    await page.getByRole('button', { name: 'It was not sent' }).click();
    await page.getByText('Noted: it was not sent.').first().waitFor();

    await page.getByRole('heading', { name: 'Was this mail sent?' }).waitFor({ state: 'detached' });

    await expect.poll(() => page.locator('.badge').textContent()).toBe('1');
    await close();
  });
});

describe('what a person has taken note of', () => {
  it('goes away: a conflict by its button, refused mails by their cause', async () => {
    const { page, asked, close } = await browser.show('sending');
    await page.locator('#nav-needs-you').click();

    await page.getByRole('button', { name: 'I have told them' }).click();
    await page.getByRole('heading', { name: 'Two results for one mail' }).waitFor({ state: 'detached' });
    await page.locator('details.fold > summary').first().click();
    await page.getByRole('button', { name: 'Take off this list' }).click();
    await page.getByRole('heading', { name: 'Refused mails' }).waitFor({ state: 'detached' });

    await page.getByText('Taken off the list.').waitFor();
    expect(await focusedId(page)).toBe('heading');
    const acts = (await asked()).filter((one) => one.startsWith('note-'));
    expect(acts).toEqual(['note-conflict {"mailId":"mail-7"}', expect.stringMatching(/^note-failures .*"upToMs":\d+/)]);
    await close();
  });
});

describe('the window', () => {
  it('pauses for an hour by keyboard and resumes', async () => {
    const { page, asked, close } = await browser.show('waiting');
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Pause for 1 hour');
    await page.keyboard.press('Enter');
    await page.getByText('Paused by you.').waitFor();

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();

    expect(await asked()).toEqual(expect.arrayContaining(['pause {"until":"hour"}', 'resume null']));
    await close();
  });

  it('goes back by Alt and the left arrow to what had opened the page', async () => {
    const { page, close } = await browser.show('waiting');
    await page.locator('#nav-settings').click();
    await page.locator('#to-about').click();
    await page.getByRole('heading', { name: 'About and support' }).waitFor();
    expect(await focusedId(page)).toBe('heading');

    await page.keyboard.press('Alt+ArrowLeft');

    await expect.poll(() => focusedId(page)).toBe('to-about');
    await close();
  });

  it('stores another way to the internet with its password, and says that it works', async () => {
    const { page, asked, close } = await browser.show('waiting');
    await page.locator('#nav-settings').click();
    await page.locator('#to-proxy').click();
    await page.locator('#proxy-kind').selectOption('http');
    await page.locator('#proxy-host').fill('proxy.example');
    await page.locator('#proxy-port').fill('8080');
    await page.locator('#proxy-user-name').fill('lena');
    await page.locator('#proxy-password').fill('word');

    await page.getByRole('button', { name: 'Try and save' }).click();
    await page.getByText('It works and is saved.').waitFor();

    const proxy = { kind: 'http', host: 'proxy.example', port: 8080, userName: 'lena', mail: 'through-proxy' };
    const [saved = ''] = (await asked()).filter((one) => one.startsWith('save-proxy'));
    expect(JSON.parse(saved.slice('save-proxy '.length))).toEqual({ proxy, password: 'word' });
    await close();
  });

  it('tries a refused account again when told to', async () => {
    const { page, asked, close } = await browser.show('account');
    await page.locator('#nav-today').click();

    await page.getByRole('button', { name: 'Try now' }).click();

    await expect.poll(asked).toContain('try-now null');
    await close();
  });

  it('changes its language at once', async () => {
    const { page, close } = await browser.show('waiting');
    await page.locator('#nav-settings').click();

    await page.locator('#language').selectOption('zh-CN');

    await page.getByRole('heading', { name: '设置', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await close();
  });

  it('shows a mail in a frame without scripts, requests or a way out', async () => {
    const { page, complaints, close } = await browser.show('sending');
    const answered: string[] = [];
    page.on('response', (response) => answered.push(new URL(response.url()).host));
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-2 .mark').click();

    await page.frameLocator('.preview').getByText('samples').waitFor();

    expect(await page.locator('.preview').getAttribute('sandbox')).toBe('');
    // The mail's own colours, which the page's policy would have refused.
    expect(await frameColour(page)).toBe('rgb(11, 98, 196)');
    expect(new Set(answered)).toEqual(new Set([new URL(page.url()).host]));
    expect(complaints.filter((text) => !text.includes('tracker.example'))).toEqual([]);
    await close();
  });

  it('says what happened and tries again when main cannot answer', async () => {
    const { page, asked, close } = await browser.show('broken');
    await page.getByText('This could not be shown').waitFor();
    const before = (await asked()).filter((one) => one.startsWith('today')).length;

    await page.getByRole('button', { name: 'Try again' }).click();

    await expect.poll(async () => (await asked()).filter((one) => one.startsWith('today')).length).toBe(before + 1);
    await close();
  });
});

describe('a place that main names', () => {
  it('is shown', async () => {
    const { page, close } = await browser.show('sending');

    await page.evaluate("window.agent.emit('go-to', { place: 'needs-you' })");

    await page.getByRole('heading', { name: 'Needs you', exact: true }).waitFor();
    await close();
  });
});
