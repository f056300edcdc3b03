import { ok, type Result } from '../../../shared/result.ts';
import type { OpeningFailure } from './broken.ts';
import { SMTP_DEADLINES } from './deadlines.ts';
import type { SmtpAccount } from './mailer.ts';
import { type Login, openSession } from './session.ts';

/** Connects and logs in as the mailer would, and says QUIT; sends nothing. */
export async function checkLogin(
  attempt: SmtpAccount & Login & { readonly signal: AbortSignal },
): Promise<Result<void, OpeningFailure>> {
  const { server, signal } = attempt;
  const watch = { deadlines: SMTP_DEADLINES, signal, clientName: null, onStage: () => undefined };
  const session = await openSession(server, attempt, watch);
  if (!session.ok) return session;
  await session.value.quit();
  return ok(undefined);
}
