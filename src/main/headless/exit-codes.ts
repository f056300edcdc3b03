/** Exit codes of the command line, documented in the README; a script may rely on them. */
export const EXIT = {
  done: 0,
  /** A fault of the agent's own; the log says more. */
  fault: 1,
  /** A command, option or setting that is not right; the message names it. */
  usage: 2,
  /** `pair` or `account` was not run yet in this data folder. */
  notSetUp: 3,
  /** Another agent works on this data folder. */
  inUse: 4,
  /** The ledger cannot be used: from a newer version, foreign, unreadable or on a network drive. */
  ledger: 5,
  /** The cloud could not be reached or refused. */
  cloud: 6,
  /** The mail server could not be reached or refused the login. */
  account: 7,
  /** The keychain or secret file cannot be used. */
  secrets: 8,
  /** No such mail, or it is not uncertain. */
  noSuchMail: 9,
  /** The proxy could not be reached, refused the login, or leads nowhere. */
  proxy: 10,
  /** Ctrl-C twice: ended without waiting for the mail under way. */
  abandoned: 130,
} as const;

/** Ends a command with a message for a person and an exit code for a script. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
