import { createTerminal } from '../../src/main/headless/terminal.ts';
import type { DemoOptions } from './options.ts';
import { perform } from './perform.ts';
import type { Tally } from './tally.ts';
import { DEMO_TEXTS } from './texts.ts';

const EXIT = { well: 0, wrong: 1, interrupted: 130 } as const;

/** Starts everything, sends one task, counts, ends everything. Answers the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { dataFolder, language, json } = options;
  const terminal = createTerminal({ folder: dataFolder, language, json, secretFile: null });
  const texts = DEMO_TEXTS[language];
  const stop = new AbortController();
  const hurry = new AbortController();
  // The first Ctrl-C lets the agent finish its mail, the second one does not.
  const onSignal = () => (stop.signal.aborted ? hurry.abort() : stop.abort());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

  const ending = new AsyncDisposableStack();
  let exitCode: number = EXIT.wrong;
  let tally: Tally | null = null;
  try {
    const outcome = await perform({ options, terminal, ending, stop: stop.signal, hurry: hurry.signal });
    tally = outcome.tally;
    exitCode = outcome.problems.length === 0 ? EXIT.well : EXIT.wrong;
    if (options.after === 'stay') {
      terminal.say(texts.staying);
      await aborted(stop.signal);
    }
  } catch (error) {
    if (stop.signal.aborted) {
      terminal.say(texts.interrupted);
      exitCode = EXIT.interrupted;
    } else complain(error);
  }
  if (stop.signal.aborted) terminal.say(texts.ending);
  try {
    await ending.disposeAsync();
  } catch (error) {
    complain(error);
    exitCode = EXIT.wrong;
  }
  if (json && tally !== null) terminal.result(tally, '');
  return exitCode;
}

const complain = (error: unknown) =>
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
