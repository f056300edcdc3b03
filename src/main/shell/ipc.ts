import { ipcMain, type WebContents } from 'electron';
import { REQUEST_NAMES, requestChannel } from '../../shared/ipc/channels.ts';
import type { DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { Log } from '../engine/ports.ts';
import { answerRequest } from '../window-host/answer-request.ts';
import type { Handlers } from '../window-host/handlers.ts';

/** Registers every request of the window, each under its own name. */
export function serveRequests(parts: {
  readonly handlers: Handlers;
  readonly log: Log;
  readonly texts: () => DesktopTexts;
  readonly isOurs: (contents: WebContents) => boolean;
}): void {
  for (const name of REQUEST_NAMES) {
    ipcMain.handle(requestChannel(name), ({ sender, senderFrame }, argument: unknown) => {
      const from = {
        isOurWindow: parts.isOurs(sender),
        isMainFrame: senderFrame !== null && senderFrame === sender.mainFrame,
        frameUrl: senderFrame?.url ?? null,
      };
      return answerRequest(parts, name, from, argument);
    });
  }
}
