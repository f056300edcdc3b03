import { lookup as systemLookup } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { isLoopbackHost } from '../../../shared/loopback.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result.ts';
import type { ProxyChoice } from '../../../shared/settings.ts';
import { httpConnect } from './http-connect.ts';
import { socks5 } from './socks5.ts';
import { connected, errorCode, openTcp, refusing } from './tcp.ts';
import type {
  Limits,
  OpenTunnel,
  ProxyLogin,
  ProxyRoute,
  ResolveRoutes,
  Route,
  Target,
  TunnelFailure,
} from './tunnel.ts';

/** A script may name many ways; more than these are not tried. */
const ROUTES_MAX = 4;
/** A proxy that refused a login is left alone for so long: companies lock an account after a few wrong passwords. */
const LOGIN_REST_MS = 15 * 60_000;
const LOOKUP_MS = 3_000;

export const openDirect: OpenTunnel = openTcp;

/** One way for what is not mail, and one for mail servers: the settings may send mails past the proxy. */
export type Tunnels = { readonly web: OpenTunnel; readonly mail: OpenTunnel };

export function createTunnels(options: {
  readonly proxy: ProxyChoice;
  /** Asked once, when a proxy is first met; the error is a text for a person. */
  readonly password: () => Promise<Result<string, { readonly text: string }>>;
  readonly resolveRoutes: ResolveRoutes;
}): Tunnels {
  const { proxy } = options;
  if (proxy.kind === 'none') return { web: openDirect, mail: openDirect };
  const login = rememberLogin(proxy.userName, options.password);
  const resting = new Map<string, { readonly sinceMs: number; readonly failure: TunnelFailure }>();

  const over = async (route: ProxyRoute, target: Target, limits: Limits): Promise<Result<Socket, TunnelFailure>> => {
    const name = `${route.kind} ${route.host}:${route.port}`;
    const rest = resting.get(name);
    if (rest !== undefined && performance.now() - rest.sinceMs < LOGIN_REST_MS) return err(rest.failure);
    const known = route.login === null ? await login() : ok(route.login);
    if (!known.ok) return known;
    const opened = await openOver(route, known.value, target, limits);
    if (!opened.ok && opened.error.cause === 'proxy-login') {
      resting.set(name, { sinceMs: performance.now(), failure: opened.error });
    } else resting.delete(name);
    return opened;
  };

  const open: OpenTunnel = async (target, limits) => {
    // What is on this machine is never behind a proxy.
    if (isLoopbackHost(target.host)) return openDirect(target, limits);
    const startedAtMs = performance.now();
    const routes = await routesTo(proxy, target, options.resolveRoutes);
    if (!routes.ok) return routes;
    let failure: TunnelFailure = { cause: 'proxy-unreachable', text: 'The proxy settings name no way.' };
    for (const route of routes.value.slice(0, ROUTES_MAX)) {
      const leftMs = limits.deadlineMs - (performance.now() - startedAtMs);
      if (leftMs <= 0)
        return err({ cause: 'timeout', text: `No connection to ${target.host}:${target.port} in time.` });
      const left = { deadlineMs: leftMs, signal: limits.signal };
      const opened = route.kind === 'direct' ? await openDirect(target, left) : await over(route, target, left);
      if (opened.ok) return opened;
      failure = opened.error;
      if (failure.cause === 'stopped' || failure.cause === 'forbidden') break;
    }
    return err(failure);
  };
  return { web: open, mail: proxy.mail === 'direct' ? openDirect : open };
}

async function routesTo(
  proxy: Exclude<ProxyChoice, { readonly kind: 'none' }>,
  target: Target,
  resolve: ResolveRoutes,
): Promise<Result<readonly Route[], TunnelFailure>> {
  switch (proxy.kind) {
    case 'http':
    case 'https':
    case 'socks5': {
      const { kind, host, port } = proxy;
      return ok([{ kind, host, port, login: null }]);
    }
    case 'system':
    case 'pac': {
      const found = await resolve(target, proxy.kind === 'pac' ? proxy.url : null);
      return found.ok ? found : err({ cause: 'proxy-unreachable', text: found.error });
    }
    default:
      return assertNever(proxy);
  }
}

