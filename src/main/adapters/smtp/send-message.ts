import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../../../shared/wire/messages.ts';
import type { EnvelopeCommand } from '../../core/reply-rules.ts';
import type { ComposedMessage, Gate, Submission } from '../../engine/ports.ts';
import { type Broken, closedBroken, outOfStep, timedOut } from './broken.ts';
import type { SmtpDeadlines } from './deadlines.ts';
import type { Command, Dialogue } from './dialogue.ts';
import { exchange, type Turn } from './exchange.ts';
import { gatedBody } from './gated-body.ts';
import { isNegative, isPositive, type RawReply } from './reply-reader.ts';
import { type Redact, smtpReply } from './reply-text.ts';

export type MessageWatch = { readonly onStage: (stage: Stage) => void; readonly gate: Gate };

/** Where the system takes the bytes at once they are gone after a turn or two. */
const DRAIN_TURNS = 10;
const DRAIN_PAUSE_MS = 5;

/**
 * One message over a connection that is logged in: MAIL, one RCPT, DATA, the body, the gate, the final reply. The end of the
 * message is written in one place only, after the gate has said `open`; every other way ends in a dropped connection
 * or in a complete negative reply to the envelope.
 */
export function sendMessage(
  dialogue: Dialogue,
  message: ComposedMessage,
  watch: MessageWatch,
  given: { readonly deadlines: SmtpDeadlines; readonly redact: Redact },
  signal: AbortSignal,
): Promise<Submission> {
  const { deadlines, redact } = given;
  let stage: Stage = 'envelope';
  // A complete reply that decides. The library may still have replies to read, so it is told a little later.
  let verdict: Submission | null = null;

  const failed = (end: Broken): Submission => verdict ?? { kind: 'broken', stage, ...end };
  const replied = (raw: RawReply, command?: EnvelopeCommand): Submission => ({
    kind: 'replied',
    stage,
    reply: smtpReply(raw, redact),
    ...(command === undefined ? {} : { command }),
  });

  const onReply = (turn: Turn<Submission>, raw: RawReply, command: Command | null): void => {
    const surprised = (): void => turn.drop(failed(outOfStep(`${raw.code} is no answer here`)));
    switch (command) {
      case 'mail':
      case 'rcpt':
        if (isNegative(raw)) verdict ??= replied(raw, command);
        else if (!isPositive(raw)) surprised();
        return;
      case 'data':
        if (raw.code === 354) enterBody(turn);
        else if (isNegative(raw)) verdict ??= replied(raw, command);
        else surprised();
        return;
      case 'end-of-data':
        if (isPositive(raw)) verdict = { kind: 'accepted', reply: smtpReply(raw, redact) };
        else if (isNegative(raw)) verdict = replied(raw);
        else surprised();
        return;
      default:
        // Nothing was asked. Before the end of the message only a refusal makes sense (RFC 5321 4.2.5 note, RFC 2920).
        if (stage === 'body' && isNegative(raw)) turn.drop(replied(raw));
        else turn.drop(failed(outOfStep('it answered ahead')));
    }
  };

  const enterBody = (turn: Turn<Submission>): void => {
    // With pipelining DATA is already said when the refusal is read. The library would end an empty message now.
    if (verdict !== null) {
      turn.drop(verdict);
      return;
    }
    stage = 'body';
    watch.onStage(stage);
    armBody(turn);
  };
  const armBody = (turn: Turn<Submission>): void =>
    turn.arm(deadlines.bodyProgressMs, () => failed(timedOut('it stopped taking the mail')));

  const passGate = async (turn: Turn<Submission>, sentBytes: number, release: () => void): Promise<void> => {
    if (sentBytes > 0) await drained(dialogue, turn);
    if (turn.settled()) return;
    turn.arm(deadlines.gateMs, () => ({ kind: 'held-back' }));
    const word = await gateWord(watch.gate);
    if (word !== 'open') return turn.drop({ kind: 'held-back' });
    // Whatever has arrived by now is read first: a reply that is already here does not answer the end of the message.
    // Sockets are read between one turn and the next, so it takes two to be sure of one reading.
    await nextTurn();
    await nextTurn();
    if (turn.settled()) return;
    stage = 'handed-over';
    turn.ignoreStop();
    turn.arm(deadlines.finalReplyMs, () => failed(timedOut('no reply to the end of the mail came')));
    watch.onStage(stage);
    dialogue.expectFinalReply();
    release();
  };

  return exchange<Submission>(dialogue, signal, {
    broken: failed,
    onReply,
    start(turn) {
      turn.arm(deadlines.envelopeMs, () => failed(timedOut('no reply to sender, recipient or DATA came')));
      const body = gatedBody(message.bytes, {
        onPull: () => armBody(turn),
        onHeld: (sentBytes) => void passGate(turn, sentBytes, body.release).catch(turn.crash),
      });
      watch.onStage(stage);
      const { from, to } = message.envelope;
      dialogue.smtp.send({ from, to: [to], size: message.bytes.length }, body.stream, () => {
        if (verdict !== null) turn.settle(verdict);
        else turn.drop(failed(dialogue.end ?? closedBroken(dialogue.socket.errored)));
      });
    },
  });
}

/** A gate that fails is shut: no fault on our side may end a message. */
async function gateWord(gate: Gate): Promise<'open' | 'shut'> {
  try {
    return await gate();
  } catch {
    return 'shut';
  }
}

/** Waits until the bytes sent so far have left our buffers; the deadline of the body ends it too. */
async function drained(dialogue: Dialogue, turn: Turn<Submission>): Promise<void> {
  await nextTurn();
  for (let look = 1; !turn.settled() && dialogue.socket.writableLength > 0; look += 1) {
    await (look < DRAIN_TURNS ? nextTurn() : pause(DRAIN_PAUSE_MS));
  }
}
