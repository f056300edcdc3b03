import type { Language } from './language.ts';

/** Why sending waits, by the kinds of the agent's holds, and `fault` for one of the agent's own. */
const HOLD_NAMES = ['user', 'cloud', 'account', 'back-off', 'keychain', 'ledger', 'token', 'fault'] as const;
type HoldName = (typeof HOLD_NAMES)[number];

type HoldTexts = {
  readonly since: (time: string) => string;
  readonly endsAt: (time: string) => string;
  /** What ends it where no time does. */
  readonly ends: Record<HoldName, string>;
};

const HOLD_TEXTS: Record<Language, HoldTexts> = {
  en: {
    since: (time) => `Since ${time}`,
    endsAt: (time) => `ends by itself at ${time}`,
    ends: {
      user: 'ends when you resume',
      cloud: 'ends when your office resumes',
      account: 'ends when the mail account is put right, or when you choose “Try now”',
      'back-off': 'ends by itself',
      keychain: 'ends when the password can be read again',
      ledger: 'ends by itself when the disk takes new data again',
      token: 'ends when this computer is connected to the cloud again',
      fault: 'ends by itself',
    },
  },
  'zh-CN': {
    since: (time) => `自 ${time} 起`,
    endsAt: (time) => `将于 ${time} 自动恢复`,
    ends: {
      user: '您恢复发送后结束',
      cloud: '管理员恢复发送后结束',
      account: '邮箱账户恢复正常后结束，或点“立即重试”',
      'back-off': '将自动恢复',
      keychain: '能重新读取密码后结束',
      ledger: '磁盘可以写入后自动恢复',
      token: '重新连接云端后结束',
      fault: '将自动恢复',
    },
  },
};

/** Since when, and what ends it, as one line; `time` writes an instant. */
export function holdLine(
  language: Language,
  hold: { readonly kind: string; readonly sinceMs: number; readonly untilMs: number | null },
  time: (atMs: number) => string,
): string {
  const texts = HOLD_TEXTS[language];
  const name = HOLD_NAMES.find((known) => known === hold.kind);
  const end = hold.untilMs === null ? (name === undefined ? null : texts.ends[name]) : texts.endsAt(time(hold.untilMs));
  return [texts.since(time(hold.sinceMs)), ...(end === null ? [] : [end])].join(' · ');
}
