import path from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { DesktopApp, ONCE_MORE, type StagedApp, stageApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { ScriptedSmtp } from '../../support/scripted-smtp.ts';
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
  app = await DesktopApp.launch(staged, session);
  page = await app.electron.firstWindow();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
});
afterAll(async () => {
  await app?.kill();
  await smtp?.close();
  await cloud?.close();
  await session?.close();
  await staged?.remove();
});

describe('a person at the window', ONCE_MORE, () => {
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

  it('reads the mail as it was approved, in a frame that runs nothing', async () => {
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-0 .mark').click();

    await page.frameLocator('.preview').getByText('Dear customer').waitFor();

    const frame = page.frames().find((one) => one.url().includes('/mail-preview/'));
    expect(await frame?.evaluate<string>("getComputedStyle(document.querySelector('p')).color")).toBe(
      'rgb(11, 98, 196)',
    );
    expect(await frame?.evaluate<string>('document.title')).toBe('');
    expect(complaints.filter((text) => !text.includes('Blocked script execution'))).toEqual([]);
  });
});
