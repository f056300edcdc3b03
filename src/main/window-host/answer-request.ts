import type { IpcResult, RequestName, Requests } from '../../shared/ipc/channels.ts';
import { ARGUMENTS } from '../../shared/ipc/schemas.ts';
import type { DesktopTexts } from '../../shared/texts/desktop-texts.ts';
import type { Log } from '../engine/ports.ts';
import type { Handlers } from './handlers.ts';
import { isTrusted, type Sender } from './page-policy.ts';

/** From an unknown message to an answer: who asks, then what, then the handler. Never rejects. */
export async function answerRequest<N extends RequestName>(
  parts: { readonly handlers: Handlers; readonly log: Log; readonly texts: () => DesktopTexts },
  name: N,
  sender: Sender,
  argument: unknown,
): Promise<IpcResult<Requests[N]['out']>> {
  const { handlers, log, texts } = parts;
  if (!isTrusted(sender)) {
    log.warn('window.request.refused', { name });
    return { ok: false, error: { code: 'refused', text: texts().refused } };
  }
  const parsed = ARGUMENTS[name].safeParse(argument);
  if (!parsed.success) return { ok: false, error: { code: 'bad-arguments', text: texts().badArguments } };
  try {
    return await handlers[name](parsed.data);
  } catch (cause) {
    // A fault of ours must not take the window with it; the log names it without its words, which may hold content.
    log.error('window.request.fault', { name, fault: cause instanceof Error ? cause.name : 'unknown' });
    return { ok: false, error: { code: 'failed', text: texts().wrong } };
  }
}
