/** The dialog when the data folder is held by a harbor without a window. */
import { dialog } from 'electron';
import type { Words } from '../words/words';
import { listed } from './tray-items';

/** The harbor without a window that runs already, as its socket described it. */
export interface HeadlessHarbor {
  pid: number;
  /** Names of its open sessions, as people know them. */
  sessions: readonly string[];
}

/** True when the person wants this app to end the running harbor and take its place. */
export async function askTakeOver(running: HeadlessHarbor, words: Words): Promise<boolean> {
  const { dialogs } = words;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: dialogs.takeOverAsked,
    detail: dialogs.takeOverAbout(running.pid, sessionsOf(running, words)),
    buttons: [dialogs.takeOver, dialogs.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

function sessionsOf({ sessions }: HeadlessHarbor, words: Words): string {
  const count = words.tray.sessions(sessions.length);
  return sessions.length === 0 ? count : `${count}: ${listed(sessions, words)}`;
}
