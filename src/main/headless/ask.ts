import { CommandError, EXIT } from './exit-codes.ts';

/** A question that is broken off (Ctrl-C, no terminal) ends the command without storing anything. */
export async function ask<T>(question: () => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY) {
    throw new CommandError(
      EXIT.usage,
      'There is no terminal to ask on: give --address, --host, --port, --security and --password-stdin.',
    );
  }
  try {
    return await question();
  } catch (cause) {
    throw new CommandError(EXIT.usage, cause instanceof Error ? cause.message : String(cause));
  }
}

const PASSWORD_MAX_BYTES = 64 * 1024;

export async function passwordFromStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > PASSWORD_MAX_BYTES)
      throw new CommandError(EXIT.usage, 'The password on standard input is too long.');
  }
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new CommandError(EXIT.usage, 'There was no password on standard input.');
  return password;
}
