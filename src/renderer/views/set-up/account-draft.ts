import type { AccountInput, AccountView, ServerGuess } from '../../../shared/ipc/views.ts';
import type { Draft } from './draft.ts';

export type AccountField = 'address' | 'password' | 'host' | 'port';

/** The fields that cannot be sent as they are, in the order of the form. */
export function wrongFields(draft: Draft, password: 'kept' | 'typed' | 'missing'): readonly AccountField[] {
  const wrong: AccountField[] = [];
  if (!isAddress(draft.address)) wrong.push('address');
  if (password === 'missing') wrong.push('password');
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(draft.host.trim())) wrong.push('host');
  if (readPort(draft.port) === null) wrong.push('port');
  return wrong;
}

/** Enough to ask for the server; the mail server itself judges the rest. */
export const isAddress = (text: string): boolean => /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]+$/.test(text.trim());

export function readPort(text: string): number | null {
  const port = Number(text.trim());
  return /^\d{1,5}$/.test(text.trim()) && port >= 1 && port <= 65_535 ? port : null;
}

/** `guess` counts for what the form does not show only while the server is the one it named. */
export function accountInput(
  draft: Draft,
  given: Pick<AccountInput, 'login' | 'password' | 'signIn' | 'testMail'> & { readonly guess: ServerGuess },
): AccountInput {
  const { login, password, signIn, testMail } = given;
  const address = draft.address.trim();
  const name = draft.name.trim();
  const userName = draft.userName.trim();
  const guess = given.guess?.smtp.host === draft.host.trim() ? given.guess : null;
  return {
    address,
    name: name === '' ? null : name,
    userName: userName === '' ? (guess?.userName ?? address) : userName,
    login,
    password: login === 'password' ? password : '',
    signIn,
    imap: guess?.imap ?? null,
    testMail,
    smtp: { host: draft.host.trim(), port: readPort(draft.port) ?? 465, security: draft.security, caFile: null },
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
    serverFor: address,
  };
}

/** The server of another address goes with it; a server that the person named stays. */
export function withGuess(draft: Draft, address: string, guess: ServerGuess): Draft {
  const isNamed = draft.host !== '' && draft.serverFor === '';
  if (isNamed || draft.serverFor === address) return draft;
  if (guess === null || guess.question !== null)
    return { ...draft, host: '', port: '465', security: 'tls', serverFor: '' };
  return takeServer(draft, address, guess);
}

/** The server as it was found, also one that the person had to say yes to. */
export function takeServer(draft: Draft, address: string, guess: NonNullable<ServerGuess>): Draft {
  const { host, port, security } = guess.smtp;
  return { ...draft, host, port: String(port), security, serverFor: address };
}
