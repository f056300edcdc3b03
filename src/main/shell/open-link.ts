import { shell } from 'electron';
import { isSignInAddress, isWebAddress } from '../window-host/web-address.ts';

/** Opens an address in the person's browser. Rejects another scheme than https: it could start any program. */
export async function openLink(url: string): Promise<void> {
  if (!isWebAddress(url)) throw new Error('only an address of https is opened');
  await shell.openExternal(url);
}

/** The same for the page of a sign-in, which may stand on this very machine without https. */
export async function openSignIn(url: string): Promise<void> {
  if (!isSignInAddress(url)) throw new Error('only an address of https or of this machine is opened');
  await shell.openExternal(url);
}
