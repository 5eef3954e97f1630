/** The bridge: calls and events on `window.bridge`, for the names of the contract only, and where a dropped file lies. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CALLS, EVENTS } from './contract/channels';
import type { Bridge } from './contract/contract';

const callNames: ReadonlySet<string> = new Set(CALLS);
const eventNames: ReadonlySet<string> = new Set(EVENTS);

const bridge: Bridge = Object.freeze<Bridge>({
  async invoke(call, args) {
    if (callNames.has(call)) return ipcRenderer.invoke(call, args);
    return { ok: false, code: 'bad_arguments', message: `There is no call named ${call}.` };
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  on(event, listener) {
    if (!eventNames.has(event)) throw new Error(`There is no event named ${event}.`);
    // The page gets the payload alone: Electron's event would carry its sender, and with it ipcRenderer.
    const relay = (_event: unknown, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(event, relay);
    return () => {
      ipcRenderer.off(event, relay);
    };
  },
});

contextBridge.exposeInMainWorld('bridge', bridge);
