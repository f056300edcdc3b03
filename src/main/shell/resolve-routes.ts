import { type Session, session } from 'electron';
import { err, ok } from '../../shared/result.ts';
import { readPacAnswer } from '../adapters/tunnel/proxy-lists.ts';
import type { ResolveRoutes } from '../adapters/tunnel/tunnel.ts';

const LIMIT_MS = 10_000;

/**
 * Asks the computer's own proxy settings, scripts and automatic discovery included, or the script at `pacUrl`: the
 * browser inside knows both. Its sessions for this are in memory and load nothing but the script.
 */
export const resolveBySystem: ResolveRoutes = async ({ host, port }, pacUrl) => {
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  const limit = new Promise<null>((resolve) => setTimeout(() => resolve(null), LIMIT_MS).unref());
  try {
    const asker = askerFor(pacUrl).then((chosen) => chosen.resolveProxy(url));
    const answer = await Promise.race([asker, limit]);
    if (answer === null) return err('The proxy settings of this computer gave no answer in time.');
    const routes = readPacAnswer(answer);
    return routes.length > 0 ? ok(routes) : err('The proxy settings name no proxy that this program can use.');
  } catch (cause) {
    return err(`The proxy settings cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
};

/** One session a script, told of it once: telling it again would load the script for every connection. */
const askers = new Map<string | null, Promise<Session>>();

function askerFor(pacUrl: string | null): Promise<Session> {
  const known = askers.get(pacUrl);
  if (known !== undefined) return known;
  const made = session.fromPartition(`proxy-question ${askers.size}`);
  const told = made
    .setProxy(pacUrl === null ? { mode: 'system' } : { mode: 'pac_script', pacScript: pacUrl })
    .then(() => made);
  askers.set(pacUrl, told);
  return told;
}