/** The settings' login, read from the keychain once; null without a user name. */
function rememberLogin(
  userName: string | null,
  password: () => Promise<Result<string, { readonly text: string }>>,
): () => Promise<Result<ProxyLogin | null, TunnelFailure>> {
  let known: ProxyLogin | null = null;
  return async () => {
    if (userName === null || known !== null) return ok(known);
    const read = await password();
    if (!read.ok) return err({ cause: 'proxy-login', text: `The password of the proxy: ${read.error.text}` });
    known = { userName, password: read.value };
    return ok(known);
  };
}

/** Through one proxy; the target's name goes to the proxy unresolved, which often alone can look it up. */
async function openOver(
  route: ProxyRoute,
  login: ProxyLogin | null,
  target: Target,
  limits: Limits,
): Promise<Result<Socket, TunnelFailure>> {
  const refusal = await refusalHere(target);
  if (refusal !== null) return err({ cause: 'forbidden', text: refusal });
  const startedAtMs = performance.now();
  const plain = await openTcp(route, limits);
  if (!plain.ok) return plain.error.cause === 'stopped' ? plain : err(unreachable(route, plain.error.text));
  const left = { deadlineMs: limits.deadlineMs - (performance.now() - startedAtMs), signal: limits.signal };
  return inTime(plain.value, route, left, async () => {
    switch (route.kind) {
      case 'http':
        return httpConnect(plain.value, target, login);
      case 'https': {
        const secure = await secureProxy(plain.value, route, left);
        return secure.ok ? httpConnect(secure.value, target, login) : secure;
      }
      case 'socks5':
        return socks5(plain.value, route, target, login);
      default:
        return assertNever(route.kind);
    }
  });
}

/** Ends the talk with a proxy at the deadline or the signal by closing its socket. */
async function inTime(
  socket: Socket,
  route: ProxyRoute,
  limits: Limits,
  talk: () => Promise<Result<Socket, TunnelFailure>>,
): Promise<Result<Socket, TunnelFailure>> {
  let why: TunnelFailure | null = null;
  const end = (failure: TunnelFailure) => (): void => {
    why ??= failure;
    socket.destroy();
  };
  const late = end({ cause: 'timeout', text: `The proxy ${route.host}:${route.port} took too long.` });
  const stop = end({ cause: 'stopped', text: 'Stopped while the connection was made.' });
  const timer = setTimeout(late, Math.max(0, limits.deadlineMs));
  limits.signal.addEventListener('abort', stop, { once: true });
  if (limits.signal.aborted) stop();
  try {
    const opened = await talk();
    if (why === null || !opened.ok) return why === null ? opened : err(why);
    opened.value.destroy();
    return err(why);
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', stop);
  }
}

async function secureProxy(socket: Socket, route: ProxyRoute, limits: Limits): Promise<Result<Socket, TunnelFailure>> {
  const secure = tlsConnect({
    socket,
    host: route.host,
    servername: isIP(route.host) === 0 ? route.host : '',
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
  const fault = await connected(secure, 'secureConnect', limits, (error) =>
    unreachable(route, `no TLS with it (${errorCode(error)})`),
  );
  if (fault === null) return ok(secure);
  socket.destroy();
  if (fault === 'late') return err({ cause: 'timeout', text: `The proxy ${route.host}:${route.port} took too long.` });
  return err(fault === 'closed' ? unreachable(route, 'it closed the connection') : fault);
}

const unreachable = (route: ProxyRoute, why: string): TunnelFailure => ({
  cause: 'proxy-unreachable',
  text: `The proxy ${route.host}:${route.port} cannot be reached: ${why}`,
});

/**
 * What this machine can say about a target that a proxy will look up. A name unknown here may be known there; the proxy
 * decides then what lies in its own reach.
 */
function refusalHere({ host, refuse, lookup = systemLookup }: Target): Promise<string | null> | string | null {
  if (refuse === undefined) return null;
  if (isIP(host) !== 0) return refuse(host);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOOKUP_MS);
    let refusal: string | null = null;
    const judge = (address: string): string | null => {
      refusal ??= refuse(address);
      return refusal;
    };
    refusing(lookup, judge)(host, { all: true }, () => {
      clearTimeout(timer);
      resolve(refusal);
    });
  });
}
