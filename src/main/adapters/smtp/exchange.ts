import { type Broken, STOPPED } from './broken.ts';
import type { Command, Dialogue } from './dialogue.ts';
import type { RawReply } from './reply-reader.ts';

/** One exchange under way: it settles once, and what comes later changes nothing. */
export type Turn<T> = {
  readonly settled: () => boolean;
  /** Ends well for the connection: it may be used again. */
  readonly settle: (value: T) => void;
  /** Ends and drops the connection. */
  readonly drop: (value: T) => void;
  /** Starts the one deadline anew. */
  readonly arm: (deadlineMs: number, late: () => T) => void;
  /** From here on the signal is not heard. */
  readonly ignoreStop: () => void;
  /** A fault of ours, not of the server: drops the connection and rejects. */
  readonly crash: (error: unknown) => void;
};

/**
 * A bounded piece of the dialogue. It ends by what `onReply` makes of the replies, by the deadline, the signal or the
 * loss of the connection, whichever is first; `broken` says what the last two and the loss mean here.
 */
export function exchange<T>(
  dialogue: Dialogue,
  signal: AbortSignal,
  parts: {
    readonly start: (turn: Turn<T>) => void;
    readonly onReply: (turn: Turn<T>, reply: RawReply, command: Command | null) => void;
    readonly broken: (end: Broken) => T;
  },
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    const end = (deliver: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      ignoreStop();
      dialogue.listen(null);
      deliver();
    };
    const settle = (value: T): void => end(() => resolve(value));
    const drop = (value: T): void =>
      end(() => {
        dialogue.drop();
        resolve(value);
      });
    const crash = (error: unknown): void =>
      end(() => {
        dialogue.drop();
        reject(error);
      });
    const stop = (): void => drop(parts.broken(STOPPED));
    const ignoreStop = (): void => signal.removeEventListener('abort', stop);
    const arm = (deadlineMs: number, late: () => T): void => {
      clearTimeout(timer);
      if (!settled) timer = setTimeout(() => drop(late()), deadlineMs);
    };
    const turn: Turn<T> = { settled: () => settled, settle, drop, arm, ignoreStop, crash };

    if (dialogue.end !== null) return settle(parts.broken(dialogue.end));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    dialogue.listen({
      onReply: (reply, command) => parts.onReply(turn, reply, command),
      onEnd: (end) => settle(parts.broken(end)),
    });
    try {
      parts.start(turn);
    } catch (error) {
      crash(error);
    }
  });
}
