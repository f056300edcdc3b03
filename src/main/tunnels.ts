import type { ProxyChoice } from '../shared/settings.ts';
import { createTunnels, type Tunnels } from './adapters/tunnel/open-tunnel.ts';
import type { ResolveRoutes } from './adapters/tunnel/tunnel.ts';
import type { Secrets } from './engine/ports.ts';

/** The ways out that the proxy's setting means; the proxy's password comes from the keychain when it is first needed. */
export const tunnelsOf = (parts: {
  readonly proxy: ProxyChoice;
  readonly secrets: Pick<Secrets, 'get'>;
  readonly resolveRoutes: ResolveRoutes;
}): Tunnels =>
  createTunnels({
    proxy: parts.proxy,
    password: () => parts.secrets.get('proxy-password'),
    resolveRoutes: parts.resolveRoutes,
  });
