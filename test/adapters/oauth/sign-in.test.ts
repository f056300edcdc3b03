import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signInPlace } from '../../../src/main/adapters/oauth/providers.ts';
import { type SignInOptions, signIn } from '../../../src/main/adapters/oauth/sign-in.ts';
import { openDirect } from '../../../src/main/adapters/tunnel/open-tunnel.ts';
import { SignInClients } from '../../../src/shared/sign-in.ts';
import type { SignInProvider } from '../../../src/shared/sign-in-providers.ts';
import { type Choice, SignInServer } from '../../support/sign-in-server.ts';

const ADDRESS = 'wang@mail.test';
const PAGES = { done: 'Signed in.', failed: 'Not signed in.' };
const NEVER = new AbortController().signal;

let server: SignInServer;
beforeAll(async () => {
  server = await SignInServer.start();
});
beforeEach(() => server.reset());
afterAll(() => server?.close());

const placeAt = (provider: SignInProvider = 'google', at = server) => {
  const client = at.clients(provider)[provider];
  if (client === null) throw new Error('there is no client');
  return signInPlace(provider, client);
};

const options = (showPage: SignInOptions['showPage'], over: Partial<SignInOptions> = {}): SignInOptions => ({
  place: placeAt(),
  address: ADDRESS,
  showPage,
  pages: PAGES,
  tunnel: openDirect,
  ...over,
});

/** A sign-in by somebody who makes this choice; `shown` is what the browser shows in the end. */
async function signInAs(choice: Choice, over: Partial<SignInOptions> = {}, at = server) {
  let page = '';
  const browsed: ReturnType<SignInServer['browse']>[] = [];
  const showPage = (url: string): void => {
    page = url;
    browsed.push(at.browse(url, choice));
  };
  const signed = await signIn(options(showPage, over), NEVER);
  const [shown] = await Promise.all(browsed);
  return { signed, shown, asked: new URL(page).searchParams };
}

