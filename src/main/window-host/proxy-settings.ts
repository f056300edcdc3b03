import type { CheckOutcome, ProxyInput, ProxyView } from '../../shared/ipc/views.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { ResolveRoutes } from '../adapters/tunnel/tunnel.ts';
import type { Secrets } from '../engine/ports.ts';
import { saveProxy } from '../save-proxy.ts';
import type { AgentHost } from './agent-host.ts';

export function proxyView(host: Pick<AgentHost, 'setUp'>): ProxyView {
  const { proxy } = host.setUp();
  // A proxy is stored only after its password was; reading the keychain to be sure could hang for seconds.
  return { proxy, hasPassword: proxy.kind !== 'none' && proxy.userName !== null };
}

/** Stores a proxy that works; a running agent starts anew over the new way. */
export async function saveProxyHere(
  parts: { readonly host: AgentHost; readonly secrets: Secrets; readonly resolveRoutes: ResolveRoutes },
  input: ProxyInput,
): Promise<CheckOutcome> {
  const { host, secrets, resolveRoutes } = parts;
  const language = host.language();
  const tried = await saveProxy({ setUp: host.setUp(), secrets, resolveRoutes, language }, input);
  if (!tried.ok) return { ok: false, ...tried.error };
  host.renewTunnels();
  const written = host.save(tried.value.changes, 'restart');
  return written.ok ? { ok: true } : { ok: false, text: DESKTOP_TEXTS[language].saveFailed, quote: null };
}
