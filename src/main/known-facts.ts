import { PROVIDERS } from '../shared/providers/providers.ts';
import type { MailAccount } from '../shared/settings.ts';
import type { AccountFindings } from './check-account.ts';
import { providerOfServer } from './core/discovery/match-provider.ts';

/**
 * The account as it is stored after a check. What a test mail did not show now stays as an earlier one showed it, while
 * address and server are the same; where none ever did, a provider that is known to keep no copy counts as such.
 */
export function withKnownFacts(
  account: MailAccount,
  findings: AccountFindings,
  before: MailAccount | null,
): MailAccount {
  const { smtp } = findings;
  const isSame = before?.address === account.address && before.smtp.host === smtp.host;
  const earlier = isSame ? before : UNSEEN;
  const { savesSentCopy, keepsMessageId } = findings;
  const seenCopy = savesSentCopy === 'unknown' ? earlier.savesSentCopy : savesSentCopy;
  return {
    ...account,
    smtp,
    savesSentCopy: seenCopy === 'unknown' ? copyByPreset(smtp) : seenCopy,
    keepsMessageId: keepsMessageId === 'unknown' ? earlier.keepsMessageId : keepsMessageId,
  };
}

const UNSEEN = { savesSentCopy: 'unknown', keepsMessageId: 'unknown' } as const;

// Only the certain no: a copy too many is looked for before it is made, a wrong yes would call a sent mail lost.
const copyByPreset = (smtp: MailAccount['smtp']): MailAccount['savesSentCopy'] =>
  providerOfServer(smtp, PROVIDERS)?.sentCopy === 'none' ? 'no' : 'unknown';