describe('a sign-in with the browser', () => {
  it('asks for mail with PKCE and a state, and brings a token, a lasting permission and the time it ends', async () => {
    const atMs = Date.UTC(2026, 5, 1);

    const { signed, shown, asked } = await signInAs({ as: ADDRESS }, { nowMs: () => atMs });

    expect(signed).toEqual({
      ok: true,
      value: {
        provider: 'google',
        accessToken: expect.stringMatching(/.{20}/),
        refreshToken: expect.stringMatching(/.{20}/),
        expiresAtMs: atMs + 3_600_000,
      },
    });
    expect(shown).toEqual({ status: 200, text: PAGES.done });
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'mail-agent',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      login_hint: ADDRESS,
      access_type: 'offline',
      prompt: 'consent',
    });
  });

  it.each(['microsoft', 'microsoft-china'] as const)(
    'comes back from %s under the one name that is registered there',
    async (provider) => {
      const { signed, asked } = await signInAs({ as: ADDRESS }, { place: placeAt(provider) });

      expect(signed).toMatchObject({ ok: true, value: { provider } });
      expect(asked.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+$/);
    },
  );

  it.each([
    ['microsoft', 'login.microsoftonline.com', 'https://outlook.office.com/'],
    ['microsoft-china', 'login.partner.microsoftonline.cn', 'https://partner.outlook.cn/'],
  ] as const)('of %s goes to its own cloud and asks for mail there', (provider, host, resource) => {
    const client = SignInClients.parse({ [provider]: { clientId: 'id' } })[provider];
    if (client === null) throw new Error('there is no client');
    const { server: at, scope } = signInPlace(provider, client);

    expect([at.authorization_endpoint, at.token_endpoint].map((url) => new URL(url).host)).toEqual([host, host]);
    expect(scope).toBe(`${resource}SMTP.Send ${resource}IMAP.AccessAsUser.All offline_access`);
  });

  it('sends no secret with the browser, and a fresh challenge and state each time', async () => {
    const first = await signInAs({ as: ADDRESS });
    const second = await signInAs({ as: ADDRESS });

    for (const name of ['code_challenge', 'state']) expect(first.asked.get(name)).not.toBe(second.asked.get(name));
    expect([...first.asked.keys()].filter((name) => /secret|verifier|password/.test(name))).toEqual([]);
  });

  it('goes for its tokens through the tunnel that it is given', async () => {
    const asked: string[] = [];
    const tunnel: typeof openDirect = (target, limits) => {
      asked.push(`${target.host}:${target.port}`);
      return openDirect(target, limits);
    };

    const { signed } = await signInAs({ as: ADDRESS }, { tunnel });

    expect(signed.ok).toBe(true);
    expect(asked).toEqual([new URL(server.origin).host]);
  });

  it('is refused where the person says no', async () => {
    const { signed, shown } = await signInAs('no');

    expect(signed).toEqual({ ok: false, error: { kind: 'refused', text: 'access_denied' } });
    expect(shown).toEqual({ status: 200, text: PAGES.failed });
    expect(server.grants).toEqual([]);
  });

  it('is not taken for done where the provider gives no lasting permission', async () => {
    const other = await SignInServer.start({ lasts: false });
    onTestFinished(() => other.close());

    const { signed } = await signInAs({ as: ADDRESS }, { place: placeAt('google', other) }, other);

    expect(signed).toMatchObject({ ok: false, error: { kind: 'not-lasting' } });
  });

  it.each([
    ['refuses this program', 401, { error: 'invalid_client' }, 'client-refused'],
    ['no longer takes the code', 400, { error: 'invalid_grant' }, 'refused'],
    ['is overloaded', 503, { error: 'temporarily_unavailable' }, 'unreachable'],
    ['talks nonsense', 200, { token: 7 }, 'unreachable'],
    ['names an error nobody knows', 400, { error: 'whatever_that_is' }, 'refused'],
  ] as const)('says so where the provider %s', async (_what, status, body, kind) => {
    server.answer = (response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

    const { signed, shown } = await signInAs({ as: ADDRESS });

    expect(signed).toMatchObject({ ok: false, error: { kind } });
    expect(shown?.text).toBe(PAGES.failed);
  });

  it('says that the provider does not answer where its token endpoint ends the connection', async () => {
    server.answer = (response) => void response.destroy();

    expect((await signInAs({ as: ADDRESS })).signed).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
  });

  it('ends where no browser can be opened', async () => {
    const noBrowser = () => Promise.reject(new Error('no browser here'));

    expect(await signIn(options(noBrowser), NEVER)).toMatchObject({ ok: false, error: { kind: 'no-browser' } });
  });

  it('ends after its time where nobody comes back', async () => {
    const shown: string[] = [];

    const signed = await signIn(
      options((url) => void shown.push(url), { deadlineMs: 50 }),
      NEVER,
    );

    expect(signed).toMatchObject({ ok: false, error: { kind: 'late' } });
    expect(shown).toHaveLength(1);
    await expect(fetch(new URL(shown[0] ?? '').searchParams.get('redirect_uri') ?? '')).rejects.toThrow();
  });

  it('ends at once when the person thinks better of it', async () => {
    const stop = new AbortController();

    const signed = await signIn(
      options(() => stop.abort()),
      stop.signal,
    );

    expect(signed).toMatchObject({ ok: false, error: { kind: 'stopped' } });
  });
});

describe('the way back to this machine', () => {
  /** Knocks at the waiting server in the browser's place. */
  const knock = (url: string, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      request(url, { method }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  it.each([
    ['another state', '/?code=stolen&state=guessed', 'GET'],
    ['no state', '/?code=stolen', 'GET'],
    ['another path', '/favicon.ico', 'GET'],
    ['a path that is no address', '//', 'GET'],
    ['another method', '/?code=stolen&state=STATE', 'POST'],
  ])('is closed to %s, and the sign-in goes on', async (_what, path, method) => {
    let knocked = 0;
    let browsed: Promise<unknown> = Promise.resolve();
    const showPage = async (url: string): Promise<void> => {
      const asked = new URL(url).searchParams;
      const target = `${asked.get('redirect_uri')}${path.replace('STATE', asked.get('state') ?? '')}`;
      knocked = await knock(target, method);
      browsed = server.browse(url, { as: ADDRESS });
    };

    const signed = await signIn(options(showPage), NEVER);
    await browsed;

    expect(knocked).toBe(404);
    expect(signed.ok).toBe(true);
  });

  it('takes no answer of another issuer', async () => {
    const showPage = async (url: string): Promise<void> => {
      const asked = new URL(url).searchParams;
      const answer = new URLSearchParams({ code: 'x', state: asked.get('state') ?? '', iss: 'https://evil.example' });
      void knock(`${asked.get('redirect_uri')}/?${answer}`);
    };

    expect((await signIn(options(showPage), NEVER)).ok).toBe(false);
    expect(server.grants).toEqual([]);
  });
});
