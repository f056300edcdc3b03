import type { Handlers } from '../../src/main/window-host/handlers.ts';
import { REQUEST_NAMES } from '../../src/shared/ipc/channels.ts';
import { DESKTOP_TEXTS } from '../../src/shared/texts/desktop-texts.ts';

export const OUR_WINDOW = { isOurWindow: true, isMainFrame: true, frameUrl: 'app://agent/' };

export type Called = { readonly name: string; readonly argument: unknown };

/** Handlers that do nothing but note what reached them. */
export function watchedHandlers() {
  const called: Called[] = [];
  const nothing = () => undefined;
  const entries = REQUEST_NAMES.map((name) => [
    name,
    (argument: unknown) => {
      called.push({ name, argument });
      return { ok: true, value: null };
    },
  ]);
  const handlers = Object.fromEntries(entries) as unknown as Handlers;
  const log = { info: nothing, warn: nothing, error: nothing };
  return { called, parts: { handlers, log, texts: () => DESKTOP_TEXTS.en } };
}
