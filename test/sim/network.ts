import type { CloudFailure } from '../../src/main/engine/ports.ts';
import { err, type Result } from '../../src/shared/result.ts';
import type { ProblemCode } from '../../src/shared/wire/problem.ts';
import { PROBLEMS } from '../../src/shared/wire/problem.ts';
import type { SeededRandom, VirtualClock } from '../support/fakes-clock.ts';
import type { CallName } from '../support/fakes-cloud.ts';

/** One call on its way; what it does in the cloud, it does when it arrives, whoever still listens. */
export type Call<T> = {
  readonly name: CallName;
  /** Runs in the cloud; hears whether somebody still waits for its answer. */
  readonly effect: (signal: AbortSignal) => Promise<Result<T, CloudFailure>>;
  readonly signal: AbortSignal;
  readonly onAsked: () => void;
  readonly onAnswered: (answer: Result<T, CloudFailure>) => void;
};

/**
 * The way between one computer and the cloud: requests and replies take their time, get lost, come twice and overtake
 * each other, each on its own.
 */
export class Network {
  /** Until then nothing gets through (timeline). */
  downUntilMs = 0;
  /** Until then the cloud, or something before it, answers so. */
  answers: { readonly problem: ProblemCode; readonly untilMs: number } | null = null;
  /** The replies of so many calls that reach the cloud are lost, those under way first. */
  repliesToLose = 0;
  /** How many calls go astray, in [0, 1). */
  roughness: number;
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #inFlight = new Set<{ readonly cut: () => void; isReplyLost: boolean }>();

  constructor(clock: VirtualClock, random: SeededRandom, roughness: number) {
    this.#clock = clock;
    this.#random = random;
    this.roughness = roughness;
  }

  call<T>(call: Call<T>): Promise<Result<T, CloudFailure>> {
    const { timeline } = this.#clock;
    const random = this.#random;
    return new Promise((resolve) => {
      const gone = new AbortController();
      let isOver = false;
      const finish = (answer: Result<T, CloudFailure>) => {
        if (isOver) return;
        isOver = true;
        this.#inFlight.delete(flight);
        call.signal.removeEventListener('abort', cut);
        this.#clock.whenAwake(() => resolve(answer));
      };
      const cut = () => {
        gone.abort(GONE);
        finish(unreachable());
      };
      const flight = { cut, isReplyLost: false };
      if (call.signal.aborted) return resolve(unreachable());
      call.signal.addEventListener('abort', cut, { once: true });
      this.#inFlight.add(flight);
      call.onAsked();
      const isRough = random.chance(this.roughness);
      const giveUpMs = 1_000 + random.below(30_000);
      const isDown = this.downUntilMs > timeline.nowMs;
      if (isDown || (isRough && random.chance(0.3))) return void timeline.after(giveUpMs, cut);
      const problem = this.answers !== null && this.answers.untilMs > timeline.nowMs ? this.answers.problem : null;
      if (problem !== null) return void timeline.after(1 + random.below(50), () => finish(answered(problem)));
      const loses = isRough && random.chance(0.4);
      const arrive = async () => {
        const answer = await call.effect(gone.signal);
        if (this.repliesToLose > 0 && !flight.isReplyLost) {
          this.repliesToLose -= 1;
          flight.isReplyLost = true;
        }
        if (loses || flight.isReplyLost) return void timeline.after(giveUpMs, cut);
        const replyMs = 1 + random.below(isRough ? 20_000 : 40);
        timeline.after(replyMs, () => {
          if (isOver) return;
          if (flight.isReplyLost) return void timeline.after(giveUpMs, cut);
          call.onAnswered(answer);
          finish(answer);
        });
      };
      const isLate = isRough && random.chance(0.5);
      timeline.after(random.below(isLate ? 40_000 : 30), () => void arrive());
      // A proxy or a resent packet brings it twice; nobody reads the second answer.
      if (isRough && random.chance(0.5)) {
        timeline.after(random.below(60_000), () => void call.effect(NEVER));
      }
    });
  }

  /** What is under way comes to nothing here; some servers notice, and stop waiting for mails on our behalf. */
  cutAll(): void {
    for (const flight of [...this.#inFlight]) flight.cut();
  }

  /** The replies under way are lost, or the next one where there is none. */
  loseReplies(): void {
    if (this.#inFlight.size === 0) this.repliesToLose += 1;
    for (const flight of this.#inFlight) flight.isReplyLost = true;
  }

  mend(): void {
    this.downUntilMs = 0;
    this.answers = null;
    this.repliesToLose = 0;
    this.roughness = 0;
  }
}

const NEVER = new AbortController().signal;
const GONE = 'nobody waits any more';
const unreachable = () => err({ kind: 'unreachable', text: 'no complete answer' } as const);
const answered = (code: ProblemCode) =>
  err({ kind: 'problem', code, detail: PROBLEMS[code].title, stored: null, retryAfterMs: null } as const);
