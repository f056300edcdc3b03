import type { z } from 'zod';
import { err, ok, type Result } from '../shared/result.ts';
import { MailAccount, Pace, Pairing, SETTINGS, type SettingKey } from '../shared/settings.ts';
import type { Ledger } from './engine/ports.ts';

/** What set-up left in the ledger; null where that step was not done yet. */
export type SetUp = {
  readonly pairing: Pairing | null;
  readonly account: MailAccount | null;
  readonly pace: Pace;
};

/** Reads the settings; an unreadable one names the setting, the value's place and what is allowed. */
export function readSetUp(ledger: Pick<Ledger, 'setting'>): Result<SetUp, string> {
  const pairing = readSetting(ledger, 'pairing', Pairing.nullable());
  if (!pairing.ok) return pairing;
  const account = readSetting(ledger, 'account', MailAccount.nullable());
  if (!account.ok) return account;
  const pace = readSetting(ledger, 'pace', Pace.nullable());
  if (!pace.ok) return pace;
  return ok({ pairing: pairing.value, account: account.value, pace: pace.value ?? Pace.parse({}) });
}

function readSetting<T>(ledger: Pick<Ledger, 'setting'>, key: SettingKey, schema: z.ZodType<T>): Result<T, string> {
  const parsed = schema.safeParse(ledger.setting(key) ?? null);
  return parsed.success ? ok(parsed.data) : err(settingProblem(key, parsed.error));
}

/** Checks a new value before it is stored. */
export function checkSetting(key: SettingKey, value: unknown): Result<unknown, string> {
  const parsed = SETTINGS[key].safeParse(value);
  return parsed.success ? ok(parsed.data) : err(settingProblem(key, parsed.error));
}

function settingProblem(key: SettingKey, error: z.ZodError): string {
  return error.issues.map((issue) => `setting ${[key, ...issue.path].join('.')}: ${issue.message}`).join('\n');
}
