import { password as askPassword } from '@inquirer/prompts';
import { ProxyChoice } from '../../shared/settings.ts';
import { PROXY_TEXTS } from '../../shared/texts/proxy-texts.ts';
import { environmentRoutes } from '../adapters/tunnel/environment-routes.ts';
import { saveProxy } from '../save-proxy.ts';
import { checkAs } from '../set-up.ts';
import { ask, passwordFromStdin } from './ask.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, setUpOf } from './open.ts';
import type { Terminal } from './terminal.ts';

export type ProxyOptions = {
  readonly host?: string;
  readonly port?: string;
  readonly url?: string;
  readonly userName?: string;
  readonly mail?: string;
  readonly passwordStdin?: true;
};

/** `proxy [KIND]`: shows the way out, or tries another one and stores it where it works. */
export async function proxyCommand(terminal: Terminal, kind: string | undefined, options: ProxyOptions): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const setUp = setUpOf(ledger);
    if (kind === undefined) return show(terminal, setUp.proxy);
    const proxy = readChoice(kind, options);
    const secrets = openSecrets(terminal);
    const { language } = terminal;
    const resolveRoutes = environmentRoutes(process.env);
    const password = await passwordFor(proxy, options);
    const tried = await saveProxy({ setUp, secrets, resolveRoutes, language }, { proxy, password });
    if (!tried.ok) {
      const { text, quote } = tried.error;
      throw new CommandError(EXIT.proxy, quote === null ? text : `${text}\n> ${quote}`);
    }
    const written = ledger.commit(tried.value.changes);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    const texts = PROXY_TEXTS[language];
    terminal.result({ stored: true, proxy }, texts.stored(texts.kind[proxy.kind], tried.value.tried));
  } finally {
    ledger.close();
  }
}

function show(terminal: Terminal, proxy: ProxyChoice): void {
  const texts = PROXY_TEXTS[terminal.language];
  const place = proxy.kind === 'pac' ? proxy.url : 'host' in proxy ? `${proxy.host}:${proxy.port}` : null;
  const mail = proxy.kind === 'none' ? null : texts.mail[proxy.mail];
  terminal.result({ proxy }, texts.now(texts.kind[proxy.kind], place, mail));
}

function readChoice(kind: string, { host, port, url, userName, mail }: ProxyOptions): ProxyChoice {
  const given = { host, port: port === undefined ? undefined : Number(port), url, userName, mail };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const checked = checkAs('proxy', ProxyChoice, { kind, ...named });
  if (!checked.ok) throw new CommandError(EXIT.usage, checked.error);
  return checked.value;
}

/** Empty where none is needed, or where the stored one is to be used again: that cannot be asked for by typing nothing. */
async function passwordFor(proxy: ProxyChoice, options: ProxyOptions): Promise<string> {
  if (proxy.kind === 'none' || proxy.userName === null) return '';
  if (options.passwordStdin) return passwordFromStdin();
  if (!process.stdin.isTTY) return '';
  return ask(() => askPassword({ message: proxy.userName ?? '' }));
}
