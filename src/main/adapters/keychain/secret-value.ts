import type { SecretFailure, SecretName } from '../../engine/ports.ts';

const SECRET_MAX_CHARS = 65_536;

/** Why this text cannot be kept as a secret, or null. */
export function whyUnfit(value: string): SecretFailure | null {
  const unfit = (what: string): SecretFailure => ({
    kind: 'unavailable',
    text: `The secret cannot be stored: ${what}.`,
  });
  if (value === '') return unfit('it is empty');
  if (value.length > SECRET_MAX_CHARS) return unfit(`it is longer than ${SECRET_MAX_CHARS} characters`);
  // Keychains keep zero-terminated UTF-8: either would come back as another secret.
  if (value.includes('\0') || !value.isWellFormed()) return unfit('it holds a NUL character or half a character');
  return null;
}

const NOT_STORED: Record<SecretName, string> = {
  'agent-token': 'No agent token is stored here. Pair this agent with the cloud.',
  'mail-sign-in': 'Nobody has signed in to the mail account here. Sign in again.',
  'smtp-password': 'No password of the mail account is stored here. Enter the mail account.',
  'proxy-password': 'No password of the proxy is stored here. Enter it in the proxy settings.',
};

export const notStored = (name: SecretName): SecretFailure => ({ kind: 'missing', text: NOT_STORED[name] });
