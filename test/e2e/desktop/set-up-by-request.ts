import type { SettingsInput } from '../../../src/shared/ipc/views.ts';
import { Pace } from '../../../src/shared/settings.ts';
import type { TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import type { DesktopApp } from '../../support/desktop-app.ts';

export const ADDRESS = 'wang@example.com';
export const PASSWORD = 'correct horse battery';
const NO_PAUSES = Pace.parse({ gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null });

export async function pairingCode(cloud: TestCloud, userId: string): Promise<string> {
  return (await cloud.operator.must('createPairingCode', { params: { id: userId } })).pairing_code;
}

/** Set-up as a person does it, step by step, for a user of its own; answers the user's id. */
export async function setUpByRequest(app: DesktopApp, cloud: TestCloud, smtpPort: number): Promise<string> {
  const userId = await newUser(cloud);
  const steps = [
    await app.request('pair', { cloudUrl: cloud.url, code: await pairingCode(cloud, userId) }),
    await app.request('save-account', {
      address: ADDRESS,
      name: '王芳',
      userName: ADDRESS,
      password: PASSWORD,
      smtp: { host: '127.0.0.1', port: smtpPort, security: 'none', caFile: null },
      login: 'password',
      signIn: 'kept',
      imap: null,
      testMail: 'none',
    }),
    await app.request('save-settings', { pace: NO_PAUSES, language: 'en', startAtLogin: false }),
  ];
  const trouble = steps.find((step) => !step.ok);
  if (trouble !== undefined) throw new Error(JSON.stringify(trouble));
  await app.request('finish-set-up', { startAtLogin: true });
  return userId;
}

/** As the window does: what it was told beside the settings does not go back. */
export async function changeSettings(app: DesktopApp, change: Partial<SettingsInput>): Promise<void> {
  const { pace, language, startAtLogin } = await app.request('settings', null);
  const saved = await app.request('save-settings', { pace, language, startAtLogin, ...change });
  if (!saved.ok) throw new Error(saved.text);
}
