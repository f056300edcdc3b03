import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signInPlace } from '../../../src/main/adapters/oauth/providers.ts';
import { signIn } from '../../../src/main/adapters/oauth/sign-in.ts';
import { createSignInTokens } from '../../../src/main/adapters/oauth/sign-in-tokens.ts';
import { Tokens } from '../../../src/main/adapters/oauth/tokens.ts';
import { openDirect } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import type { Secrets } from '../../../src/main/engine/ports.ts';
import { err, ok } from '../../../src/shared/result.ts';
import { SignInServer } from '../../support/sign-in-server.ts';

const NEVER = new AbortController().signal;
const MINUTE_MS = 60_000;
const REFRESH = 'refresh_token';

let server: SignInServer;
beforeAll(async () => {
  server = await SignInServer.start();
});
beforeEach(() => server.reset());
afterAll(() => server?.close());

/** A keychain that can be locked. */
function keychain(first: Tokens | null) {
  let text = first === null ? null : JSON.stringify(first);
  const seen: string[] = [];
  const chain = {
    locked: false,
    seen,
    stored: (): Tokens => Tokens.parse(JSON.parse(text ?? 'null')),
    put: (value: string) => {
      text = value;
    },
    get: async () => {
      if (chain.locked) return err({ kind: 'locked', text: 'The keychain is locked.' } as const);
      return text === null ? err({ kind: 'missing', text: 'Nobody has signed in.' } as const) : ok(text);
    },
    set: async (_name: string, value: string) => {
      seen.push('asked to store');
      if (chain.locked) return err({ kind: 'locked', text: 'The keychain is locked.' } as const);
      text = value;
      return ok(undefined);
    },
  } satisfies Pick<Secrets, 'get' | 'set'> & Record<string, unknown>;
  return chain;
}

/** Somebody has signed in; the clock stands where the test puts it. */
async function signedIn(at = server) {
  const client = at.clients().google;
  if (client === null) throw new Error('there is no client');
  const place = signInPlace('google', client);
  const showPage = (url: string) => void at.browse(url, { as: 'wang@mail.test' });
  const pages = { done: 'done', failed: 'failed' };
  const signed = await signIn({ place, address: 'wang@mail.test', showPage, pages, tunnel: openDirect }, NEVER);
  if (!signed.ok) throw new Error(signed.error.text);
  at.reset();
  const chain = keychain(signed.value);
  const clock = { nowMs: Date.now() };
  const make = () =>
    createSignInTokens({
      secrets: chain,
      place: () => place,
      tunnel: () => openDirect,
      nowMs: () => clock.nowMs,
    });
  return { first: signed.value, chain, clock, make, tokens: make(), place };
}

describe('an access token', () => {
  it('is the stored one while it is good for more than five minutes', async () => {
    const { first, clock, tokens } = await signedIn();
    clock.nowMs = first.expiresAtMs - 5 * MINUTE_MS - 1;

    expect(await tokens.get(null)).toEqual(ok(first.accessToken));
    expect(server.grants).toEqual([]);
  });

  it('is a new one from five minutes before its end', async () => {
    const { first, chain, clock, tokens } = await signedIn();
    clock.nowMs = first.expiresAtMs - 5 * MINUTE_MS;

    const token = await tokens.get(null);

    expect(token).toEqual(ok(chain.stored().accessToken));
    expect(token).not.toEqual(ok(first.accessToken));
    expect(chain.stored().expiresAtMs).toBe(clock.nowMs + 3_600_000);
    expect(server.grants).toEqual([REFRESH]);
  });

  it('is asked for once, however many want it at the same time', async () => {
    const { first, clock, tokens } = await signedIn();
    clock.nowMs = first.expiresAtMs;

    const got = await Promise.all(Array.from({ length: 10 }, () => tokens.get(null)));

    expect(new Set(got.map((token) => token.ok && token.value)).size).toBe(1);
    expect(server.grants).toEqual([REFRESH]);
  });

  it('that the mail server refused is replaced once for all who were refused', async () => {
    const { first, tokens } = await signedIn();

    const got = await Promise.all([tokens.get(first.accessToken), tokens.get(first.accessToken), tokens.get(null)]);

    expect(new Set(got.map((token) => token.ok && token.value)).size).toBe(1);
    expect(got[0]).not.toEqual(ok(first.accessToken));
    expect(server.grants).toEqual([REFRESH]);
  });

  it('is out of the keychain again after a restart, with the refresh token that replaced the first', async () => {
    const { first, clock, tokens, make } = await signedIn();
    clock.nowMs = first.expiresAtMs;
    await tokens.get(null);
    clock.nowMs += 2 * 3_600_000;

    expect((await make().get(null)).ok).toBe(true);
    expect(server.grants).toEqual([REFRESH, REFRESH]);
  });
});

