import type { Result } from '../../shared/result.ts';
import { tokenHold } from '../core/conclude.ts';
import type { Context } from './context.ts';
import type { CloudFailure } from './ports.ts';

/**
 * Notes what any answer of the cloud says about the way to it: reachable or not, token good or refused.
 */
export function cloudAnswered(context: Context, answer: Result<unknown, CloudFailure>): void {
  const { live, journal, ports, config, bells } = context;
  const reachable = answer.ok || answer.error.kind === 'problem';
  if (live.cloudReachable !== reachable) {
    live.cloudReachable = reachable;
    ports.log.info('cloud.reachable', { reachable });
    context.changed();
  }
  const held = ports.ledger.holds().some((hold) => hold.kind === 'token');
  if (answer.ok && held) {
    journal.commit([{ kind: 'hold-lifted', holdKind: 'token' }]);
    bells.send.ring();
    bells.claim.ring();
    bells.report.ring();
    bells.sync.ring();
  }
  if (!answer.ok && answer.error.kind === 'problem' && answer.error.code === 'unauthorized' && !held) {
    ports.log.warn('cloud.token-refused');
    journal.commit([{ kind: 'hold-set', hold: tokenHold(config.language, ports.clock.nowMs()) }]);
    context.changed();
  }
}

/** True while the cloud refuses the token: then only the heartbeat asks, and seldom. */
export const tokenRefused = ({ ports }: Context): boolean => ports.ledger.holds().some((hold) => hold.kind === 'token');
