import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import {
  type Bridge,
  EVENT_NAMES,
  type EventName,
  eventChannel,
  REQUEST_NAMES,
  type RequestName,
  requestChannel,
} from '../../shared/ipc/channels.ts';

const requests: readonly string[] = REQUEST_NAMES;
const events: readonly string[] = EVENT_NAMES;
const isRequest = (name: unknown): name is RequestName => typeof name === 'string' && requests.includes(name);
const isEvent = (name: unknown): name is EventName => typeof name === 'string' && events.includes(name);

/** The page's whole world beyond itself: two functions, for listed names only. */
const bridge: Bridge = {
  async request(name, argument) {
    if (!isRequest(name)) return { ok: false, error: { code: 'refused', text: 'There is no such request.' } };
    return ipcRenderer.invoke(requestChannel(name), argument);
  },
  on(name, listener) {
    if (!isEvent(name)) return () => undefined;
    // Without the event object: it would hand the page a way to send.
    const hear = (_event: IpcRendererEvent, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(eventChannel(name), hear);
    return () => {
      ipcRenderer.removeListener(eventChannel(name), hear);
    };
  },
};

contextBridge.exposeInMainWorld('agent', bridge);
