import type { BrokenCause, ComposedMessage, Composer, Gate, Mailer, Submission } from '../../src/main/engine/ports.ts';
import type { SmtpReply, Stage } from '../../src/shared/wire/messages.ts';
import type { VirtualClock } from './fakes-clock.ts';

/** What the mail server does with one submission. */
export type Play =
  | { readonly kind: 'accept'; readonly afterMs?: number; readonly reply?: SmtpReply }
  /** A complete negative reply; at `handed-over` after the end of data. */
  | {
      readonly kind: 'reply';
      readonly stage: Stage;
      readonly reply: SmtpReply;
      readonly command?: 'mail' | 'rcpt' | 'data';
    }
  /** No complete reply. At `body` it breaks while the gate is still asked; at `handed-over` the mail is there or not. */
  | { readonly kind: 'break'; readonly stage: Stage; readonly cause?: BrokenCause; readonly arrived?: boolean }
  /** Nothing happens at that stage until the agent drops the connection, or for `forMs`. */
  | { readonly kind: 'hang'; readonly stage: Stage; readonly forMs?: number; readonly arrived?: boolean };

export type Dialogue = { readonly mailId: string; readonly stages: Stage[]; gate: 'unasked' | 'open' | 'shut' };

const QUEUED: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'queued' };
const ENVELOPE_STAGES = ['connect', 'tls', 'auth', 'envelope', 'body'] as const;

/** The mail server at the far end: outlives every agent, and counts what it saw. */
export class ModelSmtp {
  /** Plays for the submissions to come, in order; `accept` when there is none. */
  readonly plays: Play[] = [];
  /** Asked where `plays` is empty. */
  playFor: (mailId: string) => Play = () => ({ kind: 'accept' });
  readonly dialogues: Dialogue[] = [];
  readonly ends = new Map<string, number>();
  readonly acceptances = new Map<string, number>();
  /** How long each stage takes. */
  stageMs = 10;

  endOfData(mailId: string, arrived: boolean): void {
    this.ends.set(mailId, (this.ends.get(mailId) ?? 0) + 1);
    if (arrived) this.acceptances.set(mailId, (this.acceptances.get(mailId) ?? 0) + 1);
  }

  /** Mails accepted, each as often as it was. */
  get accepted(): readonly string[] {
    return [...this.acceptances].flatMap(([id, count]) => Array.from({ length: count }, () => id));
  }
}

/** The mailer of one agent: a kept connection after the first mail. `isAlive` turns false when its process is killed. */
export function fakeMailer(server: ModelSmtp, clock: VirtualClock, isAlive: () => boolean = () => true): Mailer {
  let connected = false;
  return {
    async submit(message, watch, signal) {
      const mailId = mailIdOf(message);
      const play = server.plays.shift() ?? server.playFor(mailId);
      const dialogue: Dialogue = { mailId, stages: [], gate: 'unasked' };
      server.dialogues.push(dialogue);
      const submission = await talk(mailId, play, dialogue, watch, signal);
      connected = submission.kind === 'accepted' || submission.kind === 'replied';
      return submission;
    },
    close: async () => {
      connected = false;
    },
  };

  async function talk(
    mailId: string,
    play: Play,
    dialogue: Dialogue,
    watch: { readonly onStage: (stage: Stage) => void; readonly gate: Gate },
    signal: AbortSignal,
  ): Promise<Submission> {
    for (const stage of connected ? ENVELOPE_STAGES.slice(3) : ENVELOPE_STAGES) {
      dialogue.stages.push(stage);
      watch.onStage(stage);
      if (stage === 'body') break;
      await clock.sleep(server.stageMs, signal);
      if (signal.aborted) return broken(stage, 'stopped');
      if (play.kind === 'accept' || play.stage !== stage) continue;
      if (play.kind === 'hang') await clock.sleep(play.forMs ?? Number.MAX_SAFE_INTEGER, signal);
      const end = signal.aborted ? broken(stage, 'stopped') : ending(play);
      if (end !== null) return end;
    }
    const asking = watch.gate();
    asking.catch(() => undefined); // where it breaks first, nobody waits for the gate's word
    if (play.kind === 'break' && play.stage === 'body') return broken('body', play.cause ?? 'dropped');
    const gate = await untilAborted(asking, signal);
    if (gate === 'aborted') return broken('body', 'stopped');
    dialogue.gate = gate;
    if (gate === 'shut') return { kind: 'held-back' };
    return handOver(mailId, play, dialogue, watch.onStage);
  }

  async function handOver(
    mailId: string,
    play: Play,
    dialogue: Dialogue,
    onStage: (stage: Stage) => void,
  ): Promise<Submission> {
    if (!isAlive()) return broken('body', 'dropped');
    // What only took its time is accepted in the end.
    const isAccepted = play.kind === 'accept' || (play.kind === 'hang' && play.forMs !== undefined);
    const arrived = isAccepted || (play.kind !== 'reply' && play.arrived === true);
    server.endOfData(mailId, arrived);
    dialogue.stages.push('handed-over');
    onStage('handed-over');
    const waitMs = play.kind === 'accept' ? play.afterMs : play.kind === 'hang' ? play.forMs : undefined;
    await clock.sleep(waitMs ?? server.stageMs, NEVER);
    if (play.kind === 'accept') return { kind: 'accepted', reply: play.reply ?? QUEUED };
    return ending(play) ?? { kind: 'accepted', reply: QUEUED };
  }
}

const NEVER = new AbortController().signal;

const broken = (stage: Stage, cause: BrokenCause): Submission => ({
  kind: 'broken',
  stage,
  cause,
  text: `${cause} at ${stage}`,
});

function ending(play: Exclude<Play, { kind: 'accept' }>): Submission | null {
  switch (play.kind) {
    case 'reply': {
      const { stage, reply, command } = play;
      return { kind: 'replied', stage, reply, ...(command === undefined ? {} : { command }) };
    }
    case 'break':
      return broken(play.stage, play.cause ?? 'dropped');
    case 'hang':
      return play.forMs === undefined ? broken(play.stage, 'timeout') : null;
  }
}

async function untilAborted(
  asking: Promise<'open' | 'shut'>,
  signal: AbortSignal,
): Promise<'open' | 'shut' | 'aborted'> {
  const aborted = Promise.withResolvers<'aborted'>();
  const onAbort = () => aborted.resolve('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([asking, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The recipient's id, out of the Message-ID that is derived from the idempotency key. */
function mailIdOf(message: Pick<ComposedMessage, 'messageId'>): string {
  const id = /^<email-recipient-([0-9A-Za-z-]+)\./.exec(message.messageId)?.[1];
  if (id === undefined) throw new Error(`a message id without a key: ${message.messageId}`);
  return id;
}

/** A composer that needs no time and no attachments; `refuse` answers a failure for some mails. */
export function fakeComposer(
  refuse: (mailId: string) => Awaited<ReturnType<Composer['compose']>> | null = () => null,
): Composer {
  return {
    async compose(mail) {
      const refused = refuse(mail.id);
      if (refused !== null) return refused;
      const { from, to } = mail.payload;
      const envelope = { from: from.address, to: to.address, needsSmtpUtf8: false };
      return { ok: true, value: { messageId: mail.messageId, envelope, bytes: Buffer.from(`mail ${mail.id}`) } };
    },
  };
}
