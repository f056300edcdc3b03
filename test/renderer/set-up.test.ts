import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type WindowBrowser } from '../support/window/open-browser.ts';

let browser: WindowBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('set-up', () => {
  it('is done with the keyboard alone, from a pasted link to the first look at Today', async () => {
    const { page, asked, close } = await browser.show('new');
    const tab = () => page.keyboard.press('Tab');
    await page.getByRole('heading', { name: /^Step 1 of 3/ }).waitFor();

    await page.locator('#connect-address').focus();
    await page.keyboard.insertText('https://mail.example.com/#pair=ABCD-1234');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Step 2 of 3/ }).waitFor();
    await tab();
    await page.keyboard.type('wangli@qq.com');
    await tab();
    await page.getByLabel('Authorisation code').waitFor();
    await page.keyboard.type('abcdefgh');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();
    await page.locator('#start-at-login').waitFor();
    await tab();
    await tab();
    await page.keyboard.press('Space');
    await tab();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();

    const requests = await asked();
    const isSetUpInBar = await page.locator('#nav-set-up').count();
    await close();
    expect(requests).toContain('pair {"cloudUrl":"https://mail.example.com","code":"ABCD-1234"}');
    expect(requests.find((one) => one.startsWith('save-account'))).toContain('"host":"smtp.qq.com"');
    expect(requests).toContain('finish-set-up {"startAtLogin":false}');
    expect(isSetUpInBar).toBe(0);
  });

  it('asks at its last step for the working hours, and keeps them before the first mail can leave', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('abcdefgh');
    await page.locator('#account-password').press('Enter');

    await page.getByLabel('Send only in working hours').check();
    await page.locator('#pace-from').fill('19:00');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('pace-from');
    await page.locator('#pace-from').fill('08:30');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();

    const acts = (await asked()).filter((one) => /^(save-settings|finish-set-up) /.test(one));
    await close();
    expect(acts).toEqual([
      expect.stringContaining('"workingHours":{"from":"08:30","to":"18:00"'),
      'finish-set-up {"startAtLogin":true}',
    ]);
  });

  it('opens the page where the provider makes its codes, by the provider’s name alone', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').focus();

    await page.getByRole('button', { name: 'Open mail.qq.com' }).click();

    const requests = await asked();
    await close();
    expect(requests.filter((one) => one.startsWith('open-'))).toEqual(['open-provider-page {"provider":"qq"}']);
  });

  it('says of a refused login what to do next, and takes the right code without the rest', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('wrong');
    await page.locator('#account-password').press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();

    expect(await alert.textContent()).toMatch(/QQ Mail refused the login.*Open mail\.qq\.com in the browser/);
    await page.locator('#account-password').fill('abcdefgh');
    await page.locator('#account-password').press('Enter');
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();

    const tries = (await asked()).filter((one) => one.startsWith('save-account'));
    await close();
    expect(tries.length).toBe(2);
  });

  it('shows what a test mail found before it goes on, and goes on by Enter', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('abcdefgh');
    await page.getByLabel('Send a test mail to myself').check();
    await page.locator('#account-password').press('Enter');

    await page.getByText('switch on IMAP in the settings of your mailbox').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('account-next');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();

    const saved = (await asked()).find((one) => one.startsWith('save-account'));
    await close();
    expect(saved).toContain('"testMail":"send"');
  });

  it('says that there is no network instead of asking for a server, and looks again once there is one', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('someone@offline.example');
    await page.locator('#account-password').fill('abcdefgh');
    await page.getByText('No network just now', { exact: true }).waitFor();
    await page.locator('#account-password').press('Enter');
    await page.getByRole('alert').getByText('This computer has no network just now').waitFor();

    expect(await page.locator('#account-host').isVisible()).toBe(false);
    const looks = (await asked()).filter((one) => one.startsWith('guess-server') && one.includes('@offline'));
    await close();
    expect(looks.length).toBe(2);
  });

  it('opens the form for the server of an unknown domain, and fills the port in with the protection', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('someone@office.example');
    await page.locator('#account-password').fill('abcdefgh');
    await page.locator('#account-host').fill('smtp.office.example');
    await page.locator('#account-security').selectOption('starttls');
    expect(await page.locator('#account-port').inputValue()).toBe('587');
    expect(await page.locator('#account-imap').isVisible()).toBe(false);
    await page.getByText('Seldom needed').click();
    await page.locator('#account-imap').fill('imap.office.example');

    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();

    const saved = (await asked()).find((one) => one.startsWith('save-account')) ?? '';
    await close();
    expect(JSON.parse(saved.slice('save-account '.length))).toMatchObject({
      smtp: { host: 'smtp.office.example', port: 587, security: 'starttls' },
      imap: { host: 'imap.office.example', port: 993, security: 'tls' },
    });
  });

  it('signs in with the browser where the provider wants that, and needs no password', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('lena@gmail.com');
    await page.locator('#account-address').press('Tab');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();

    const saved = (await asked()).find((one) => one.startsWith('save-account'));
    await close();
    expect(saved).toContain('"login":"google"');
    expect(saved).toContain('"signIn":"now"');
    expect(saved).toContain('"password":""');
  });

  it('lets the person stop a sign-in that nobody finishes, or take a password instead', async () => {
    const { page, asked, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('nobody@gmail.com');
    await page.locator('#account-address').press('Tab');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByText('Your browser is open.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Use a password instead' }).click();
    await page.getByLabel('App password').fill('abcd efgh ijkl mnop');
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByRole('heading', { name: /^Step 3 of 3/ }).waitFor();

    const requests = (await asked()).filter((one) => /^(save-account|stop-sign-in)/.test(one));
    await close();
    expect(requests).toEqual([
      expect.stringContaining('"login":"google"'),
      'stop-sign-in null',
      expect.stringContaining('"login":"password","password":"abcd efgh ijkl mnop"'),
    ]);
  });

  it('says what failed, with the server’s own words folded, and keeps what was typed', async () => {
    const { page, close } = await browser.show('new');
    await page.locator('#connect-address').fill('mail.example.com');
    await page.locator('#connect-code').fill('WRONG');

    await page.getByRole('button', { name: 'Connect' }).click();

    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('does not know this pairing code');
    expect(await page.getByText('pairing-code-unknown').isVisible()).toBe(false);
    expect(await page.locator('#connect-code').inputValue()).toBe('WRONG');
    await close();
  });

  it('goes back a step and forth again without losing anything', async () => {
    const { page, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('someone@office.example');
    await page.keyboard.press('Tab');
    await page.locator('#account-host').fill('smtp.office.example');

    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Connected to https://mail.example.com').waitFor();
    await page.getByRole('button', { name: 'Go on to the mail account' }).click();

    expect(await page.locator('#account-address').inputValue()).toBe('someone@office.example');
    expect(await page.locator('#account-host').inputValue()).toBe('smtp.office.example');
    await close();
  });

  it('left half-way finds everything but secrets when the window opens again', async () => {
    const { page, close } = await browser.show('new');
    await page.locator('#connect-address').fill('https://mail.example.com/#pair=ABCD-1234');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#account-address').fill('someone@office.example');
    await page.locator('#account-password').fill('canary-secret');

    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');

    expect(kept).toContain('someone@office.example');
    expect(kept).not.toContain('canary-secret');
    expect(kept).not.toContain('ABCD-1234');
    await close();
  });

  it('names the first field that is missing and goes there', async () => {
    const { page, asked, close } = await browser.show('new');

    await page.getByRole('button', { name: 'Connect' }).click();

    const focused = await page.evaluate<string>('document.activeElement.id');
    expect(focused).toBe('connect-address');
    expect(await page.locator('#connect-address').getAttribute('aria-invalid')).toBe('true');
    expect((await asked()).some((one) => one.startsWith('pair '))).toBe(false);
    await close();
  });
});
