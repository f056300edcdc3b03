import { ok, type Result } from '../../../shared/result.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import type { OpeningFailure } from './broken.ts';
import { SMTP_DEADLINES } from './deadlines.ts';
import type { SmtpAccount } from './mailer.ts';
import { openSession } from './session.ts';

/** Connects and logs in as the mailer would, and says QUIT; sends nothing. */
export async function checkLogin(
  attempt: SmtpAccount & {
    readonly password: string;
    readonly tunnel: OpenTunnel;
    readonly signal: AbortSignal;
  },
): Promise<Result<void, OpeningFailure>> {
  const { server, tunnel, signal } = attempt;
  const watch = { deadlines: SMTP_DEADLINES, signal, clientName: null, onStage: () => undefined, tunnel };
  const session = await openSession(server, attempt, watch);
  if (!session.ok) return session;
  await session.value.quit();
  return ok(undefined);
}
