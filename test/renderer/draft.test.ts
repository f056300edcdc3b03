import { describe, expect, it } from 'vitest';
import {
  accountInput,
  draftOf,
  takeServer,
  withGuess,
  wrongFields,
} from '../../src/renderer/views/set-up/account-draft.ts';
import { type Draft, dropDraft, keepDraft, readDraft } from '../../src/renderer/views/set-up/draft.ts';

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const EMPTY = readDraft(storage());
const GUESS = {
  smtp: { host: 'smtp.qq.com', port: 465, security: 'tls', caFile: null },
  imap: { host: 'imap.qq.com', port: 993, security: 'tls', caFile: null, userName: null },
  userName: 'a@qq.com',
  source: 'known',
  secretKind: 'authorisation-code',
  signIn: null,
  takesPassword: true,
  advice: [],
  page: null,
  question: null,
} as const;

describe('the draft of set-up', () => {
  it('comes back as it was kept', () => {
    const place = storage();
    const draft: Draft = { ...EMPTY, address: 'a@example.com', host: 'smtp.example.com', security: 'starttls' };

    keepDraft(place, draft);

    expect(readDraft(place)).toEqual(draft);
  });

  it('begins empty after it was dropped', () => {
    const place = storage();
    keepDraft(place, { ...EMPTY, address: 'a@example.com' });

    dropDraft(place);

    expect(readDraft(place)).toEqual(EMPTY);
  });

  it.each(['{', 'null', '[]', '7', '{"address":7,"security":"none of these"}'])('begins empty over %s', (text) => {
    expect(readDraft({ getItem: () => text })).toEqual(EMPTY);
  });
});

describe('withGuess', () => {
  it('fills in the server of the address', () => {
    expect(withGuess(EMPTY, 'a@qq.com', GUESS)).toMatchObject({
      host: 'smtp.qq.com',
      port: '465',
      serverFor: 'a@qq.com',
    });
  });

  it('fills in nothing that the person has to say yes to, until they do', () => {
    const unsure = { ...GUESS, question: 'Is it yours?' };

    expect(withGuess(EMPTY, 'a@qq.com', unsure).host).toBe('');
    expect(takeServer(EMPTY, 'a@qq.com', unsure)).toMatchObject({ host: 'smtp.qq.com', serverFor: 'a@qq.com' });
  });

  it('leaves a server that the person named', () => {
    const named = { ...EMPTY, host: 'smtp.office.example', serverFor: '' };

    expect(withGuess(named, 'a@qq.com', GUESS)).toBe(named);
  });

  it('takes the server of another address away where the new one is not known', () => {
    const filled = withGuess(EMPTY, 'a@qq.com', GUESS);

    expect(withGuess(filled, 'a@office.example', null).host).toBe('');
  });

  it('leaves the server that was saved for the address', () => {
    const saved = draftOf(
      {
        address: 'a@qq.com',
        name: null,
        userName: 'a@qq.com',
        smtp: { host: 'relay.example', port: 587, security: 'starttls', caFile: null },
        login: 'password',
        hasSecret: true,
      },
      EMPTY,
    );

    expect(withGuess(saved, 'a@qq.com', GUESS)).toBe(saved);
  });
});

describe('the account as it is sent', () => {
  it('logs in with the address where no user name was given', () => {
    const draft = { ...EMPTY, address: ' a@example.com ', host: 'smtp.example.com', port: '587' };

    expect(
      accountInput(draft, { password: 'secret', guess: null, testMail: 'none', login: 'password', signIn: 'kept' }),
    ).toMatchObject({
      address: 'a@example.com',
      name: null,
      userName: 'a@example.com',
      smtp: { host: 'smtp.example.com', port: 587 },
    });
  });

  it('takes user name and folders from what was found, while the server is that one', () => {
    const found = takeServer({ ...EMPTY, address: 'a@qq.com' }, 'a@qq.com', GUESS);
    const given = {
      password: 'secret',
      guess: { ...GUESS, userName: 'a' },
      testMail: 'send',
      login: 'password',
      signIn: 'kept',
    } as const;

    expect(accountInput(found, given)).toMatchObject({
      userName: 'a',
      imap: { host: 'imap.qq.com' },
      testMail: 'send',
    });
    expect(accountInput({ ...found, host: 'relay.example' }, given)).toMatchObject({
      userName: 'a@qq.com',
      imap: null,
    });
    expect(accountInput({ ...found, userName: 'b' }, given)).toMatchObject({ userName: 'b' });
  });

  it('reads the folders at the server that the person named, and trusts the file they named at both', () => {
    const named = { ...EMPTY, address: 'a@example.com', host: 'smtp.example.com', caFile: ' C:\\office.pem ' };
    const login = { login: 'password', signIn: 'kept' } as const;
    const given = { ...login, password: 'secret', guess: null, testMail: 'none' } as const;

    expect(accountInput({ ...named, imapHost: ' imap.example.com ' }, given)).toMatchObject({
      smtp: { host: 'smtp.example.com', caFile: 'C:\\office.pem' },
      imap: { host: 'imap.example.com', port: 993, security: 'tls', caFile: 'C:\\office.pem', userName: null },
    });
    expect(accountInput(named, given).imap).toBeNull();
  });

  it('keeps the certificate file of a stored account', () => {
    const smtp = { host: 'relay.example', port: 587, security: 'starttls', caFile: '/office.pem' } as const;
    const draft = draftOf(
      { address: 'a@qq.com', name: null, userName: 'a@qq.com', smtp, login: 'password', hasSecret: true },
      EMPTY,
    );

    expect(
      accountInput(draft, { login: 'password', signIn: 'kept', password: '', guess: null, testMail: 'none' }).smtp,
    ).toEqual(smtp);
  });

  it('leaves no server for reading behind that belonged to another address', () => {
    const named = { ...EMPTY, host: 'smtp.qq.com', imapHost: 'imap.example.com', serverFor: 'a@qq.com' };

    expect(withGuess(named, 'a@office.example', null).imapHost).toBe('');
    expect(withGuess(named, 'b@qq.com', GUESS).imapHost).toBe('');
  });

  it.each([
    [{}, 'missing', ['address', 'password', 'host']],
    [{ address: 'a@example.com', host: 'smtp.example.com' }, 'kept', []],
    [{ address: 'a@example.com,b@example.com', host: 'smtp.example.com' }, 'typed', ['address']],
    [{ address: 'a@example.com', host: 'smtp example', port: '70000' }, 'typed', ['host', 'port']],
    [{ address: 'a@example.com', host: 'smtp.example.com', imapHost: 'imap example' }, 'typed', ['imap']],
  ] as const)('finds what is wrong with %j and a password that is %s', (part, password, wrong) => {
    expect(wrongFields({ ...EMPTY, ...part }, password)).toEqual(wrong);
  });
});
