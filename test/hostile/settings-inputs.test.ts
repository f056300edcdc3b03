import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { isSealedEntry, needsSeal, seal, unseal } from '../../src/main/adapters/keychain/sealed-secret.ts';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { openDirect } from '../../src/main/adapters/tunnel/open-tunnel.ts';
import type { Log, Secrets } from '../../src/main/engine/ports.ts';
import { defaultDataFolder } from '../../src/main/headless/data-folder.ts';
import { pair } from '../../src/main/pair.ts';
import { checkSetting, readSetUp } from '../../src/main/set-up.ts';
import { createAgentHost } from '../../src/main/window-host/agent-host.ts';
import { isAllowedCloudUrl } from '../../src/shared/settings.ts';
import { client, HEARTBEAT, NEVER, sendJson, startCloud, TOKEN } from '../adapters/cloud-http/fake-cloud.ts';
import { inFolder, meddle, opened } from '../adapters/sqlite/ledger-folder.ts';
import { VirtualClock } from '../support/fakes-clock.ts';
import { hostile } from './hostile-test.ts';

const PAIRING = { cloudUrl: 'https://cloud.example', agentId: 'a1', agentName: 'PC', userId: 'u1', userName: 'Fang' };
const ACCOUNT = {
  address: 'sales@example.com',
  userName: 'sales@example.com',
  smtp: { host: 'smtp.example.com', port: 465, security: 'tls' },
};

/** Opens the folder as the desktop does; answers what stands in the way, and whether an agent was started. */
function startOn(folder: string): { readonly readable: boolean; readonly problem: string; readonly started: boolean } {
  const { ledger } = opened(folder);
  let started = false;
  const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const nobody = async () => ({ ok: false, error: { kind: 'missing', text: '' } }) as const;
  const secrets: Secrets = { get: nobody, set: nobody, delete: nobody };
  try {
    const read = readSetUp(ledger);
    const host = createAgentHost({
      ledger,
      log,
      secrets,
      clock: new VirtualClock(),
      folder,
      version: '1.0.0',
      resolveRoutes: async () => ({ ok: true, value: [{ kind: 'direct' }] }),
      systemLanguage: 'en',
      assemble: () => {
        started = true;
        throw new Error('an agent was started');
      },
    });
    host.status();
    return { readable: read.ok, problem: read.ok ? '' : read.error, started };
  } finally {
    ledger.close();
  }
}

function storeSettings(folder: string): void {
  const { ledger } = opened(folder);
  for (const [key, value] of Object.entries({ pairing: PAIRING, account: ACCOUNT, app: { setUpDone: true } })) {
    expect(ledger.commit([{ kind: 'setting', key, value }]).ok).toBe(true);
  }
  ledger.close();
}

