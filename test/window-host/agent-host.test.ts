import { describe, expect, it } from 'vitest';
import type { Log, Secrets } from '../../src/main/engine/ports.ts';
import { createAgentHost } from '../../src/main/window-host/agent-host.ts';
import { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import { ModelCloud } from '../support/fakes-cloud.ts';
import { USER_ID } from '../support/fakes-cloud-mail.ts';
import { fakeComposer, fakeMailer, ModelSmtp } from '../support/fakes-mailer.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

const PAIRING = {
  cloudUrl: 'https://cloud.example',
  agentId: 'agent-1',
  agentName: 'PC',
  userId: USER_ID,
  userName: 'Fang',
};
const ACCOUNT = {
  address: 'sales@example.com',
  name: null,
  userName: 'sales@example.com',
  smtp: { host: 'smtp.example.com', port: 465, security: 'tls', caFile: null },
  aliases: [],
};
const setting = (key: string, value: unknown) => ({ kind: 'setting', key, value }) as const;
const SET_UP = [setting('pairing', PAIRING), setting('account', ACCOUNT), setting('app', { setUpDone: true })];

const NO_ANSWER = { ok: false, error: { kind: 'unreachable', text: 'no network', retryAfterMs: null } } as const;

/** A host over the real engine, in memory and in virtual time. */
function world(options: { readonly fault?: () => Error | null } = {}) {
  const clock = new VirtualClock();
  const cloud = new ModelCloud(clock);
  const ledger = memoryLedger();
  const running = { now: 0, most: 0, starts: 0 };
  const network = { isUp: true };
  const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const nobody = async () => ({ ok: false, error: { kind: 'missing', text: '' } }) as const;
  const secrets: Secrets = { get: nobody, set: nobody, delete: nobody };
  const host = createAgentHost({
    ledger,
    log,
    secrets,
    clock,
    folder: '/never-used',
    version: '1.0.0',
    systemLanguage: 'en',
    resolveRoutes: async () => ({ ok: true, value: [{ kind: 'direct' }] }),
    assemble: () => {
      running.starts += 1;
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      const fault = options.fault?.() ?? null;
      const mailer = fakeMailer(new ModelSmtp(), clock);
      const port = cloud.port('agent-1');
      const sync: typeof port.sync = async (...asked) => {
        if (fault !== null) throw fault;
        return network.isUp ? port.sync(...asked) : NO_ANSWER;
      };
      const ports = {
        clock,
        random: new SeededRandom(1),
        ledger,
        log,
        cloud: { ...port, sync },
        composer: fakeComposer(),
        mailer,
        mailbox: null,
      };
      return {
        ports,
        close: async () => {
          running.now -= 1;
        },
      };
    },
  });
  return { clock, ledger, host, running, network };
}

describe('the agent behind the window', () => {
  it('is not started before pairing, account and the end of set-up are all there', () => {
    const { host, running } = world();

    for (const change of SET_UP) {
      expect(running.starts).toBe(0);
      host.save([change], 'restart');
    }

    expect(running.starts).toBe(1);
    expect(host.isSetUp()).toBe(true);
  });

  it('starts anew after a change it was started with, and never are there two', async () => {
    const { host, clock, running } = world();
    host.save(SET_UP, 'none');
    await clock.settle();

    host.save([setting('account', { ...ACCOUNT, name: 'Fang' })], 'restart');
    host.save([setting('account', { ...ACCOUNT, name: 'Wang Fang' })], 'restart');
    await clock.runUntil(() => running.starts === 2);
    await clock.advance(120_000);

    expect(running).toEqual({ now: 1, most: 1, starts: 2 });
  });

  it('rests while the computer sleeps and goes on when it wakes', async () => {
    const { host, clock, running } = world();
    host.save(SET_UP, 'none');
    await clock.settle();

    host.sleep();
    await clock.runUntil(() => running.now === 0);
    await clock.advance(3_600_000);
    expect(running.starts).toBe(1);
    host.wake();
    await clock.settle();

    expect(running).toEqual({ now: 1, most: 1, starts: 2 });
    expect(host.status().synced).toBe(true);
  });

  it('that sleeps twice and wakes twice, as some systems say it, is started once', async () => {
    const { host, clock, running } = world();
    host.save(SET_UP, 'none');
    await clock.settle();

    host.sleep();
    host.sleep();
    host.wake();
    host.wake();
    await clock.runUntil(() => running.starts === 2);
    await clock.advance(60_000);

    expect(running).toEqual({ now: 1, most: 1, starts: 2 });
  });

  it('is not called offline at once after a sleep, and is when the connection stays away', async () => {
    const { host, clock, network, running } = world();
    host.save(SET_UP, 'none');
    await clock.settle();
    host.sleep();
    await clock.runUntil(() => running.now === 0);
    network.isUp = false;

    host.wake();
    await clock.advance(25_000);
    expect(host.status().state).toBe('idle');
    await clock.advance(10_000);

    expect(host.status().state).toBe('offline');
  });

  it('asks for a person after a fault of its own, and starts again after a minute', async () => {
    let fault: Error | null = new Error('a bug');
    const { host, clock, running } = world({ fault: () => fault });
    host.save(SET_UP, 'none');
    await clock.runUntil(() => running.now === 0);
    fault = null;

    expect(host.status()).toMatchObject({ state: 'needs-you', holds: [{ kind: 'fault' }] });
    await clock.advance(59_000);
    expect(running.starts).toBe(1);
    await clock.advance(2_000);

    expect(running.starts).toBe(2);
    expect(host.status()).toMatchObject({ state: 'idle', holds: [] });
  });

  it('once stopped, is not started by anything', async () => {
    const { host, clock, running } = world();
    host.save(SET_UP, 'none');
    await clock.settle();

    const stopping = host.stop('drain');
    await clock.runUntil(() => running.now === 0);
    expect(await stopping).toEqual({ waiting: 0, untold: 0, uncertain: 0 });
    host.wake();
    host.save([setting('account', ACCOUNT)], 'restart');

    expect(running.starts).toBe(1);
  });

  it('keeps a pause that is asked for before it runs', () => {
    const { host, ledger } = world();

    host.pause(null);
    expect(ledger.holds()).toMatchObject([{ kind: 'user', untilMs: null }]);
    expect(host.status().state).toBe('paused');
    host.resume();

    expect(ledger.holds()).toEqual([]);
  });

  it('speaks the language chosen, or the system’s', () => {
    const { host } = world();

    expect(host.language()).toBe('en');
    host.save([setting('app', { language: 'zh-CN' })], 'none');

    expect(host.language()).toBe('zh-CN');
  });
});
