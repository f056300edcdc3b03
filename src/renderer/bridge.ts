import type { Bridge, EventName, Events, IpcResult, RequestName, Requests } from '../shared/ipc/channels.ts';

declare global {
  interface Window {
    /** Put there by preload: the page's only way out. */
    readonly agent: Bridge;
  }
}

export const request = <N extends RequestName>(
  name: N,
  argument: Requests[N]['in'],
): Promise<IpcResult<Requests[N]['out']>> => window.agent.request(name, argument);

export const listen = <N extends EventName>(name: N, listener: (payload: Events[N]) => void): (() => void) =>
  window.agent.on(name, listener);
