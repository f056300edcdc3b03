import { afterEach, describe, expect, it } from 'vitest';
import type { SecretName, Secrets } from '../src/main/engine/ports.ts';
import { type SaveProxyParts, saveProxy } from '../src/main/save-proxy.ts';
import { ok } from '../src/shared/result.ts';
import { MailAccount, Pairing, ProxyChoice } from '../src/shared/settings.ts';
import { type ProxyPeer, type ProxyPeerOptions, startProxyPeer } from './support/proxy-peer.ts';
import { ScriptedSmtp } from './support/scripted-smtp.ts';

const LOGIN = { userName: 'anna', password: 'geheim' };
const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function world(options: ProxyPeerOptions) {
  const proxy = await startProxyPeer(options);
  const smtp = await ScriptedSmtp.start();
  open.push(proxy, smtp);
  const stored = new Map<SecretName, string>();
  const secrets: Secrets = {
    async get(name) {
      const value = stored.get(name);
      return value === undefined ? { ok: false, error: { kind: 'missing', text: 'none is stored' } } : ok(value);
    },
    async set(name, value) {
      stored.set(name, value);
      return ok(undefined);
    },
    async delete(name) {
      stored.delete(name);
      return ok(undefined);
    },
  };
  const pairing = Pairing.parse({
    cloudUrl: `https://cloud.test:${smtp.port}`,
    agentId: 'a1',
    agentName: 'PC',
    userId: 'u1',
    userName: 'Anna',
  });
  const account = MailAccount.parse({
    address: 'anna@mail.test',
    userName: 'anna',
    smtp: { host: 'smtp.mail.test', port: smtp.port, security: 'tls' },
  });
  const save = (choice: ProxyChoice, password: string, setUp: SaveProxyParts['setUp'] = { pairing, account }) =>
    saveProxy(
      { setUp, secrets, language: 'en', resolveRoutes: async () => ok([{ kind: 'direct' }]) },
      { proxy: choice, password },
    );
  return { proxy, smtp, stored, save };
}
const choiceFor = (peer: ProxyPeer, more: object = {}) =>
  ProxyChoice.parse({ kind: 'http', host: '127.0.0.1', port: peer.port, userName: LOGIN.userName, ...more });

describe('a proxy that is entered', () => {
  it('is tried to the cloud and to the mail server, and its password goes to the keychain alone', async () => {
    const { proxy, stored, save } = await world({ kind: 'http', login: LOGIN });
    const saved = await save(choiceFor(proxy), LOGIN.password);

    expect(saved).toMatchObject({ ok: true, value: { tried: 2 } });
    expect(proxy.asked.map((target) => target.split(':')[0])).toEqual(['cloud.test', 'smtp.mail.test']);
    expect([...stored]).toEqual([['proxy-password', LOGIN.password]]);
    expect(JSON.stringify(saved)).not.toContain(LOGIN.password);
  });

  it('is tried to the server of the folders too, and says so where that one is out of reach', async () => {
    const { proxy, smtp, stored, save } = await world({ kind: 'http', login: LOGIN });
    const imap = await ScriptedSmtp.start();
    const goneAt = imap.port;
    open.push(imap);
    const accountWith = (port: number) =>
      MailAccount.parse({
        address: 'anna@mail.test',
        userName: 'anna',
        smtp: { host: 'smtp.mail.test', port: smtp.port, security: 'tls' },
        imap: { host: 'imap.mail.test', port, security: 'tls' },
      });
    const setUp = { pairing: null, account: accountWith(imap.port) };
    const works = await save(choiceFor(proxy), LOGIN.password, setUp);
    await imap.close();
    stored.clear();
    const gone = await save(choiceFor(proxy), LOGIN.password, { pairing: null, account: accountWith(goneAt) });

    expect(works).toMatchObject({ ok: true, value: { tried: 2 } });
    expect(proxy.asked.slice(0, 2).map((target) => target.split(':')[0])).toEqual(['smtp.mail.test', 'imap.mail.test']);
    expect(gone).toMatchObject({
      error: { text: expect.stringContaining('the server that your mailbox is read from') },
    });
    expect([...stored]).toEqual([]);
  });

  it('takes the stored password again where none is typed, and asks for one where none is stored', async () => {
    const { proxy, stored, save } = await world({ kind: 'http', login: LOGIN });

    expect(await save(choiceFor(proxy), '')).toMatchObject({ error: { text: expect.stringContaining('password') } });
    stored.set('proxy-password', LOGIN.password);
    expect(await save(choiceFor(proxy), '')).toMatchObject({ ok: true });
  });

  it.each([
    ['a wrong password', { kind: 'http', login: LOGIN }, 'wrong', /did not accept the login/],
    ['a way that is closed', { kind: 'http', refuse: 403 }, LOGIN.password, /does not let connections to the cloud/],
  ] as const)('is not stored with %s', async (_title, peer, password, text) => {
    const { proxy, stored, save } = await world(peer);

    expect(await save(choiceFor(proxy), password)).toMatchObject({ error: { text: expect.stringMatching(text) } });
    expect([...stored]).toEqual([]);
  });

  it('is stored untried before anything is set up', async () => {
    const { proxy, save } = await world({ kind: 'http', refuse: 403 });

    expect(await save(choiceFor(proxy), 'x', { pairing: null, account: null })).toMatchObject({
      value: { tried: 0 },
    });
  });
});