describe('a refresh token that was replaced', () => {
  it('is stored before the access token that came with it is used', async () => {
    const { first, chain, clock, tokens } = await signedIn();
    clock.nowMs = first.expiresAtMs;
    let given = false;
    const order: string[] = [];
    const asking = tokens.get(null).then(() => {
      given = true;
      order.push('given');
    });
    const { set } = chain;
    chain.set = async (name, value) => {
      await pause(100);
      order.push(given ? 'stored too late' : 'stored');
      return set(name, value);
    };

    await asking;

    expect(order).toEqual(['stored', 'given']);
    expect(chain.stored().refreshToken).not.toBe(first.refreshToken);
  });

  it('is kept in mind while the keychain is locked, and nothing goes out with it until it is stored', async () => {
    const { first, chain, clock, tokens } = await signedIn();
    expect((await tokens.get(null)).ok).toBe(true);
    clock.nowMs = first.expiresAtMs;
    chain.locked = true;

    const whileLocked = [await tokens.get(null), await tokens.get(null)];
    chain.locked = false;
    const unlocked = await tokens.get(null);

    for (const token of whileLocked) expect(token).toMatchObject({ ok: false, error: { kind: 'keychain' } });
    expect(unlocked).toEqual(ok(chain.stored().accessToken));
    // The first refresh token is used up: a second use would have ended the permission.
    expect(server.grants).toEqual([REFRESH]);
  });

  it('stays the same where the provider replaces none', async () => {
    const steady = await SignInServer.start({ rotates: false });
    onTestFinished(() => steady.close());
    const { first, chain, clock, tokens } = await signedIn(steady);
    clock.nowMs = first.expiresAtMs;

    expect((await tokens.get(null)).ok).toBe(true);
    expect(chain.stored().refreshToken).toBe(first.refreshToken);
  });
});

describe('only a person can go on', () => {
  it('where the permission was taken back', async () => {
    const { first, clock, tokens } = await signedIn();
    await server.revoke(first.refreshToken);
    clock.nowMs = first.expiresAtMs;

    expect(await tokens.get(null)).toEqual(err({ kind: 'sign-in-again', text: 'invalid_grant' }));
  });

  it('where nobody has signed in, or what is stored is damaged', async () => {
    const { chain, make } = await signedIn();
    chain.put('{"accessToken":7}');
    expect(await make().get(null)).toMatchObject({ ok: false, error: { kind: 'sign-in-again' } });
    chain.put('not even JSON');
    expect(await make().get(null)).toMatchObject({ ok: false, error: { kind: 'sign-in-again' } });
    const none = createSignInTokens({ secrets: keychain(null), place: () => null, tunnel: () => openDirect });
    expect(await none.get(null)).toMatchObject({ ok: false, error: { kind: 'sign-in-again' } });
  });

  it('where no client is set any more and the token has ended', async () => {
    const { first, chain } = await signedIn();
    const without = { secrets: chain, place: () => null, tunnel: () => openDirect, nowMs: () => first.expiresAtMs };

    expect(await createSignInTokens(without).get(null)).toMatchObject({ ok: false, error: { kind: 'sign-in-again' } });
  });

  it('and after a new sign-in it goes on, with the new one alone', async () => {
    const { first, clock, tokens } = await signedIn();
    await server.revoke(first.refreshToken);
    clock.nowMs = first.expiresAtMs;
    await tokens.get(null);
    const again = await signedIn();

    expect(await tokens.keep({ ...again.first, expiresAtMs: clock.nowMs + 3_600_000 })).toEqual(ok(undefined));
    expect(await tokens.get(null)).toEqual(ok(again.first.accessToken));
  });
});

describe('a passing trouble', () => {
  it('of the provider is told as such, and the next try goes on with the same refresh token', async () => {
    const { first, clock, tokens } = await signedIn();
    clock.nowMs = first.expiresAtMs;
    server.answer = (response) => void response.writeHead(503).end();

    const down = await tokens.get(null);
    server.answer = null;
    const up = await tokens.get(null);

    expect(down).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
    expect(up.ok).toBe(true);
  });

  it('of the keychain leaves the account that is used as it is', async () => {
    const { first, chain, tokens } = await signedIn();
    await tokens.get(null);
    const other = await signedIn();
    chain.locked = true;

    expect(await tokens.keep(other.first)).toMatchObject({ ok: false, error: { kind: 'locked' } });
    expect(await tokens.get(null)).toEqual(ok(first.accessToken));
  });
});
