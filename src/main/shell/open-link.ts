import { shell } from 'electron';
import { isWebAddress } from '../window-host/web-address.ts';

/** Opens an address in the person's browser. Another scheme could start any program, so nothing comes of it. */
export async function openLink(url: string): Promise<void> {
  if (isWebAddress(url)) await shell.openExternal(url);
}
