import type { BeginRequest, Stage } from '../../shared/wire/messages.ts';
import type { AttemptEnd, BeginAnswer } from '../core/attempt-end.ts';
import { type BeginMeaning, beginMeaning } from '../core/begin-answer.ts';
import type { Context, StopSignals } from './context.ts';
import type { CloudFailure, ComposedMessage, LedgerMail, Ports } from './ports.ts';

/** How long the cloud may take to grant `begin`; the mail server waits meanwhile with its 354 (RFC 5321: 3 minutes). */
const BEGIN_DEADLINE_MS = 60_000;
const BEGIN_PAUSE_MS = 500;
/** A permission older than this is asked for once more at the gate: the machine may have slept, the mail been decided. */
const PERMISSION_FRESH_MS = 60_000;
/** An abort without a reason builds an error with its stack, which a mail that went well need not pay for. */
const OVER = 'the attempt is over';

/**
 * One attempt at one mail. `begin` is asked while the envelope is under way; the last bytes wait for the ledger's
 * durable mark and the cloud's permission, both. The nonce lives in this function until the outcome. `onEnvelope` is
 * called right before the envelope is written.
 */
export async function submitMail(
  context: Context,
  mail: LedgerMail,
  message: ComposedMessage,
  attempt: number,
  stop: StopSignals,
  onEnvelope: () => void,
): Promise<AttemptEnd> {
  const { ports, journal, live } = context;
  const nonce = ports.random.nonce();
  const over = new AbortController();
  let asked: Promise<BeginAnswer> | null = null;
  let answered: BeginAnswer | null = null;
  let marked = true;
  let freshness = startFreshness(ports.clock);
  const request = { idempotency_key: mail.idempotencyKey, payload_hash: mail.payloadHash, nonce, attempt };

  const askBegin = (): Promise<BeginAnswer> => {
    if (asked === null) {
      freshness = startFreshness(ports.clock);
      asked = begin(context, mail.id, request, over.signal);
      asked.then(
        (answer) => {
          answered = answer;
        },
        () => undefined, // a fault of ours: the gate, which waits for the same answer, hands it on
      );
    }
    return asked;
  };

  const gate = async (): Promise<'open' | 'shut'> => {
    const permission = askBegin();
    const mark = {
      kind: 'mail',
      mailId: mail.id,
      event: { kind: 'handed-over', attempt },
      atMs: ports.clock.nowMs(),
    } as const;
    marked = journal.commit([mark]).ok;
    let answer = await permission;
    if (answer.kind === 'granted' && !freshness.isFresh()) {
      // The same nonce is granted again where nothing has changed, and refused where somebody has settled the mail.
      answer = await begin(context, mail.id, request, over.signal);
      answered = answer;
    }
    return marked && answer.kind === 'granted' && !stop.abandon.aborted ? 'open' : 'shut';
  };

  const onStage = (stage: Stage): void => {
    live.current = { mailId: mail.id, attempt, stage };
    if (stage === 'envelope') {
      void askBegin();
      onEnvelope();
    }
    context.changed();
  };

  const submission = await ports.mailer.submit(message, { onStage, gate }, stop.abandon);
  // A `begin` still on its way is of no use now; its nonce is told as not sent, so it can never be granted later.
  over.abort(OVER);
  return { nonce: asked === null ? null : nonce, begin: answered, marked, submission };
}

/** Tells whether a minute has passed, by the wall clock too, which goes on while the machine sleeps. */
function startFreshness(clock: Ports['clock']): { isFresh(): boolean } {
  const wallMs = clock.nowMs();
  const steadyMs = clock.monotonicMs();
  return {
    isFresh: () => Math.max(Math.abs(clock.nowMs() - wallMs), clock.monotonicMs() - steadyMs) <= PERMISSION_FRESH_MS,
  };
}

async function begin(context: Context, mailId: string, request: BeginRequest, over: AbortSignal): Promise<BeginAnswer> {
  const { clock, cloud } = context.ports;
  const late = new AbortController();
  void clock.sleep(BEGIN_DEADLINE_MS, over).then(() => late.abort(OVER));
  while (!late.signal.aborted) {
    const answer = await cloud.begin(mailId, request, late.signal);
    if (answer.ok) return { kind: 'granted' };
    const meaning = meaningOf(answer.error);
    if (meaning !== 'ask-again') return { kind: meaning };
    await clock.sleep(BEGIN_PAUSE_MS, late.signal);
  }
  return { kind: 'unknown' };
}

function meaningOf(failure: CloudFailure): BeginMeaning {
  if (failure.kind === 'no-credentials') return 'unknown';
  return failure.kind === 'problem' ? beginMeaning(failure.code) : 'ask-again';
}
