import type { Result } from '../../shared/result.ts';
import { tokenHold } from '../core/conclude.ts';
import type { Context } from './context.ts';
import type { CloudFailure } from './ports.ts';

/**
 * Notes what any answer of the cloud says about the way to it: reachable or not, token good, refused or out of reach.
 */
export function cloudAnswered(context: Context, answer: Result<unknown, CloudFailure>): void {
  const { live, journal, ports, config, bells } = context;
  const reachable = answer.ok || answer.error.kind === 'problem';
  if (live.cloudReachable !== reachable) {
    live.cloudReachable = reachable;
    ports.log.info('cloud.reachable', { reachable });
    context.changed();
  }
  const holds = ports.ledger.holds();
  const held = holds.some((hold) => hold.kind === 'token');
  // The mailer's own trouble with the keychain has an end of its own.
  const locked = holds.some((hold) => hold.kind === 'keychain' && hold.untilMs === null);
  if (answer.ok && (held || locked)) {
    journal.commit([
      { kind: 'hold-lifted', holdKind: 'token' },
      { kind: 'hold-lifted', holdKind: 'keychain' },
    ]);
    bells.send.ring();
    bells.claim.ring();
    bells.report.ring();
    bells.sync.ring();
  }
  if (!answer.ok && answer.error.kind === 'no-credentials') {
    const { why, text } = answer.error;
    // Without a token the keychain is not what a person has to mend: only a new pairing helps.
    const kind = why === 'missing' ? 'token' : 'keychain';
    if (kind === 'token' ? !held : !locked) {
      ports.log.warn('cloud.token-unreadable', { why });
      journal.commit([
        { kind: 'hold-set', hold: { kind, sinceMs: ports.clock.nowMs(), untilMs: null, text, repeat: 1 } },
      ]);
      context.changed();
    }
  }
  if (!answer.ok && answer.error.kind === 'problem' && answer.error.code === 'unauthorized' && !held) {
    ports.log.warn('cloud.token-refused');
    journal.commit([{ kind: 'hold-set', hold: tokenHold(config.language, ports.clock.nowMs()) }]);
    context.changed();
  }
}

/** True while the cloud refuses the token: then only the heartbeat asks, and seldom. */
export const tokenRefused = ({ ports }: Context): boolean => ports.ledger.holds().some((hold) => hold.kind === 'token');
