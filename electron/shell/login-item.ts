/** Whether the app starts, hidden, when the person logs in: the system's own list, on Linux a file that desktops read. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { autostartEntry, isAutostartEntry } from './autostart-entry';

/**
 * Does nothing where it is as wanted already, and takes away nothing but what this has written.
 * @param command its words; asked for only where they are needed
 * @throws Error of the file system
 */
export function setLoginItem(wanted: boolean, command: () => readonly string[]): void {
  if (process.platform === 'linux') setAutostart(wanted, command);
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
  const held = textOf(file);
  if (!wanted) {
    if (isAutostartEntry(held)) rmSync(file);
    return;
  }
  const entry = autostartEntry(command());
  if (held === entry) return;
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
