import type { CheckOutcome, ProxyInput, ProxyView } from '../../shared/ipc/views.ts';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop-texts.ts';
import type { Secrets } from '../engine/ports.ts';
import type { AgentHost } from './agent-host.ts';

export function proxyView(host: Pick<AgentHost, 'setUp'>): ProxyView {
  const { proxy } = host.setUp();
  // A proxy is stored only after its password was; reading the keychain to be sure could hang for seconds.
  return { proxy, hasPassword: proxy.kind !== 'none' && proxy.userName !== null };
}

/** Stores the password first and then the setting; a running agent starts anew over the new way. */
export async function saveProxy(
  parts: { readonly host: AgentHost; readonly secrets: Secrets },
  { proxy, password }: ProxyInput,
): Promise<CheckOutcome> {
  const { host, secrets } = parts;
  const texts = DESKTOP_TEXTS[host.language()];
  if (password !== '') {
    const stored = await secrets.set('proxy-password', password);
    if (!stored.ok) return { ok: false, text: stored.error.text, quote: null };
  }
  const written = host.save([{ kind: 'setting', key: 'proxy', value: proxy }], 'restart');
  return written.ok ? { ok: true } : { ok: false, text: texts.saveFailed, quote: null };
}
