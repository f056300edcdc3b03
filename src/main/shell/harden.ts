import { app, type Session, type WebContents } from 'electron';
import { isOurPage, previewedMail } from '../window-host/page-policy.ts';

/** Nothing of the web is wanted in this app: no permission, no network, no other page, no further window. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOurPage(url) && !isInline(url) }));
}

/** Applies to every page there ever is, whoever makes it. */
export function hardenContents(): void {
  app.on('web-contents-created', (_event, contents) => harden(contents));
}

function harden(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    // A mail's preview is the only frame there is.
    if (event.isMainFrame || previewedMail('GET', event.url) === null) event.preventDefault();
  });
}

const isInline = (url: string): boolean => url.startsWith('data:') || url.startsWith('devtools:');
