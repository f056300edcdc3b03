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
      /** At `handed-over`, for a reply that does not say so: the mail is there nevertheless. */
      readonly arrived?: boolean;
    }
  /** No complete reply. At `body` it breaks while the gate is still asked; at `handed-over` the mail is there or not. */
  | { readonly kind: 'break'; readonly stage: Stage; readonly cause?: BrokenCause; readonly arrived?: boolean }
  /** Nothing happens at that stage until the agent drops the connection, or for `forMs`. */
  | { readonly kind: 'hang'; readonly stage: Stage; readonly forMs?: number; readonly arrived?: boolean };

export type Dialogue = {
  readonly mailId: string;
  readonly stages: Stage[];
  gate: 'unasked' | 'open' | 'shut';
  /** May be changed while it runs: what has not happened yet happens so. */
  play: Play;
};

/** Where a dialogue stands, finer than the stages: the three commands of the envelope, and the two sides of the end. */
export type DialogueStep =
  | 'connect'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  /** The gate is open, the last bytes are still here. */
  | 'gate-open'
  /** The last bytes are with the system's network. */
  | 'end-of-data'
  /** The final reply is read. */
  | 'replied';

/** Hears of each step as it is reached, before anything of it happens. */
export type DialogueWatch = (step: DialogueStep, dialogue: Dialogue) => void;

const QUEUED: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'queued' };
/** The steps up to the body, each with its stage; a kept connection starts at `mail`. */
const STEPS: readonly (readonly [DialogueStep, Stage])[] = [
  ['connect', 'connect'],
  ['tls', 'tls'],
  ['auth', 'auth'],
  ['mail', 'envelope'],
  ['rcpt', 'envelope'],
  ['data', 'envelope'],
];

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

  /** Hears of every end of data, and whether the mail was taken over; `bytes` are the message's. */
  onEnd: (mailId: string, arrived: boolean, bytes: Buffer) => void = () => undefined;
  /** False: `dialogues` stays empty, which saves a long run its memory. */
  keepsDialogues = true;

  endOfData(mailId: string, arrived: boolean, bytes: Buffer): void {
    this.ends.set(mailId, (this.ends.get(mailId) ?? 0) + 1);
    if (arrived) this.acceptances.set(mailId, (this.acceptances.get(mailId) ?? 0) + 1);
    this.onEnd(mailId, arrived, bytes);
  }

  /** Mails accepted, each as often as it was. */
  get accepted(): readonly string[] {
    return [...this.acceptances].flatMap(([id, count]) => Array.from({ length: count }, () => id));
  }
}

export type MailerOptions = {
  /** Turns false when the process is killed. */
  readonly isAlive?: () => boolean;
  /** Whether bytes already handed to the system still leave after the process died. */
  readonly outlivesProcess?: () => boolean;
  readonly watch?: DialogueWatch;
};

/** The mailer of one agent: a kept connection after the first mail. */
export function fakeMailer(server: ModelSmtp, clock: VirtualClock, options: MailerOptions = {}): Mailer {
  const { isAlive = () => true, outlivesProcess = () => true, watch: onStep = () => undefined } = options;
  let connected = false;
  return {
    async submit(message, watch, signal) {
      const mailId = mailIdOf(message);
      const dialogue: Dialogue = {
        mailId,
        stages: [],
        gate: 'unasked',
        play: server.plays.shift() ?? server.playFor(mailId),
      };
      if (server.keepsDialogues) server.dialogues.push(dialogue);
      const submission = await talk(message, dialogue, watch, signal);
      connected = submission.kind === 'accepted' || (submission.kind === 'replied' && isAfterLogin(submission.stage));
      return submission;
    },
    close: async () => {
      connected = false;
    },
  };

  async function talk(
    message: ComposedMessage,
    dialogue: Dialogue,
    watch: { readonly onStage: (stage: Stage) => void; readonly gate: Gate },
    signal: AbortSignal,
  ): Promise<Submission> {
    let entered: Stage | null = null;
    for (const [step, stage] of connected ? STEPS.slice(3) : STEPS) {
      if (stage !== entered) {
        dialogue.stages.push(stage);
        watch.onStage(stage);
      }
      onStep(step, dialogue);
      await clock.sleep(stage === entered ? 0 : server.stageMs, signal);
      entered = stage;
      if (signal.aborted) return broken(stage, 'stopped');
      const { play } = dialogue;
      if (play.kind === 'accept' || !playsAt(play, step, stage)) continue;
      if (play.kind === 'hang') await clock.sleep(play.forMs ?? Number.MAX_SAFE_INTEGER, signal);
      const end = signal.aborted ? broken(stage, 'stopped') : ending(play);
      if (end !== null) return end;
    }
    dialogue.stages.push('body');
    watch.onStage('body');
    const asking = watch.gate();
    asking.catch(() => undefined); // where it breaks first, nobody waits for the gate's word
    onStep('body', dialogue);
    if (dialogue.play.kind === 'break' && dialogue.play.stage === 'body') {
      return broken('body', dialogue.play.cause ?? 'dropped');
    }
    const gate = await untilAborted(asking, signal);
    if (gate === 'aborted') return broken('body', 'stopped');
    dialogue.gate = gate;
    if (gate === 'shut') return { kind: 'held-back' };
    return handOver(message, dialogue, watch.onStage);
  }

  async function handOver(
    message: ComposedMessage,
    dialogue: Dialogue,
    onStage: (stage: Stage) => void,
  ): Promise<Submission> {
    onStep('gate-open', dialogue);
    if (clock.isAsleep) await new Promise<void>((resolve) => clock.whenAwake(resolve));
    const early = dialogue.play;
    // What the server says or does before the last bytes is no answer to them.
    if (early.kind !== 'accept' && early.kind !== 'hang' && early.stage === 'body') return ending(early) ?? NO_END;
    if (!isAlive()) return broken('body', 'dropped');
    onStep('end-of-data', dialogue);
    // What was planned for a stage that is over, or that a kept connection skipped, never came to pass.
    const play: Play =
      dialogue.play.kind === 'accept' || dialogue.play.stage === 'handed-over' ? dialogue.play : { kind: 'accept' };
    // What only took its time is accepted in the end.
    const isAccepted = play.kind === 'accept' || (play.kind === 'hang' && play.forMs !== undefined);
    const arrived = isAccepted || ('arrived' in play && play.arrived === true);
    if (isAlive() || outlivesProcess()) server.endOfData(dialogue.mailId, arrived, message.bytes);
    dialogue.stages.push('handed-over');
    onStage('handed-over');
    const waitMs = play.kind === 'accept' ? play.afterMs : play.kind === 'hang' ? play.forMs : undefined;
    await clock.sleep(waitMs ?? server.stageMs, NEVER);
    onStep('replied', dialogue);
    if (play.kind === 'accept') return { kind: 'accepted', reply: play.reply ?? QUEUED };
    return ending(play) ?? { kind: 'accepted', reply: QUEUED };
  }
}

/** A reply to one command of the envelope comes at that command; everything else as soon as its stage is reached. */
function playsAt(play: Exclude<Play, { kind: 'accept' }>, step: DialogueStep, stage: Stage): boolean {
  if (play.stage !== stage) return false;
  return play.kind !== 'reply' || play.command === undefined || play.command === step;
}

/** Refused before, a connection is not logged in: the next mail starts from the beginning. */
const isAfterLogin = (stage: Stage): boolean => stage === 'envelope' || stage === 'body' || stage === 'handed-over';

const NEVER = new AbortController().signal;
const NO_END: Submission = { kind: 'broken', stage: 'body', cause: 'dropped', text: 'dropped at body' };

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
