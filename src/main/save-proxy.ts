import { err, ok, type Result } from '../shared/result.ts';
import type { ProxyChoice } from '../shared/settings.ts';
import type { Language } from '../shared/texts/language.ts';
import { PROXY_TEXTS, type ProxyEnd } from '../shared/texts/proxy-texts.ts';
import { createTunnels } from './adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel, ResolveRoutes, Target, TunnelFailure } from './adapters/tunnel/tunnel.ts';
import type { LedgerChange, Secrets } from './engine/ports.ts';
import type { SetUp } from './set-up.ts';

const LIMIT_MS = 20_000;

/** In words for a person, and as the proxy or the system said it. */
export type ProxyFault = { readonly text: string; readonly quote: string | null };

export type SaveProxyParts = {
  readonly setUp: Pick<SetUp, 'pairing' | 'account'>;
  readonly secrets: Secrets;
  readonly resolveRoutes: ResolveRoutes;
  readonly language: Language;
};

/**
 * Tries the ways that a proxy setting means, to the cloud and to the servers of the mail account where they are known, and stores the
 * password where one was typed; an empty one takes the stored one again. Answers what the ledger is to take, and how
 * many ways were tried. Nothing is sent over them.
 */
export async function saveProxy(
  parts: SaveProxyParts,
  wanted: { readonly proxy: ProxyChoice; readonly password: string },
): Promise<Result<{ readonly changes: readonly LedgerChange[]; readonly tried: number }, ProxyFault>> {
  const { secrets, language } = parts;
  const { proxy, password } = wanted;
  const texts = PROXY_TEXTS[language];
  const known = password === '' ? () => secrets.get('proxy-password') : async () => ok(password);
  if (proxy.kind !== 'none' && proxy.userName !== null) {
    const there = await known();
    if (!there.ok) return err({ text: texts.passwordMissing, quote: there.error.text });
  }
  const tunnels = createTunnels({ proxy, password: known, resolveRoutes: parts.resolveRoutes });
  const { pairing, account } = parts.setUp;
  const ways: { readonly to: ProxyEnd; readonly failure: TunnelFailure | null }[] = [];
  if (pairing !== null) ways.push({ to: 'cloud', failure: await tryWay(tunnels.web, targetOf(pairing.cloudUrl)) });
  if (account !== null) ways.push({ to: 'mail', failure: await tryWay(tunnels.mail, account.smtp) });
  const imap = account?.imap ?? null;
  if (imap !== null) ways.push({ to: 'mailbox', failure: await tryWay(tunnels.mail, imap) });
  for (const { to, failure } of ways) {
    if (failure !== null) return err({ text: texts.noWay(to, failure.cause), quote: failure.text });
  }
  if (password !== '') {
    const stored = await secrets.set('proxy-password', password);
    if (!stored.ok) return err({ text: stored.error.text, quote: null });
  }
  return ok({
    // A pause for the sake of the old way has nothing to wait for.
    changes: [
      { kind: 'setting', key: 'proxy', value: proxy },
      { kind: 'hold-lifted', holdKind: 'back-off' },
    ],
    tried: ways.length,
  });
}

async function tryWay(open: OpenTunnel, { host, port }: Pick<Target, 'host' | 'port'>): Promise<TunnelFailure | null> {
  const opened = await open({ host, port }, { deadlineMs: LIMIT_MS, signal: AbortSignal.timeout(2 * LIMIT_MS) });
  if (!opened.ok) return opened.error;
  opened.value.destroy();
  return null;
}

function targetOf(cloudUrl: string): Pick<Target, 'host' | 'port'> {
  const url = new URL(cloudUrl);
  const usual = url.protocol === 'https:' ? 443 : 80;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || usual };
}
