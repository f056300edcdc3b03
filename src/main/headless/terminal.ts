import { CLI_TEXTS, type CliTexts } from '../../shared/texts/cli-texts.ts';
import type { Language } from '../../shared/texts/language.ts';

/** What every command gets: where the data is, how to speak, and to whom. */
export type Terminal = {
  readonly folder: string;
  readonly language: Language;
  readonly texts: CliTexts;
  readonly json: boolean;
  /** The file named by --secret-file, null for the system's keychain. */
  readonly secretFile: string | null;
  /** One line for a person, on standard error when --json is on. */
  say(text: string): void;
  /** The result of a command: the object with --json, otherwise the text. */
  result(object: Readonly<Record<string, unknown>>, text: string): void;
  /** Replaces the last line on a terminal; elsewhere prints a line when the text changed. */
  progress(text: string): void;
};

export function createTerminal(options: {
  readonly folder: string;
  readonly language: Language;
  readonly json: boolean;
  readonly secretFile: string | null;
}): Terminal {
  const isTerminal = process.stdout.isTTY === true && !options.json;
  let shown = '';
  let onLine = false;
  const endLine = () => {
    if (onLine) process.stdout.write('\n');
    onLine = false;
  };
  const say = (text: string) => {
    endLine();
    (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  };
  return {
    ...options,
    texts: CLI_TEXTS[options.language],
    say,
    result(object, text) {
      if (options.json) process.stdout.write(`${JSON.stringify(object)}\n`);
      else say(text);
    },
    progress(text) {
      if (text === shown) return;
      shown = text;
      if (!isTerminal) return say(text);
      process.stdout.write(`\r\u001b[2K${text.slice(0, Math.max(20, (process.stdout.columns ?? 80) - 1))}`);
      onLine = true;
    },
  };
}

/** The language asked for, or the system's: Chinese where the locale says so, English elsewhere. */
export function chooseLanguage(asked: string | undefined, env: NodeJS.ProcessEnv = process.env): Language {
  const wish = asked ?? env['LC_ALL'] ?? env['LC_MESSAGES'] ?? env['LANG'] ?? '';
  return /^zh/i.test(wish) ? 'zh-CN' : 'en';
}

/** A moment as a person reads it, in this machine's time zone. */
export function clockTime(atMs: number, language: Language): string {
  const sameDay = new Date(atMs).toDateString() === new Date().toDateString();
  const format = sameDay
    ? { timeStyle: 'medium' as const }
    : { dateStyle: 'short' as const, timeStyle: 'medium' as const };
  return new Intl.DateTimeFormat(language, format).format(atMs);
}
