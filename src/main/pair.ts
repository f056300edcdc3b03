import { hostname } from 'node:os';
import { err, ok, type Result } from '../shared/result.ts';
import { isAllowedCloudUrl, Pairing } from '../shared/settings.ts';
import { PairRequest, type SignInIds } from '../shared/wire/messages.ts';
import { pairWithCloud } from './adapters/cloud-http/pair.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import type { CloudFailure, SecretFailure, Secrets } from './engine/ports.ts';
import { checkAs } from './set-up.ts';

const NAME_MAX_CHARS = 100;
const LIMIT_MS = 60_000;

export type PairFailure =
  | { readonly kind: 'bad-address' | 'bad-code' }
  /** The data folder belongs to somebody: to another cloud, or to another user of this one. */
  | { readonly kind: 'other-owner'; readonly owner: Pairing }
  | { readonly kind: 'cloud'; readonly failure: CloudFailure }
  /** The cloud names somebody no agent can belong to. */
  | { readonly kind: 'strange-answer'; readonly text: string }
  | { readonly kind: 'secrets'; readonly failure: SecretFailure };

/** `signIn`: what the cloud says about signing in with the browser; undefined where it says nothing. */
export type Paired = { readonly pairing: Pairing; readonly signIn: SignInIds | undefined };

export type PairParts = {
  readonly secrets: Pick<Secrets, 'set'>;
  readonly version: string;
  /** Whose data folder this is; null where it may change hands. */
  readonly boundTo: Pairing | null;
  /** The way to the cloud. */
  readonly tunnel: OpenTunnel;
};

/**
 * Exchanges a pairing code for a token, which goes into the keychain; pairing and sign-in are the caller's to store. Where the
 * computer has no name of its own, and none is given, it is called PC.
 */
export async function pair(
  { secrets, version, boundTo, tunnel }: PairParts,
  typed: { readonly cloudUrl: string; readonly code: string; readonly agentName: string | null },
): Promise<Result<Paired, PairFailure>> {
  const cloudUrl = typed.cloudUrl.trim().replace(/\/+$/, '');
  if (!isAllowedCloudUrl(cloudUrl)) return err({ kind: 'bad-address' });
  const agentName = (typed.agentName ?? hostname()).slice(0, NAME_MAX_CHARS) || 'PC';
  const request = PairRequest.safeParse({
    pairing_code: typed.code.trim().toUpperCase(),
    agent_name: agentName,
    platform: process.platform,
    version,
  });
  if (!request.success) return err({ kind: 'bad-code' });
  if (boundTo !== null && boundTo.cloudUrl !== cloudUrl) return err({ kind: 'other-owner', owner: boundTo });
  const paired = await pairWithCloud({
    cloudUrl,
    request: request.data,
    tunnel,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!paired.ok) return err({ kind: 'cloud', failure: paired.error });
  const { agent_id: agentId, token, user, sign_in: signIn } = paired.value;
  if (boundTo !== null && boundTo.userId !== user.id) return err({ kind: 'other-owner', owner: boundTo });
  const facts = { cloudUrl, agentId, agentName, userId: user.id, userName: user.name };
  const pairing = checkAs('pairing', Pairing, facts);
  if (!pairing.ok) return err({ kind: 'strange-answer', text: pairing.error });
  const stored = await secrets.set('agent-token', token);
  return stored.ok ? ok({ pairing: pairing.value, signIn }) : err({ kind: 'secrets', failure: stored.error });
}
