/** Starting at login, the source of updates, and the order of quitting. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { system } from '../host/system';
import { autostartEntry, isAutostartEntry } from './linux-desktop';

/**
 * Adds or removes the login item. Does nothing if it is already as wanted, and removes only an item that the
 * app wrote.
 * @param command returns the command line, if it is needed
 * @throws Error of the file system
 */
export function setLoginItem(wanted: boolean, command: () => readonly string[]): void {
  if (system.hasSessionBus) setAutostart(wanted, command);
  else setListed(wanted, command());
}

function setListed(wanted: boolean, command: readonly string[]): void {
  const [program = process.execPath, ...args] = command;
  const item = { path: program, args };
  if (app.getLoginItemSettings(item).openAtLogin === wanted) return;
  app.setLoginItemSettings({ ...item, openAtLogin: wanted });
}

/** https://specifications.freedesktop.org/autostart-spec/ */
function setAutostart(wanted: boolean, command: () => readonly string[]): void {
  const folder = path.join(app.getPath('appData'), 'autostart');
  const file = path.join(folder, 'lisp-harbor.desktop');
  const content = textOf(file);
  if (!wanted) {
    if (isAutostartEntry(content)) rmSync(file);
    return;
  }
  const entry = autostartEntry(command());
  if (content === entry) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, entry);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the update source that the build wrote next to the app (https://www.electron.build/auto-update);
 * null for a build without an update address.
 */
export function updateSource(): (() => Promise<AppUpdater>) | null {
  const file = app.isPackaged
    ? path.join(process.resourcesPath, 'app-update.yml')
    : // A clone has no address; only tests set one.
      process.env.LISP_HARBOR_UPDATE_CONFIG;
  return file !== undefined && existsSync(file) ? () => updaterOf(file) : null;
}

/** Loaded on demand, because most starts never need it. */
async function updaterOf(file: string): Promise<AppUpdater> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.disableWebInstaller = true;
  if (!app.isPackaged) {
    autoUpdater.forceDevUpdateConfig = true;
    autoUpdater.updateConfigPath = file;
  }
  return autoUpdater;
}

/**
 * Waits with quitting until the images have ended and the history is closed. `end` must settle in bounded
 * time. A second request to quit, as when the last window closes meanwhile, waits for it too.
 */
export function delayQuitting(end: () => Promise<unknown>): void {
  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    void end().finally(() => app.exit());
  });
}
