import type { AccountInput, AccountView, ServerGuess } from '../../../shared/ipc/views.ts';
import type { MailLogin, SignInProvider } from '../../../shared/sign-in-providers.ts';
import type { Draft } from './draft.ts';

export type AccountField = 'address' | 'password' | 'host' | 'port' | 'imap';

const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;

/** The fields that cannot be sent as they are, in the order of the form. */
export function wrongFields(draft: Draft, password: 'kept' | 'typed' | 'missing'): readonly AccountField[] {
  const wrong: AccountField[] = [];
  if (!isAddress(draft.address)) wrong.push('address');
  if (password === 'missing') wrong.push('password');
  if (!HOST.test(draft.host.trim())) wrong.push('host');
  if (readPort(draft.port) === null) wrong.push('port');
  if (draft.imapHost.trim() !== '' && !HOST.test(draft.imapHost.trim())) wrong.push('imap');
  return wrong;
}

/** Enough to ask for the server; the mail server itself judges the rest. */
export const isAddress = (text: string): boolean => /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]+$/.test(text.trim());

export function readPort(text: string): number | null {
  const port = Number(text.trim());
  return /^\d{1,5}$/.test(text.trim()) && port >= 1 && port <= 65_535 ? port : null;
}

/** Where mailboxes are read all over the world. Source: RFC 8314 3.2. */
const IMAP_DOOR = { port: 993, security: 'tls', userName: null } as const;

/** `guess` counts for what the form does not show only while the server is the one it named. */
export function accountInput(
  draft: Draft,
  given: Pick<AccountInput, 'login' | 'password' | 'signIn' | 'testMail'> & { readonly guess: ServerGuess },
): AccountInput {
  const { login, password, signIn, testMail } = given;
  const address = draft.address.trim();
  const name = draft.name.trim();
  const userName = draft.userName.trim();
  const imapHost = draft.imapHost.trim();
  const guess = given.guess?.smtp.host === draft.host.trim() ? given.guess : null;
  const imap = imapHost === '' ? (guess?.imap ?? null) : { ...IMAP_DOOR, host: imapHost };
  const caFile = draft.caFile.trim() === '' ? null : draft.caFile.trim();
  return {
    address,
    name: name === '' ? null : name,
    userName: userName === '' ? (guess?.userName ?? address) : userName,
    login,
    password: login === 'password' ? password : '',
    signIn,
    imap: imap === null ? null : { ...imap, caFile },
    testMail,
    smtp: { host: draft.host.trim(), port: readPort(draft.port) ?? 465, security: draft.security, caFile },
  };
}

export function draftOf(account: AccountView, draft: Draft): Draft {
  const { address, name, userName, smtp } = account;
  return {
    ...draft,
    address,
    name: name ?? '',
    userName: userName === address ? '' : userName,
    host: smtp.host,
    port: String(smtp.port),
    security: smtp.security,
    imapHost: '',
    caFile: smtp.caFile ?? '',
    serverFor: address,
  };
}

/** The server of another address goes with it; a server that the person named stays. */
export function withGuess(draft: Draft, address: string, guess: ServerGuess): Draft {
  const isNamed = draft.host !== '' && draft.serverFor === '';
  if (isNamed || draft.serverFor === address) return draft;
  if (guess === null || guess.question !== null)
    return { ...draft, host: '', port: '465', security: 'tls', imapHost: '', serverFor: '' };
  return takeServer(draft, address, guess);
}

/** The server as it was found, also one that the person had to say yes to. */
export function takeServer(draft: Draft, address: string, guess: NonNullable<ServerGuess>): Draft {
  const { host, port, security } = guess.smtp;
  return { ...draft, host, port: String(port), security, imapHost: '', serverFor: address };
}

/** How this account may log in, and how it will as the person chose; `signIn` null means by password. */
export function waysIn(parts: {
  readonly kept: Pick<AccountView, 'address' | 'login'> | null;
  readonly guess: ServerGuess;
  readonly way: 'sign-in' | 'password';
  readonly address: string;
}): {
  readonly offered: SignInProvider | null;
  readonly signIn: SignInProvider | null;
  readonly login: MailLogin;
  readonly takesPassword: boolean;
  /** Its secret is in the keychain already. */
  readonly isKept: boolean;
} {
  const { kept, guess, way, address } = parts;
  const keptLogin = kept !== null && kept.address === address ? kept.login : null;
  const offered = guess?.signIn ?? (keptLogin === 'password' ? null : keptLogin);
  const takesPassword = guess?.takesPassword ?? true;
  const signIn = offered !== null && (way === 'sign-in' || !takesPassword) ? offered : null;
  const login = signIn ?? 'password';
  return { offered, signIn, login, takesPassword, isKept: keptLogin === login };
}
