import { isLoopbackHost } from '../../shared/loopback.ts';

/** True for an address of https without a login in it: all that is ever handed to the person's browser, but for one case. */
export const isWebAddress = (text: string): boolean => hasScheme(text, 'https:');

/** The case: a sign-in of one's own may also stand on this very machine, by plain http, where nobody listens in. */
export const isSignInAddress = (text: string): boolean =>
  isWebAddress(text) || (hasScheme(text, 'http:') && isLoopbackHost(new URL(text).hostname.replace(/^\[|\]$/g, '')));

function hasScheme(text: string, scheme: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === scheme && username === '' && password === '';
}
