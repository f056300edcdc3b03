import { describe } from 'vitest';
import {
  attemptOf,
  claimOf,
  countOf,
  endedOutboxOf,
  holdOf,
  mailOf,
  numberOf,
  outboxOf,
  STATE_KINDS,
  settingOf,
} from '../../src/main/adapters/sqlite/rows.ts';
import { checkSetting } from '../../src/main/set-up.ts';
import { isLoopbackHost } from '../../src/shared/loopback.ts';
import {
  isAllowedCloudUrl,
  MailAccount,
  Pace,
  Pairing,
  ProxyChoice,
  type SettingKey,
} from '../../src/shared/settings.ts';
import { SignInClients } from '../../src/shared/sign-in.ts';
import { parseAddress } from '../../src/shared/wire/address.ts';
import { fuzz, must } from './fuzz.ts';
import { mutated } from './mutate.ts';

const SETTINGS: Record<SettingKey, object> = {
  pairing: { cloudUrl: 'https://cloud.example', agentId: 'a1', agentName: 'PC', userId: 'u1', userName: 'Fang' },
  account: {
    address: 'sales@example.com',
    name: 'Fang',
    userName: 'sales@example.com',
    smtp: { host: 'smtp.example.com', port: 465, security: 'tls', caFile: null },
    aliases: ['info@example.com'],
  },
  pace: {
    gapMinMs: 1_000,
    gapMaxMs: 2_000,
    perMinute: 3,
    perHour: null,
    perDay: 300,
    workingHours: { from: '09:00', to: '18:00', days: [1, 2], timeZone: 'Asia/Shanghai' },
  },
  app: { language: 'en', startAtLogin: true, setUpDone: true },
  proxy: { kind: 'socks5', host: 'proxy.example.com', port: 1080, userName: 'fang', mail: 'through-proxy' },
  signIn: {
    google: {
      clientId: 'id',
      endpoints: {
        issuer: 'https://login.example',
        authorization_endpoint: 'https://login.example/ask',
        token_endpoint: 'https://login.example/token',
      },
    },
  },
};
const KEYS = ['pairing', 'account', 'pace', 'app', 'proxy', 'signIn'] as const;

/** What must be so of any value that was accepted. */
function holds(key: SettingKey, value: unknown): boolean {
  switch (key) {
    case 'pairing': {
      const { cloudUrl } = Pairing.parse(value);
      const { protocol, hostname } = new URL(cloudUrl);
      const isHere = isLoopbackHost(hostname.replace(/^\[|\]$/g, ''));
      return isAllowedCloudUrl(cloudUrl) && (protocol === 'https:' || (protocol === 'http:' && isHere));
    }
    case 'account': {
      const { address, smtp, aliases } = MailAccount.parse(value);
      const isClear = smtp.security !== 'none' || isLoopbackHost(smtp.host);
      const isWhole = !(smtp.port === 465 && smtp.security === 'starttls') && !/[\s\0/@]/.test(smtp.host);
      return isClear && isWhole && [address, ...aliases].every((one) => parseAddress(one).ok);
    }
    case 'pace': {
      const { gapMinMs, gapMaxMs, workingHours } = Pace.parse(value);
      return gapMinMs >= 0 && gapMinMs <= gapMaxMs && (workingHours === null || workingHours.from < workingHours.to);
    }
    case 'signIn': {
      const { google, microsoft } = SignInClients.parse(value);
      const urls = [google, microsoft].flatMap((client) => Object.values(client?.endpoints ?? {}));
      return urls.every((text) => {
        const { protocol, hostname } = new URL(text);
        return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname.replace(/^\[|\]$/g, '')));
      });
    }
    case 'app':
      return true;
    case 'proxy': {
      const proxy = ProxyChoice.parse(value);
      return !('host' in proxy) || !/[\s\0/@]/.test(proxy.host);
    }
  }
}

const STATE = { id: '7', idempotencyKey: 'email-recipient-7', payloadHash: 'sha256:00', attempt: 1, stateNonce: null };
const ROWS = [
  {
    table: 'mail',
    read: mailOf,
    row: {
      ...STATE,
      state: 'claimed',
      retryAtMs: 5,
      notBeforeMs: null,
      notAfterMs: 9,
      taskId: 't',
      taskName: 'Spring',
      claimedAtMs: 1,
      changedAtMs: 2,
      payload: '{"to":{"address":"a@b.example"}}',
    },
  },
  {
    table: 'attempt',
    read: attemptOf,
    row: {
      mailId: '7',
      attempt: 1,
      startedAtMs: 1,
      handedOverAtMs: null,
      endedAtMs: 2,
      outcome: 'refused',
      nonce: 'n',
      stage: 'envelope',
      class: 'content',
      message: 'no',
      code: 550,
      enhanced: null,
      replyText: 'no',
    },
  },
  { table: 'outbox', read: outboxOf, row: { seq: 1, mailId: '7', route: 'result', body: '{}', nonce: null, tries: 0 } },
  {
    table: 'outbox',
    read: endedOutboxOf,
    row: { seq: 1, mailId: '7', route: 'notSent', body: '{}', nonce: 'n', tries: 0, ended: 'told' },
  },
  { table: 'hold', read: holdOf, row: { kind: 'account', sinceMs: 1, untilMs: null, text: 'x', repeat: 1 } },
  { table: 'claim', read: claimOf, row: { claimId: 'c', askedAtMs: 1 } },
  { table: 'setting', read: settingOf, row: { key: 'pace', value: '{"a":1}' } },
  { table: 'attempt', read: (row: unknown) => numberOf(row, 'attempt'), row: { value: 7 } },
  { table: 'mail', read: countOf, row: { state: 'sent', count: 7 } },
] as const;

describe('what lies on the disk', () => {
  fuzz('as a setting is refused in words that name it, or sound as a whole', (chance) => {
    const key = chance.pick(KEYS);
    const value = mutated(SETTINGS[key], chance);
    const checked = checkSetting(key, value);
    const shown = () => `${key}: ${JSON.stringify(value)}`;
    if (!checked.ok) {
      must(checked.error.startsWith(`setting ${key}`), () => `${shown()} ${checked.error}`);
      return;
    }
    must(holds(key, checked.value), shown);
    const again = checkSetting(key, JSON.parse(JSON.stringify(checked.value)));
    must(again.ok && JSON.stringify(again.value) === JSON.stringify(checked.value), shown);
  });

  fuzz('as a row of the ledger is a fault that names table and key, or a value of its form', (chance) => {
    const { table, read, row } = chance.pick(ROWS);
    const value = mutated(row, chance);
    const shown = () => `${table}: ${JSON.stringify(value)}`;
    let found: unknown;
    try {
      found = read(value);
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      // A mail is read with its payload, which lies in a table of its own.
      const named = table === 'mail' ? '(mail|payload)' : table;
      const expected = new RegExp(`^the ledger's table ${named} holds a row that cannot be read: `);
      must(expected.test(text), () => `${shown()} ${text}`);
      must(text.length < 300, shown);
      return;
    }
    if (typeof found !== 'object' || found === null || !('state' in found)) return;
    const { state } = found;
    const kind = typeof state === 'object' && state !== null && 'kind' in state ? state.kind : null;
    must(
      STATE_KINDS.some((known) => known === kind),
      shown,
    );
    // Nothing of a row that is not claimed lets a mail be sent.
    must(
      kind !== 'claimed' || (typeof value === 'object' && value !== null && Reflect.get(value, 'state') === 'claimed'),
      shown,
    );
  });
});
