import path from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { DesktopApp, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { fillLedger } from '../../support/fill-ledger.ts';
import { ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { until } from '../agent-and-cloud/until.ts';
import { ADDRESS, PASSWORD, pairingCode } from './set-up-by-request.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let staged: StagedApp;
let cloud: TestCloud;
let session: DesktopSession;
let smtp: ScriptedSmtp;
let app: DesktopApp;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  [staged, cloud, session, smtp] = await Promise.all([
    stageApp(),
    startTestCloud(),
    startDesktopSession(),
    ScriptedSmtp.start(),
  ]);
  await build({
    configFile: path.join(ROOT, 'vite.renderer.config.ts'),
    logLevel: 'warn',
    build: { outDir: path.join(staged.folder, 'build/renderer') },
  });
  await start();
});
afterAll(async () => {
  await app?.kill();
  await smtp?.close();
  await cloud?.close();
  await session?.close();
  await staged?.remove();
});

async function start(): Promise<void> {
  app = await DesktopApp.launch(staged, session);
  page = await app.electron.firstWindow();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
}

/** Mails to many companies: those to one domain are slowed down on purpose. */
const atOwnCompany = (number: number) => {
  const mail = samplePayload(number);
  return { ...mail, to: { ...mail.to, address: `customer${number}@company-${number}.example` } };
};

describe('a person at the window', () => {
  it('sets up with a pasted link, an address and a password, and sees the first mail sent', async () => {
    const userId = await newUser(cloud);
    await page.locator('#connect-address').fill(`${cloud.url}/#pair=${await pairingCode(cloud, userId)}`);
    await page.locator('#connect-address').press('Enter');
    await page.locator('#account-address').fill(ADDRESS);
    await page.locator('#account-password').fill(PASSWORD);
    // Nobody knows the server of this address, so the window asks for it.
    await page.locator('#account-host').fill('127.0.0.1');
    await page.locator('#account-port').fill(String(smtp.port));
    await page.locator('#account-security').selectOption('none');
    await page.locator('#account-host').press('Enter');
    await page.locator('#start-at-login').uncheck();
    await page.locator('.step button.primary').click();
    await page.locator('.empty').waitFor();

    const html = '<p style="color: rgb(11, 98, 196)">Dear customer</p><script>document.title = "ran"</script>';
    await cloud.queueMails(userId, [{ ...samplePayload(1), html }]);

    await page.locator('.hero-line', { hasText: /1 of 1 sent|已发送 1 \/ 1/ }).waitFor();
    expect(smtp.messages.map(({ accepted }) => accepted)).toEqual([true]);
  });

  it('takes the pauses out of the pace and sees a batch of 20 through', async () => {
    await page.locator('#nav-settings').click();
    await page.locator('#to-pace').click();
    for (const id of ['gap-from', 'gap-to']) await page.locator(`#pace-${id}`).fill('0');
    for (const id of ['per-minute', 'per-hour', 'per-day']) await page.locator(`#pace-${id}`).fill('');
    await page.locator('form button.primary').click();
    await page.getByText(/^(Saved|已保存)/).waitFor();
    await page.locator('#nav-today').click();

    const [row] = await cloud.sql("SELECT user_id FROM recipients WHERE status = 'sent'");
    const ids = await cloud.queueMails(
      String(row?.['user_id']),
      Array.from({ length: 20 }, (_, index) => atOwnCompany(index + 2)),
    );

    await page.locator('.hero-line', { hasText: /21 of 21 sent|已发送 21 \/ 21/ }).waitFor();
    const status = async (id: string) => (await cloud.operator.must('getRecipient', { params: { id } })).status;
    await until(async () => (await Promise.all(ids.map(status))).every((one) => one === 'sent'));
    expect(new Set(smtp.recipients).size).toBe(21);
    expect(smtp.messages.length).toBe(21);
  });

  it('reads the mail as it was approved, in a frame that runs nothing', async () => {
    await page.locator('#nav-mails').click();
    await page.getByRole('searchbox').fill('customer1@');
    await page.locator('#mail-row-0', { hasText: 'Customer 1' }).locator('.mark').click();

    await page.frameLocator('.preview').getByText('Dear customer').waitFor();

    const frame = page.frames().find((one) => one.url().includes('/mail-preview/'));
    expect(await frame?.evaluate<string>("getComputedStyle(document.querySelector('p')).color")).toBe(
      'rgb(11, 98, 196)',
    );
    expect(await frame?.evaluate<string>('document.title')).toBe('');
    expect(complaints.filter((text) => !text.includes('Blocked script execution'))).toEqual([]);
  });

  it('finds its way through 10,000 mails', async () => {
    await app.quit();
    fillLedger(path.join(session.home, '.local/share/mail-agent'), 10_000);
    await start();

    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-0 .mark').waitFor();
    await page.locator('#mail-list').focus();
    await page.keyboard.press('End');
    await page.locator('#mail-row-10020', { hasText: 'Customer old-1' }).waitFor();
    expect(await page.locator('.mail-row').count()).toBeLessThan(40);
    await page.getByRole('searchbox').fill('OLD-7777@');
    await page.locator('#mail-row-0', { hasText: 'Customer old-7777' }).waitFor();

    expect(await page.locator('.mail-row').count()).toBe(1);
    // What was done long ago is not what is looked at today.
    await page.locator('#nav-today').click();
    await page.locator('.hero-line', { hasText: /21 of 21 sent|已发送 21 \/ 21/ }).waitFor();
  });
});
