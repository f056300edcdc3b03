import path from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import { MAIL_ROUTES, PROXY_KINDS } from '../../shared/settings.ts';
import { SIGN_IN_PROVIDERS } from '../../shared/sign-in-providers.ts';
import { LANGUAGES } from '../../shared/texts/language.ts';
import type { AccountOptions } from './account-form.ts';
import {
  exportLogCommand,
  liftCommand,
  pauseCommand,
  resolveCommand,
  resumeCommand,
  setCommand,
  statusCommand,
  tryNowCommand,
} from './control-commands.ts';
import { defaultDataFolder } from './data-folder.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { pairCommand } from './pair-command.ts';
import { type ProxyOptions, proxyCommand } from './proxy-command.ts';
import { runCommand } from './run-command.ts';
import { chooseLanguage, createTerminal, type Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

type Shared = { readonly data: string; readonly json?: true; readonly lang?: string; readonly secretFile?: string };

const program = new Command('agent')
  .description("Sends this user's queued mails through their own mail account, each at most once.")
  .version(VERSION)
  .addOption(new Option('--data <dir>', 'data folder').default(defaultDataFolder(), "the system's usual place"))
  .option('--json', 'print results as JSON, one object a line; messages go to standard error')
  .addOption(new Option('--lang <language>', 'language of messages').choices(LANGUAGES))
  .option(
    '--secret-file <file>',
    'for a machine without a keyring: keep password and token IN PLAIN TEXT in this file, readable by its owner alone',
  )
  .exitOverride()
  .configureHelp({ showGlobalOptions: true });

const terminal = (): Terminal => {
  const { data, json, lang, secretFile } = program.opts<Shared>();
  return createTerminal({
    folder: path.resolve(data),
    language: chooseLanguage(lang),
    json: json === true,
    secretFile: secretFile ?? null,
  });
};

program
  .command('pair <url> <code>')
  .description('connect this data folder with the cloud; the code comes from your office')
  .option('--name <name>', 'how the office sees this agent; the host name by default')
  .action((url: string, code: string, options: { name?: string }) => pairCommand(terminal(), url, code, options.name));

program
  .command('account')
  .description('enter the mail account: finds the server from the address, checks it live, then stores it')
  .option('--address <address>', 'mail address')
  .option('--name <name>', 'name shown to recipients')
  .option('--user-name <name>', 'login at the mail server; the address by default')
  .option('--host <host>', 'outgoing mail server; found from the address by default')
  .option('--port <port>', 'its port')
  .option('--security <kind>', 'tls, starttls, or none (this machine only)')
  .option('--imap-host <host>', 'server of the account’s folders, where the one found is not right')
  .option('--imap-port <port>', 'its port: 993 (TLS) by default, 143 for STARTTLS')
  .option('--dns-server <address...>', 'look names up here, e.g. at your office’s own DNS server')
  .option('--take-found', 'take a server outside of the address’s domain without asking')
  .option('--test-mail', 'send one test mail to yourself and look for it in your folders')
  .option('--ca-file <file>', 'PEM file of an authority that this account trusts beside the usual ones')
  .option('--alias <address...>', 'further From addresses of this account')
  .addOption(
    new Option('--sign-in <provider>', 'sign in with the browser in place of a password').choices(SIGN_IN_PROVIDERS),
  )
  .option('--password-stdin', 'read the password from standard input')
  .action(async (options: AccountOptions) => {
    // Only this command finds and checks servers; the others start sooner without its parts.
    const { accountCommand } = await import('./account-command.ts');
    return accountCommand(terminal(), options);
  });

program
  .command('proxy')
  .description('show the way to cloud and mail servers, or try another one and store it')
  .addArgument(
    new Argument('[kind]', 'the way; system is HTTPS_PROXY and NO_PROXY here, pac needs the desktop app').choices(
      PROXY_KINDS,
    ),
  )
  .option('--host <host>', 'the proxy')
  .option('--port <port>', 'its port')
  .option('--url <url>', 'where the script of kind pac is')
  .option('--user-name <name>', 'login at the proxy')
  .option('--password-stdin', 'read its password from standard input')
  .addOption(new Option('--mail <route>', 'whether mails go through it too').choices(MAIL_ROUTES))
  .action((kind: string | undefined, options: ProxyOptions) => proxyCommand(terminal(), kind, options));

program
  .command('run')
  .description('send until Ctrl-C; the first one finishes the mail under way')
  .action(() => runCommand(terminal()));

program
  .command('status')
  .description('how far it is, what it waits for, and which mails need a person')
  .action(() => statusCommand(terminal()));

program
  .command('pause')
  .description('start no new mail')
  .option('--minutes <minutes>', 'for so many minutes; until "resume" by default')
  .action((options: { minutes?: string }) => pauseCommand(terminal(), untilOf(options.minutes)));

program
  .command('resume')
  .description('end every pause and try again at once')
  .action(() => resumeCommand(terminal()));

program
  .command('try-now')
  .description('try the mail account at once, whatever it waits for; a pause that somebody chose stays')
  .action(() => tryNowCommand(terminal()));

program
  .command('resolve <id> <outcome>')
  .description('say what became of an uncertain mail: sent or not-sent')
  .action((id: string, outcome: string) => resolveCommand(terminal(), id, outcomeOf(outcome)));

program
  .command('lift <address>')
  .description('let mails begin again to an address from which an earlier one came back')
  .action((address: string) => liftCommand(terminal(), address));

program
  .command('set <key> <json>')
  .description('store a setting: pace, e.g. \'{"perHour":30}\', or signIn, e.g. \'{"google":{"clientId":"..."}}\'')
  .action((key: string, json: string) => setCommand(terminal(), key, json));

program
  .command('export-log')
  .description('save a log for support (no addresses, no content)')
  .argument('[file]', 'where to', 'mail-agent-log.jsonl')
  .action((file: string) => exportLogCommand(terminal(), path.resolve(file)));

function untilOf(minutes: string | undefined): number | null {
  if (minutes === undefined) return null;
  const count = Number(minutes);
  if (!Number.isFinite(count) || count <= 0 || count > 525_600) {
    throw new CommandError(EXIT.usage, `--minutes ${minutes}: allowed is a number from 1 to 525600.`);
  }
  return Date.now() + count * 60_000;
}

function outcomeOf(text: string): 'sent' | 'not-sent' {
  if (text === 'sent' || text === 'not-sent') return text;
  throw new CommandError(EXIT.usage, `outcome ${text}: allowed is sent or not-sent.`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  } else if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT.fault;
  }
}
