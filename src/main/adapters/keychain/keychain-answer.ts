import { KeychainAnswer, KeychainRequest } from './keychain-messages.ts';

const SERVICE = 'Mail Agent';
/** Words of libsecret, macOS and Windows for a keychain that wants a person first. */
const LOCKED = /locked|interaction is not allowed|cancel|dismissed|passphrase you entered/i;

type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

/** Does in the operating system's keychain what `message` asks. Runs in a process of its own: it may never return. */
export async function answerKeychain(message: unknown): Promise<KeychainAnswer> {
  const request = KeychainRequest.safeParse(message);
  if (!request.success)
    return { kind: 'unavailable', text: 'the keychain process was asked something it does not know' };
  let keytar: Keytar;
  try {
    keytar = (await import('keytar')).default;
  } catch {
    return { kind: 'unavailable', text: libraryMissing() };
  }
  try {
    return KeychainAnswer.parse({ kind: 'done', value: await perform(keytar, request.data) });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message.slice(0, 300) : 'unknown';
    return { kind: LOCKED.test(text) ? 'locked' : 'unavailable', text };
  }
}

async function perform(keytar: Keytar, request: KeychainRequest): Promise<string | null> {
  const { account } = request;
  switch (request.do) {
    case 'set':
      await keytar.setPassword(SERVICE, account, request.value);
      return null;
    case 'get': {
      const value = await keytar.getPassword(SERVICE, account);
      if (value === null) await proveUnlocked(keytar, account);
      return value;
    }
    case 'delete':
      if (!(await keytar.deletePassword(SERVICE, account))) await proveUnlocked(keytar, account);
      return null;
  }
}

/**
 * libsecret answers "no such entry" also for a locked keyring whose prompt nobody could see, and for none at all. Only
 * writing tells them apart; without it a locked keyring would look like an agent that was never paired.
 */
async function proveUnlocked(keytar: Keytar, account: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const probe = `${account}:unlocked`;
  await keytar.setPassword(SERVICE, probe, 'yes');
  await keytar.deletePassword(SERVICE, probe);
}

function libraryMissing(): string {
  return process.platform === 'linux'
    ? 'the library libsecret is missing (Debian and Ubuntu: apt install libsecret-1-0; Fedora: dnf install libsecret)'
    : 'the keychain library of this agent does not load; install the agent again';
}
