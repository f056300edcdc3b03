import { hostname } from 'node:os';
import type { CheckOutcome } from '../../shared/ipc/views.ts';
import { isAllowedCloudUrl, type Pairing } from '../../shared/settings.ts';
import { DESKTOP_TEXTS, type DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { Language } from '../../shared/texts/language.ts';
import { PairRequest } from '../../shared/wire/messages.ts';
import { pairWithCloud } from '../adapters/cloud-http/pair.ts';
import type { OpenTunnel } from '../adapters/tunnel/tunnel.ts';
import type { CloudFailure, LedgerCounts, Secrets } from '../engine/ports.ts';
import { checkSetting } from '../set-up.ts';

const NAME_MAX_CHARS = 100;
const LIMIT_MS = 60_000;

export type PairParts = {
  readonly secrets: Pick<Secrets, 'set'>;
  readonly version: string;
  readonly tunnel: OpenTunnel;
  readonly language: Language;
  /** Whose mails this data folder holds already; null where it may change hands. */
  readonly boundTo: Pairing | null;
  /** Stores what was checked; false where the ledger cannot. */
  readonly save: (pairing: unknown) => boolean;
};

const refusal = (text: string, quote: string | null = null): CheckOutcome => ({ ok: false, text, quote });

/** Exchanges a pairing code for a token: the token goes into the keychain first, then the pairing into the ledger. */
export async function pairHere(
  parts: PairParts,
  typed: { readonly cloudUrl: string; readonly code: string },
): Promise<CheckOutcome> {
  const texts = DESKTOP_TEXTS[parts.language];
  const cloudUrl = typed.cloudUrl.trim().replace(/\/+$/, '');
  if (!isAllowedCloudUrl(cloudUrl)) return refusal(texts.badCloudAddress);
  const agentName = hostname().slice(0, NAME_MAX_CHARS) || 'PC';
  const request = PairRequest.safeParse({
    pairing_code: typed.code.trim().toUpperCase(),
    agent_name: agentName,
    platform: process.platform,
    version: parts.version,
  });
  if (!request.success) return refusal(texts.badCode);
  const { boundTo } = parts;
  if (boundTo !== null && boundTo.cloudUrl !== cloudUrl) {
    return refusal(texts.otherOwner(boundTo.userName, boundTo.cloudUrl));
  }
  const paired = await pairWithCloud({
    cloudUrl,
    request: request.data,
    tunnel: parts.tunnel,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!paired.ok) return pairFailure(texts, paired.error);
  const { agent_id: agentId, token, user } = paired.value;
  if (boundTo !== null && boundTo.userId !== user.id) {
    return refusal(texts.otherOwner(boundTo.userName, boundTo.cloudUrl));
  }
  const pairing = checkSetting('pairing', { cloudUrl, agentId, agentName, userId: user.id, userName: user.name });
  if (!pairing.ok) return refusal(texts.cloudStrange, pairing.error);
  const stored = await parts.secrets.set('agent-token', token);
  if (!stored.ok) return refusal(stored.error.text);
  return parts.save(pairing.value) ? { ok: true } : refusal(texts.saveFailed);
}

function pairFailure(texts: DesktopTexts, failure: CloudFailure): CheckOutcome {
  switch (failure.kind) {
    case 'unreachable':
      return refusal(texts.cloudUnreachable, failure.text);
    case 'problem':
      if (failure.code === 'pairing-code-invalid') return refusal(texts.codeRefused);
      if (failure.code === 'rate-limited') return refusal(texts.tooOften);
      return refusal(texts.cloudStrange, `${failure.detail} (${failure.code})`);
    case 'nonsense':
    case 'too-large':
    case 'no-credentials':
      return refusal(texts.cloudStrange, failure.text);
  }
}

/** A data folder that never held a mail may still change hands. */
export function bound(pairing: Pairing | null, counts: LedgerCounts): Pairing | null {
  const { untold: _untold, conflicts: _conflicts, ...mails } = counts;
  return Object.values(mails).some((count) => count > 0) ? pairing : null;
}
