import { PROVIDERS } from '../shared/providers/providers.ts';
import { type MailAccount, type Pace, USUAL_PACE } from '../shared/settings.ts';
import { providerOfServer } from './core/discovery/match-provider.ts';
import { paceWithin } from './core/pace.ts';

/** The pace of somebody who chose none: calm, and within what the account's provider allows. */
export function usualPace(account: Pick<MailAccount, 'smtp'> | null): Pace {
  const provider = account === null ? null : providerOfServer(account.smtp, PROVIDERS);
  if (provider === null) return USUAL_PACE;
  const { mailsPerMinute, mailsPerHour, mailsPerDay, recipientsPerDay } = provider.limits;
  // One mail has one recipient here.
  const perDay = Math.min(mailsPerDay ?? Number.POSITIVE_INFINITY, recipientsPerDay ?? Number.POSITIVE_INFINITY);
  return paceWithin(USUAL_PACE, {
    perMinute: mailsPerMinute,
    perHour: mailsPerHour,
    perDay: Number.isFinite(perDay) ? perDay : null,
  });
}
