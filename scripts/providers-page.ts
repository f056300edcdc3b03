import type { Endpoint, Provider, SecretKind } from '../src/shared/providers/provider.ts';
import { PROVIDERS } from '../src/shared/providers/providers.ts';

const SECRETS: Record<SecretKind, string> = {
  password: 'mailbox password',
  'authorisation-code': 'authorisation code (授权码)',
  'app-password': 'app password (应用专用密码)',
  'client-password': 'client password (客户端专用密码)',
  'bridge-password': 'password shown by Bridge',
};
const ACCOUNT_PASSWORD: Record<Provider['accountPassword'], string> = {
  works: 'works',
  refused: '**refused**',
  ending: 'until the provider ends it',
  depends: 'depends on settings',
  unknown: 'not known',
};
const SENT_COPY: Record<Provider['sentCopy'], string> = {
  auto: 'yes',
  'likely-auto': 'probably',
  setting: 'by a setting',
  'likely-none': 'probably not',
  none: 'no',
  unknown: 'not known',
};
const FROM: Record<Provider['from'], string> = {
  'login-only': 'the login’s address only',
  'own-addresses': 'addresses of the account',
  rewritten: 'others are rewritten',
  unknown: 'not known',
};
const DOMAINS_SHOWN = 6;
const BYTES_PER_MB = 1024 * 1024;

const names = ({ name }: Provider): string => (name.en === name['zh-CN'] ? name.en : `${name.en} (${name['zh-CN']})`);
const place = ({ host, port, security }: Endpoint): string =>
  `\`${host}:${port}\` ${security === 'tls' ? 'TLS' : 'STARTTLS'}`;

function login({ secrets, browserSignIn }: Provider): string {
  const ways = secrets.map((kind) => SECRETS[kind]);
  if (browserSignIn !== null) ways.push(secrets.length === 0 ? '**sign-in with the browser only**' : 'browser sign-in');
  return ways.join(', ');
}

function limits({ limits: { mailsPerMinute, mailsPerHour, mailsPerDay, recipientsPerDay, note } }: Provider): string {
  const count = (number: number | null, what: string): string[] =>
    number === null ? [] : [`${number.toLocaleString('en')} ${what}`];
  const counted = [
    ...count(mailsPerMinute, 'mails a minute'),
    ...count(mailsPerHour, 'mails an hour'),
    ...count(mailsPerDay, 'mails a day'),
    ...count(recipientsPerDay, 'recipients a day'),
  ].join(', ');
  return [counted, note?.en ?? ''].filter((part) => part !== '').join('. ') || 'not known';
}

function domains({ sites }: Provider): string {
  const all = sites.flatMap((site) => site.domains);
  const shown = all.slice(0, DOMAINS_SHOWN).join(', ');
  const more = all.length > DOMAINS_SHOWN ? ` and ${all.length - DOMAINS_SHOWN} more` : '';
  return all.length === 0 ? 'your company’s own domain' : `${shown}${more}`;
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function section(provider: Provider): readonly string[] {
  const { sites, mailMaxBytes, notes, page, steps, from, confidence } = provider;
  const smtp = [...new Map(sites.flatMap((site) => site.smtp).map((one) => [place(one), one])).values()];
  const imap = [...new Set(sites.flatMap((site) => (site.imap === null ? [] : [place(site.imap)])))];
  return [
    `### ${names(provider)}`,
    '',
    `${steps.en}${page === null ? '' : ` <${page}>`}`,
    '',
    `- Addresses: ${domains(provider)}`,
    `- Sending: ${smtp.map((one) => `${place(one)}${one.when === null ? '' : ` (${one.when.en})`}`).join('; ')}`,
    ...(imap.length === 0 ? [] : [`- Folders: ${imap.join('; ')}`]),
    `- From address: ${FROM[from]}`,
    ...(mailMaxBytes === null ? [] : [`- Largest mail: ${Math.floor(mailMaxBytes / BYTES_PER_MB)} MB`]),
    ...notes.map((note) => `- ${note.en}`),
    `- Confidence in these facts: ${confidence}`,
    '',
  ];
}

/** The page docs/PROVIDERS.md: made from the presets, so that it cannot drift from what the program does. */
export function providersPage(): string {
  return `${[
    '# Mail providers',
    '',
    '<!-- Made by `npm run generate` from src/shared/providers; change those. -->',
    '',
    'What each mail provider wants from a mail program, and what it allows. Set-up finds the provider from your address and',
    'shows these hints in your language. Many Chinese providers want an authorisation code (授权码) or a client password',
    '(客户端专用密码) in place of the password you log in with; you make it in the settings of your mailbox on the web.',
    '“Browser sign-in” (OAuth) is what the provider offers. A limit that is not published is not made up here.',
    '',
    row('Provider', 'Log in with', 'Your login password', 'Limits', 'Keeps a copy in Sent'),
    row('---', '---', '---', '---', '---'),
    ...PROVIDERS.map((provider) =>
      row(
        names(provider),
        login(provider),
        ACCOUNT_PASSWORD[provider.accountPassword],
        limits(provider),
        SENT_COPY[provider.sentCopy],
      ),
    ),
    '',
    '## Step by step',
    '',
    ...PROVIDERS.flatMap(section),
  ]
    .join('\n')
    .trimEnd()}\n`;
}
