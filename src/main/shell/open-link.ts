import { shell } from 'electron';
import { isSignInAddress, isWebAddress } from '../window-host/web-address.ts';

/** Opens an address in the person's browser. Rejects another scheme than https: it could start any program. */
export const openLink = (url: string): Promise<void> => openWhere(url, isWebAddress);

/** The same for the page of a sign-in, which may stand on this very machine without https. */
export const openSignIn = (url: string): Promise<void> => openWhere(url, isSignInAddress);

async function openWhere(url: string, isAllowed: (url: string) => boolean): Promise<void> {
  if (!isAllowed(url)) throw new Error('only an address of https is opened');
  await shell.openExternal(url);
}
