import { WINDOW_ORIGIN } from '../../shared/ipc/content-policy.ts';
import { MAIL_PREVIEW_PREFIX } from '../../shared/ipc/mail-preview.ts';

/** Who sent a request, as far as Electron knows; `frameUrl` is null for a frame that is gone. */
export type Sender = {
  readonly isOurWindow: boolean;
  readonly isMainFrame: boolean;
  readonly frameUrl: string | null;
};

/** Only the main frame of our own window, and only while it shows our own page. */
export function isTrusted({ isOurWindow, isMainFrame, frameUrl }: Sender): boolean {
  return isOurWindow && isMainFrame && frameUrl !== null && isOurPage(frameUrl);
}

/** Compared as parsed parts: `app://agent.evil/` begins like ours and is not. */
export function isOurPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password, port } = new URL(url);
  return `${protocol}//${host}` === WINDOW_ORIGIN && username === '' && password === '' && port === '';
}

/** The mail whose preview a request means; null for anything else. */
export function previewedMail(method: string, url: string): string | null {
  if (method !== 'GET' || !isOurPage(url)) return null;
  const { pathname } = new URL(url);
  if (!pathname.startsWith(MAIL_PREVIEW_PREFIX)) return null;
  const id = pathname.slice(MAIL_PREVIEW_PREFIX.length);
  return /^[0-9A-Za-z-]{1,64}$/.test(id) ? id : null;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The file of the page that a request means, relative to the page's folder; null for anything that is not one. */
export function assetOf(method: string, url: string): { readonly file: string; readonly type: string } | null {
  if (method !== 'GET' || !isOurPage(url)) return null;
  const { pathname } = new URL(url);
  const file = pathname === '/' ? 'index.html' : pathname.slice(1);
  // Plain names only: no escapes, no way up, no hidden files.
  if (!/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(file)) return null;
  const type = TYPES[file.slice(file.lastIndexOf('.'))];
  return type === undefined ? null : { file, type };
}
