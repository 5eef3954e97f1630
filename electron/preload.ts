/** Exposes `window.bridge` to the page: calls, events of the contract, and the paths of dropped files. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CALL_CHANNEL, EVENTS } from './contract/channels';
import type { Bridge } from './contract/contract';

const eventNames: ReadonlySet<string> = new Set(EVENTS);

const bridge: Bridge = Object.freeze<Bridge>({
  // Main checks the name and the arguments of the call.
  invoke: (call, args) => ipcRenderer.invoke(CALL_CHANNEL, call, args),
  pathOf: (file) => webUtils.getPathForFile(file),
  on(event, listener) {
    if (!eventNames.has(event)) throw new Error(`There is no event named ${event}.`);
    // The page gets only the payload: Electron's event has a sender, which gives access to ipcRenderer.
    const relay = (_event: unknown, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(event, relay);
    return () => {
      ipcRenderer.off(event, relay);
    };
  },
});

contextBridge.exposeInMainWorld('bridge', bridge);