describe('settings', () => {
  hostile('HI-087', () => {
    for (const [value, place] of [
      ['', 'account'],
      ['{"address":"sales@exam', 'account'],
      ['\0\0\0\0', 'account'],
      ['null', ''],
      ['[]', 'account'],
      ['7', 'account'],
      [JSON.stringify({ ...ACCOUNT, address: 7 }), 'account.address'],
      [JSON.stringify({ ...ACCOUNT, smtp: { ...ACCOUNT.smtp, port: '465' } }), 'account.smtp.port'],
      [JSON.stringify({ ...ACCOUNT, oauth: { kind: 'newer' } }), 'account'],
      [JSON.stringify({ ...ACCOUNT, address: 'x'.repeat(3_000_000) }), 'account.address'],
    ] as const) {
      inFolder((folder) => {
        storeSettings(folder);
        meddle(folder, `UPDATE setting SET value = '${value.replaceAll('\0', "'||char(0)||'")}' WHERE key = 'account'`);
        const { readable, problem, started } = startOn(folder);
        expect([readable, started], value.slice(0, 40)).toEqual([place === '', false]);
        if (place !== '') expect(problem).toContain(`setting ${place}`);
      });
    }
    inFolder((folder) => {
      storeSettings(folder);
      writeFileSync(path.join(folder, LEDGER_FILE), Buffer.alloc(100_000));
      const { ledger, notice } = opened(folder);
      expect(existsSync(notice?.file ?? '')).toBe(true);
      expect(ledger.setting('account')).toBeUndefined();
      ledger.close();
      expect(startOn(folder)).toMatchObject({ readable: true, started: false });
    });
  });

  hostile('HI-089', () => {
    const account = (smtp: object) => checkSetting('account', { ...ACCOUNT, smtp: { ...ACCOUNT.smtp, ...smtp } });
    expect(account({}).ok).toBe(true);
    for (const smtp of [
      { port: 465, security: 'starttls' },
      { security: 'none' },
      { security: 'none', host: 'localhost.evil.example' },
      { port: 0 },
      { port: 65_536 },
    ]) {
      expect(account(smtp).ok, JSON.stringify(smtp)).toBe(false);
    }
    const hours = { from: '18:00', to: '09:00', days: [1], timeZone: 'Asia/Shanghai' };
    expect(checkSetting('pace', { workingHours: hours }).ok).toBe(false);
    expect(checkSetting('pace', { gapMinMs: 2_000, gapMaxMs: 1_000 }).ok).toBe(false);
  });

  hostile('HI-090', async () => {
    for (const url of [
      'http://cloud.example',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil',
      'ws://cloud.example',
    ]) {
      expect(isAllowedCloudUrl(url), url).toBe(false);
      expect(checkSetting('pairing', { ...PAIRING, cloudUrl: url }).ok).toBe(false);
    }
    const server = await startCloud((_seen, response) => sendJson(response, {}));
    const stored: string[] = [];
    const parts = {
      secrets: {
        set: async (name: string) => {
          stored.push(name);
          return { ok: true, value: undefined } as const;
        },
      },
      version: '1.0.0',
      tunnel: openDirect,
      boundTo: PAIRING,
    };
    const outcome = await pair(parts, { cloudUrl: server.url, code: 'ABCD-1234', agentName: null });
    await server.close();
    expect(outcome).toEqual({ ok: false, error: { kind: 'other-owner', owner: PAIRING } });
    expect([stored, server.seen.length]).toEqual([[], 0]);
  });

  hostile('HI-088', () => {
    // Roaming profiles, OneDrive's Documents and iCloud's Documents and Desktop are copied to other computers.
    const windows = defaultDataFolder(
      { LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local', APPDATA: 'C:\\Roaming' },
      'win32',
    );
    expect(windows).toContain('AppData\\Local');
    expect(defaultDataFolder({}, 'win32')).not.toMatch(/OneDrive|Documents|Roaming/);
    expect(defaultDataFolder({}, 'darwin')).toMatch(/Library\/Application Support/);
    expect(defaultDataFolder({}, 'linux')).toMatch(/\.local\/share/);
  });
});

describe('the computer', () => {
  hostile('HI-095', async () => {
    expect([needsSeal('x'.repeat(1_280)), needsSeal('x'.repeat(1_281))]).toEqual([false, true]);
    // In UTF-8 the limit of 2,560 bytes comes first.
    expect([needsSeal('王'.repeat(853)), needsSeal('王'.repeat(854))]).toEqual([false, true]);
    const secret = 'canary'.repeat(300);
    const folder = mkdtempSync(path.join(tmpdir(), 'hostile-seal-'));
    try {
      const place = { folder, name: 'agent-token', account: 'p:agent-token' } as const;
      const entry = await seal(place, secret);
      expect(entry.ok && isSealedEntry(entry.value) && entry.value.length <= 1_280).toBe(true);
      expect(entry.ok && (await unseal(place, entry.value))).toEqual({ ok: true, value: secret });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  hostile('HI-098', async () => {
    const heard: string[] = [];
    const proxy = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end();
    });
    proxy.on('connect', (request, socket) => {
      heard.push(`CONNECT ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : url;
    const server = await startCloud((_seen, response) =>
      sendJson(response, { server_time: '2026-01-02T03:04:05Z', commands: [] }),
    );
    const cloud = client(server.url);
    const nowhere = client('https://cloud.invalid', { deadlines: { totalMs: 20_000 } });
    try {
      expect(await cloud.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ ok: true });
      expect(await nowhere.heartbeat(HEARTBEAT, NEVER)).toMatchObject({ ok: false });
      expect(server.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${TOKEN}`]);
      expect(heard).toEqual([]);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await Promise.all([cloud.close(), nowhere.close(), server.close()]);
      await new Promise((resolve) => proxy.close(resolve));
    }
  });
});
