/** Where newer versions come from: what the build wrote beside the app, https://www.electron.build/auto-update. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';

/** null where this copy was built without an address. */
export function updateSource(): (() => Promise<AppUpdater>) | null {
  const file = app.isPackaged
    ? path.join(process.resourcesPath, 'app-update.yml')
    : // A clone is built for nobody: only its tests name one.
      process.env.LISP_HARBOR_UPDATE_CONFIG;
  return file !== undefined && existsSync(file) ? () => updaterOf(file) : null;
}

/** Few starts ever need it, so it is loaded only now. */
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
