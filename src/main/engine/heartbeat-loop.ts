import { LOCAL_TEXTS } from '../../shared/texts/local-texts.ts';
import type { HeartbeatReply, TaskTotals } from '../../shared/wire/messages.ts';
import { agentState, standingHolds } from '../core/plan.ts';
import { cloudAnswered, tokenRefused } from './cloud-answer.ts';
import { type Context, wantSync } from './context.ts';
import { heldMails } from './held-addresses.ts';
import { currentHolds } from './next-mail.ts';
import { signInChanges } from './sign-in-clients.ts';
import { mailCounts } from './status.ts';

/** A refused token is tried again this seldom: three calls an hour. */
const REFUSED_INTERVAL_MS = 20 * 60_000;
const WHY_MAX_CHARS = 300;

/** Says "I am here" on a schedule of its own, never held up by sending, and carries out the commands that come back. */
export async function heartbeatLoop(context: Context, signal: AbortSignal): Promise<void> {
  const { ports, bells, config } = context;
  let dueMs = ports.clock.monotonicMs();
  while (!signal.aborted) {
    await beat(context, signal);
    const intervalMs = tokenRefused(context) ? REFUSED_INTERVAL_MS : config.heartbeatIntervalMs;
    // On the beat, however long the answer took. After a sleep of the machine there is nothing to catch up, and a beat
    // that was asked for in between moves no later one.
    const nowMs = ports.clock.monotonicMs();
    if (nowMs >= dueMs) dueMs = Math.max(dueMs + intervalMs, nowMs);
    await bells.heartbeat.wait(ports.clock, dueMs - ports.clock.monotonicMs(), signal);
  }
}

/** One heartbeat, told at once. */
async function beat(context: Context, signal: AbortSignal): Promise<void> {
  const { ports, live, config } = context;
  const counts = mailCounts(ports.ledger);
  const holds = currentHolds(context);
  const [worst] = standingHolds(holds, ports.clock.nowMs());
  const answer = await ports.cloud.heartbeat(
    {
      interval_seconds: Math.max(1, Math.round(config.heartbeatIntervalMs / 1000)),
      boot_id: context.bootId,
      state: agentState({
        holds,
        cloudReachable: true,
        sending: live.current !== null,
        openQuestions: counts.uncertain + counts.conflicts + heldMails(ports.ledger).length,
        nowMs: ports.clock.nowMs(),
      }),
      why: worst === undefined ? null : worst.text.slice(0, WHY_MAX_CHARS),
      counts: {
        holding: counts.waiting + counts.sending + counts.uncertain,
        sent: counts.sent,
        failed: counts.failed,
        uncertain: counts.uncertain,
        untold: counts.untold,
      },
      version: config.version,
    },
    signal,
  );
  cloudAnswered(context, answer);
  if (!answer.ok) return;
  live.lastHeartbeatAtMs = ports.clock.nowMs();
  if (answer.value.tasks !== undefined) noteTasks(context, answer.value.tasks);
  context.journal.insist(signInChanges(ports.ledger, answer.value.sign_in));
  for (const command of answer.value.commands) obey(context, command);
  context.changed();
}

/** Only where something changed: an idle agent writes nothing to the disk. */
function noteTasks({ live, journal }: Context, tasks: readonly TaskTotals[]): void {
  const told = JSON.stringify(tasks);
  if (told === live.tasksTold) return;
  live.tasksTold = told;
  journal.insist([{ kind: 'tasks-told', tasks }]);
}

function obey(context: Context, command: HeartbeatReply['commands'][number]): void {
  const { journal, ports, bells, config } = context;
  switch (command.kind) {
    case 'pause': {
      const text = LOCAL_TEXTS[config.language]['paused-by-office'];
      const hold = { kind: 'cloud', sinceMs: ports.clock.nowMs(), untilMs: null, text, repeat: 1 } as const;
      if (!ports.ledger.holds().some((standing) => standing.kind === 'cloud'))
        journal.insist([{ kind: 'hold-set', hold }]);
      bells.send.ring();
      return;
    }
    case 'resume':
      journal.insist([{ kind: 'hold-lifted', holdKind: 'cloud' }]);
      bells.send.ring();
      bells.claim.ring();
      return;
    case 'sync':
      wantSync(context);
      return;
    default:
      ports.log.warn('heartbeat.unknown-command', { command: command.kind });
  }
}
