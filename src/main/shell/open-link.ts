import { shell } from 'electron';
import { isWebAddress } from '../window-host/web-address.ts';

/** Opens an address in the person's browser. Rejects another scheme than https: it could start any program. */
export async function openLink(url: string): Promise<void> {
  if (!isWebAddress(url)) throw new Error('only an address of https is opened');
  await shell.openExternal(url);
}
