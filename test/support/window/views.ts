import type { Page } from 'playwright-core';
import type { Language } from '../../../src/shared/texts/language.ts';
import { type WindowTexts, windowTexts } from '../../../src/shared/texts/window-texts/window-texts.ts';
import type { Scene } from './example-scenes.ts';

/** Debian's own; nothing is downloaded. */
export const CHROMIUM = '/usr/bin/chromium';

/** A view of the window and the way to it; ends when it is drawn. */
export type View = {
  readonly name: string;
  readonly scene: Scene;
  readonly open: (page: Page, language: Language) => Promise<void>;
};

const view = (name: string, scene: Scene, walk: (page: Page, texts: WindowTexts) => Promise<void>): View => ({
  name,
  scene,
  open: (page, language) => walk(page, windowTexts(language)),
});

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor();
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

async function connect(page: Page, { setUp }: WindowTexts): Promise<void> {
  await page.getByLabel(setUp.connect.address).fill('https://mail.example.com/#pair=ABCD-1234');
  await press(page, setUp.connect.connect);
  await page.locator('#account-address').waitFor();
}

async function toSettings(page: Page, id: string): Promise<void> {
  await page.locator('#nav-settings').click();
  await page.locator(`#to-${id}`).click();
}

export const VIEWS: readonly View[] = [
  view('set-up-connect', 'new', (page, { setUp }) => page.getByText(setUp.connect.intro).waitFor()),
  view('set-up-connect-refused', 'new', async (page, { setUp }) => {
    await page.getByLabel(setUp.connect.address).fill('mail.example.com');
    await page.getByLabel(setUp.connect.code).fill('WRONG');
    await press(page, setUp.connect.connect);
    await page.getByRole('alert').waitFor();
    await page.locator('.quote summary').click();
  }),
  view('set-up-account', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('abcdefgh');
    await page.getByText('smtp.qq.com').waitFor();
  }),
  view('set-up-account-sign-in', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('lena@gmail.com');
    await page.locator('#account-address').press('Tab');
    await page.getByRole('button', { name: texts.setUp.account.signInWith('Google') }).waitFor();
  }),
  view('set-up-account-offline', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('lena@offline.example');
    await page.locator('#account-password').fill('abcdefgh');
    await press(page, texts.setUp.account.check);
    await page.getByRole('alert').getByText(texts.setUp.account.offline).waitFor();
  }),
  view('set-up-account-refused', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('wangli@example.com');
    await page.locator('#account-password').fill('wrong');
    await press(page, texts.setUp.account.check);
    await page.locator('#account-host').fill('smtp.example.com');
    await press(page, texts.setUp.account.check);
    await page.getByRole('alert').waitFor();
    await page.getByRole('alert').scrollIntoViewIfNeeded();
  }),
  view('set-up-account-named', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('wangli@example.com');
    await page.locator('#account-password').fill('abcdefgh');
    await page.locator('#account-host').fill('smtp.example.com');
    await page.getByText(texts.setUp.account.more).click();
    await page.locator('#account-imap').fill('imap.example.com');
  }),
  view('set-up-account-tested', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('abcdefgh');
    await page.getByLabel(texts.setUp.account.testMail).check();
    await press(page, texts.setUp.account.check);
    await page.getByText(texts.setUp.account.worksAlready('wangli@qq.com')).waitFor();
  }),
  view('set-up-done', 'new', async (page, texts) => {
    await connect(page, texts);
    await page.locator('#account-address').fill('wangli@qq.com');
    await page.locator('#account-password').fill('abcdefgh');
    await press(page, texts.setUp.account.check);
    await page.getByText(texts.setUp.done.intro).waitFor();
  }),
  view('today-before-set-up', 'new', async (page, { today }) => {
    await page.locator('#nav-today').click();
    await page.getByText(today.setUpText).waitFor();
  }),
  view('today-sending', 'sending', (page, { today }) => page.getByText(today.stage['handed-over']).waitFor()),
  view('today-waiting', 'waiting', (page, { today }) => page.getByText(today.checkNow).waitFor()),
  view('today-pause-menu', 'waiting', async (page, { today }) => {
    await page.getByRole('button', { name: today.pause }).click();
    await page.getByRole('menuitem', { name: today.pauseHour }).waitFor();
  }),
  view('today-paused', 'paused', (page, { today }) => page.getByText(today.resume, { exact: true }).waitFor()),
  view('today-account', 'account', (page, { today }) => page.getByText(today.openAccount).waitFor()),
  view('today-offline', 'offline', (page, { today }) => page.getByText(today.offlineText).waitFor()),
  view('today-empty', 'empty', (page, { today }) => page.getByText(today.emptyText).waitFor()),
  view('today-done', 'done', (page, { today }) => page.getByText(today.allDoneText).waitFor()),
  view('today-trouble', 'broken', (page, { frame }) => page.getByText(frame.tryAgain).waitFor()),
  view('mails', 'sending', async (page) => {
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-5 .mark').waitFor();
    await page.locator('#mail-list').focus();
  }),
  view('mails-empty', 'empty', async (page, { mails }) => {
    await page.locator('#nav-mails').click();
    await page.getByText(mails.noneText).waitFor();
  }),
  view('mails-no-match', 'sending', async (page, { mails }) => {
    await page.locator('#nav-mails').click();
    await page.getByRole('searchbox').fill('zzzz');
    await page.getByText(mails.noMatchText).waitFor();
  }),
  view('mail', 'sending', async (page) => {
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-4 .mark').click();
    await page.locator('.timeline').waitFor();
  }),
  view('mail-preview', 'sending', async (page) => {
    await page.locator('#nav-mails').click();
    await page.locator('#mail-row-4 .mark').click();
    await page.frameLocator('.preview').locator('p').first().waitFor();
    await page.locator('.fold summary').click();
    await page.locator('.fold').scrollIntoViewIfNeeded();
  }),
  view('needs-you', 'sending', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await page.getByText(needsYou.uncertain.notSentMeans).waitFor();
  }),
  view('needs-you-refused', 'sending', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await page.locator('.fold summary').click();
    await page.getByText(needsYou.failed.means).waitFor();
    await page.locator('.fold').scrollIntoViewIfNeeded();
  }),
  view('needs-you-answered', 'sending', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await press(page, needsYou.uncertain.sent);
    await page.getByRole('button', { name: needsYou.uncertain.undo }).waitFor();
  }),
  view('needs-you-account', 'account', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await heading(page, needsYou.stopped.title.account);
    await page.getByText(needsYou.stopped.noneLost).waitFor();
  }),
  view('needs-you-came-back', 'came-back', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await page.getByRole('button', { name: needsYou.held.lift }).waitFor();
  }),
  view('needs-you-empty', 'empty', async (page, { needsYou }) => {
    await page.locator('#nav-needs-you').click();
    await page.getByText(needsYou.noneText).waitFor();
  }),
  view('settings', 'waiting', async (page, { settings }) => {
    await page.locator('#nav-settings').click();
    await page.getByText(settings.about).waitFor();
  }),
  view('settings-account', 'waiting', async (page, { setUp }) => {
    await toSettings(page, 'account');
    await page.getByText(setUp.account.check).waitFor();
  }),
  view('settings-pace', 'waiting', async (page, { settings }) => {
    await toSettings(page, 'pace');
    await page.getByLabel(settings.pace.hoursOn).check();
    await page.locator('#pace-gap-from').fill('90');
    await press(page, settings.pace.save);
    await page.locator('#pace-gap-wrong').waitFor();
  }),
  view('settings-connection', 'waiting', async (page, { setUp }) => {
    await toSettings(page, 'connection');
    await press(page, setUp.connect.again);
    await page.locator('#connect-code').waitFor();
  }),
  view('settings-proxy', 'waiting', async (page, { proxy }) => {
    await toSettings(page, 'proxy');
    await page.getByLabel(proxy.way).selectOption('socks5');
    await page.getByLabel(proxy.host, { exact: true }).fill('proxy.example.com');
    await page.getByLabel(proxy.userName).fill('lena');
    await press(page, proxy.save);
    await page.getByText(proxy.wrong.port).waitFor();
  }),
  view('settings-about', 'waiting', async (page, { settings }) => {
    await toSettings(page, 'about');
    await press(page, settings.aboutPage.copyDiagnostics);
    await page.getByText(settings.aboutPage.copied).waitFor();
  }),
  view('settings-licences', 'waiting', async (page, { settings }) => {
    await toSettings(page, 'about');
    await page.locator('.fold > summary').click();
    await page.getByText(settings.aboutPage.licencesText).waitFor();
    await page.locator('.licences summary').first().click();
    await page.locator('.licence-text').scrollIntoViewIfNeeded();
  }),
];
