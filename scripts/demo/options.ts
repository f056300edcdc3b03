import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { chooseLanguage } from '../../src/main/headless/terminal.ts';
import { LANGUAGES, type Language } from '../../src/shared/texts/language.ts';

export type DemoOptions = {
  readonly mails: number;
  /** What happens once the task is done: end, or stay up so that a person can look around. */
  readonly after: 'end' | 'stay';
  readonly json: boolean;
  /** Which of the two shells the agent runs in. */
  readonly shell: 'window' | 'terminal';
  /** Null sends without any fault. */
  readonly chaosSeed: number | null;
  readonly dataFolder: string;
  readonly language: Language;
};

const MAILS_MAX = 1000;
const SEED_MAX = 2 ** 32 - 1;

type Given = {
  readonly mails: number;
  readonly once?: true;
  readonly json?: true;
  readonly headless?: true;
  readonly chaos?: number;
  readonly data: string;
  readonly lang?: string;
};

/**
 * Reads the command line. Answers an exit code instead where there is nothing to run: 0 after `--help`, 2 for an option
 * that is not right; commander has then said which one, what was given and what is allowed.
 */
export function readOptions(
  args: readonly string[],
  defaultFolder: string,
): DemoOptions | { readonly exitCode: 0 | 2 } {
  const program = new Command('npm run demo --')
    .description(
      'Sends a task of mails through a real agent to a mail server on this machine, and counts what arrives.',
    )
    .option('--mails <count>', `how many mails, 1 to ${MAILS_MAX}`, wholeNumber(1, MAILS_MAX), 40)
    .option('--once', 'end when the task is done (always so when this is not a terminal)')
    .option('--json', 'last line of the output: one JSON object with the counts; messages go to standard error')
    .option('--headless', 'the agent without its window, as it is where there is no display, and with --chaos')
    .option(
      '--chaos <seed>',
      'kill the agent, cut connections and lose replies, as the seed decides',
      wholeNumber(0, SEED_MAX),
    )
    .addOption(new Option('--data <dir>', 'data folder').default(defaultFolder, '.data/demo'))
    .addOption(new Option('--lang <language>', 'language of messages').choices(LANGUAGES))
    .exitOverride();
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2 };
    throw error;
  }
  const given = program.opts<Given>();
  return {
    mails: given.mails,
    after: given.once === true || process.stdout.isTTY !== true ? 'end' : 'stay',
    json: given.json === true,
    // An agent that is killed every moment is no window to look at.
    shell: given.headless === true || given.chaos !== undefined || !hasDisplay() ? 'terminal' : 'window',
    chaosSeed: given.chaos ?? null,
    dataFolder: path.resolve(given.data),
    language: chooseLanguage(given.lang),
  };
}

function hasDisplay(): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some((name) => name !== undefined && name !== '');
}

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Allowed is a whole number from ${min} to ${max}.`);
  };
