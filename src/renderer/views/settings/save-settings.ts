import type { CheckOutcome, SettingsInput } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';

export type SaveOutcome = CheckOutcome;

/** Main checks the settings once more; what it says against them is for the person. */
export async function saveSettings({ pace, language, startAtLogin }: SettingsInput): Promise<SaveOutcome> {
  const answer = await request('save-settings', { pace, language, startAtLogin });
  return answer.ok ? answer.value : { ok: false, text: answer.error.text, quote: null };
}
