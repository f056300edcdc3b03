import type { CheckOutcome } from '../../shared/ipc/views.ts';
import { assertNever } from '../../shared/result.ts';
import type { Pairing } from '../../shared/settings.ts';
import type { DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { CloudFailure, LedgerCounts } from '../engine/ports.ts';
import type { PairFailure } from '../pair.ts';

const refusal = (text: string, quote: string | null = null): CheckOutcome => ({ ok: false, text, quote });

/** Why pairing failed, in words for the person at the window. */
export function pairRefusal(texts: DesktopTexts, failure: PairFailure): CheckOutcome {
  switch (failure.kind) {
    case 'bad-address':
      return refusal(texts.badCloudAddress);
    case 'bad-code':
      return refusal(texts.badCode);
    case 'other-owner':
      return refusal(texts.otherOwner(failure.owner.userName, failure.owner.cloudUrl));
    case 'cloud':
      return cloudRefusal(texts, failure.failure);
    case 'strange-answer':
      return refusal(texts.cloudStrange, failure.text);
    case 'secrets':
      return refusal(failure.failure.text);
    default:
      return assertNever(failure);
  }
}

function cloudRefusal(texts: DesktopTexts, failure: CloudFailure): CheckOutcome {
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
    default:
      return assertNever(failure);
  }
}

/** A data folder that never held a mail may still change hands. */
export function bound(pairing: Pairing | null, counts: LedgerCounts): Pairing | null {
  const { untold: _untold, conflicts: _conflicts, ...mails } = counts;
  return Object.values(mails).some((count) => count > 0) ? pairing : null;
}
