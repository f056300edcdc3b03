import type { z } from 'zod';
import { err, ok, type Result } from '../shared/result.ts';
import { MailAccount, Pace, Pairing, ProxyChoice, SETTINGS, type SettingKey, USUAL_PROXY } from '../shared/settings.ts';
import type { Ledger } from './engine/ports.ts';
import { usualPace } from './usual-pace.ts';

/** What set-up left in the ledger; null where that step was not done yet. */
export type SetUp = {
  readonly pairing: Pairing | null;
  readonly account: MailAccount | null;
  readonly pace: Pace;
  readonly proxy: ProxyChoice;
};

/** Reads the settings; an unreadable one names the setting, the value's place and what is allowed. */
export function readSetUp(ledger: Pick<Ledger, 'setting'>): Result<SetUp, string> {
  const pairing = readSetting(ledger, 'pairing', Pairing.nullable());
  if (!pairing.ok) return pairing;
  const account = readSetting(ledger, 'account', MailAccount.nullable());
  if (!account.ok) return account;
  const pace = readSetting(ledger, 'pace', Pace.nullable());
  if (!pace.ok) return pace;
  const proxy = readSetting(ledger, 'proxy', ProxyChoice.nullable());
  if (!proxy.ok) return proxy;
  return ok({
    pairing: pairing.value,
    account: account.value,
    pace: pace.value ?? usualPace(account.value),
    proxy: proxy.value ?? USUAL_PROXY,
  });
}

const readSetting = <T>(ledger: Pick<Ledger, 'setting'>, key: SettingKey, schema: z.ZodType<T>): Result<T, string> =>
  checkAs(key, schema, ledger.setting(key) ?? null);

/** Checks a new value before it is stored. */
export const checkSetting = (key: SettingKey, value: unknown): Result<unknown, string> =>
  checkAs<unknown>(key, SETTINGS[key], value);

export function checkAs<T>(key: SettingKey, schema: z.ZodType<T>, value: unknown): Result<T, string> {
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : err(settingProblem(key, value, parsed.error));
}

const VALUE_MAX_CHARS = 200;

/** One line for each thing wrong: the setting's place, the value that stands there, and what is allowed. */
function settingProblem(key: SettingKey, value: unknown, error: z.ZodError): string {
  const lines = error.issues.map(({ path, message }) => {
    const text = JSON.stringify(valueAt(value, path)) ?? 'nothing';
    return `setting ${[key, ...path].join('.')}: ${text.slice(0, VALUE_MAX_CHARS)} is not allowed. ${message}`;
  });
  return lines.join('\n');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}
