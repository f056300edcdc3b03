import type { Security } from '../../../shared/texts/window-texts/set-up-texts.ts';

/** What was typed and not yet saved, so that closing the window loses nothing. Never a password, never a code. */
export type Draft = {
  readonly cloudUrl: string;
  readonly address: string;
  readonly name: string;
  /** Empty: the mail address. */
  readonly userName: string;
  readonly host: string;
  readonly port: string;
  readonly security: Security;
  /** Empty where the folders are not read, or their server is the one found or stored. */
  readonly imapHost: string;
  /** Path of a certificate file; mostly empty. */
  readonly caFile: string;
  /** The mail address the server was filled in or saved for; empty where the person named the server. */
  readonly serverFor: string;
};

const EMPTY: Draft = {
  cloudUrl: '',
  address: '',
  name: '',
  userName: '',
  host: '',
  port: '465',
  security: 'tls',
  imapHost: '',
  caFile: '',
  serverFor: '',
};
const KEY = 'set-up-draft';

export function readDraft(storage: Pick<Storage, 'getItem'>): Draft {
  const kept = parse(storage.getItem(KEY));
  const text = (name: keyof Draft): string => {
    const value: unknown = Reflect.get(kept, name);
    return typeof value === 'string' ? value : EMPTY[name];
  };
  const security = text('security');
  return {
    cloudUrl: text('cloudUrl'),
    address: text('address'),
    name: text('name'),
    userName: text('userName'),
    host: text('host'),
    port: text('port'),
    security: security === 'starttls' || security === 'none' ? security : 'tls',
    imapHost: text('imapHost'),
    caFile: text('caFile'),
    serverFor: text('serverFor'),
  };
}

export const keepDraft = (storage: Pick<Storage, 'setItem'>, draft: Draft): void =>
  storage.setItem(KEY, JSON.stringify(draft));

export const dropDraft = (storage: Pick<Storage, 'removeItem'>): void => storage.removeItem(KEY);

function parse(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // JSON.parse's only way to say that the kept text is damaged; the fields then begin empty.
    return {};
  }
}
