import type { LookupFunction, Socket } from 'node:net';
import type { Result } from '../../../shared/result.ts';
import type { TunnelTrouble } from '../../../shared/texts/proxy-texts.ts';

/** Where a connection shall lead. */
export type Target = {
  readonly host: string;
  readonly port: number;
  /** Says why an address must not be reached, null where it may. Asked before connecting and on the connected socket. */
  readonly refuse?: (address: string) => string | null;
  readonly lookup?: LookupFunction;
  /** Hears the address that the name led to; nothing where a proxy looks it up. */
  readonly onAddress?: (address: string) => void;
};

export type Limits = { readonly deadlineMs: number; readonly signal: AbortSignal };

/** Why there is no connection. `text` is for a person and holds no secret. */
export type TunnelFailure = { readonly cause: TunnelTrouble; readonly text: string };

/**
 * Opens a connection to `target`, straight or through a proxy as the settings say, and answers the bare socket: TLS is
 * put over it by the caller and checked against the real host. It may be paused; what the far end sent already is read
 * from it once it is resumed.
 * Never rejects; a socket that is not answered is destroyed. Errors that come later are swallowed, `close` is not.
 */
export type OpenTunnel = (target: Target, limits: Limits) => Promise<Result<Socket, TunnelFailure>>;

export type ProxyLogin = { readonly userName: string; readonly password: string };

/** One way to a target. A route's own login comes before the one of the settings. */
export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'http' | 'https' | 'socks5';
      readonly host: string;
      readonly port: number;
      readonly login: ProxyLogin | null;
    };
export type ProxyRoute = Exclude<Route, { readonly kind: 'direct' }>;

/**
 * The ways to a target in the order to be tried, as the computer or the script at `pacUrl` names them for an address of
 * the form https://host:port/. An error is a text for a person. Never rejects.
 */
export type ResolveRoutes = (
  target: Pick<Target, 'host' | 'port'>,
  pacUrl: string | null,
) => Promise<Result<readonly Route[], string>>;
