/** Whether anything shows a tray icon. Only Linux desktops may have nothing that does. */
import { askSessionBus } from './session-bus';

const WATCHER = 'org.kde.StatusNotifierWatcher';

/**
 * True when a tray icon is seen. Electron makes a Tray on any desktop and never says whether one shows it, so on
 * Linux the session bus is asked for the StatusNotifier watcher
 * (https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/). When nobody answers, there is none.
 */
export async function trayIsShown(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const asked = { service: 'org.freedesktop.DBus', method: 'NameHasOwner', argument: WATCHER };
  return (await askSessionBus(asked))?.includes('true') ?? false;
}
