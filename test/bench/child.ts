import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A process of its own for one side of a measurement, asked one thing at a time. */
export type Child = {
  /** Resolves with the parsed answer; rejects with the child's own words, after `limitMs`, or when it ends. */
  ask<T>(request: unknown, answer: z.ZodType<T>, limitMs: number): Promise<T>;
  stop(): Promise<void>;
};

const STOP_LIMIT_MS = 15_000;
const Told = z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })]);

/** Starts `file` of this folder, which answers by `serveParent`; an abort kills it. */
export function startChild(file: string, signal: AbortSignal): Child {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), []);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', kill));
  return {
    async ask(request, answer, limitMs) {
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(new Error(`${file} gave no answer in ${limitMs} ms`)), limitMs);
      const gone = (code: unknown) => over.abort(new Error(`${file} ended with ${String(code)}`));
      child.once('exit', gone);
      try {
        const heard = once(child, 'message', { signal: over.signal });
        child.send({ request });
        const told = Told.parse((await heard)[0]);
        if ('error' in told) throw new Error(`${file}: ${told.error}`);
        return answer.parse(told.value);
      } catch (error) {
        throw over.signal.aborted ? over.signal.reason : error;
      } finally {
        clearTimeout(timer);
        child.off('exit', gone);
      }
    },
    stop: () => stopProcess(child, () => child.disconnect()),
  };
}

/** Asks a process to end, waits, and kills it where it does not. */
export async function stopProcess(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  ask();
  await ended;
  clearTimeout(timer);
}

const Asked = z.object({ request: z.unknown() });

/** The child's half: answers each request in turn, and ends with its parent. */
export function serveParent(handle: (request: unknown) => Promise<unknown>, end: () => Promise<void>): void {
  const tell = (told: z.infer<typeof Told>) => process.send?.(told);
  process.on('message', (message) => {
    handle(Asked.parse(message).request).then(
      (value) => tell({ value: value ?? null }),
      (error: unknown) => tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once('disconnect', () => {
    void end().finally(() => process.exit());
  });
  // Ctrl-C reaches the whole group; the parent ends its children in their order.
  process.on('SIGINT', () => undefined);
}
