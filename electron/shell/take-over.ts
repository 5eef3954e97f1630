/** The dialog shown when a harbor without a window owns the data folder. */
import { dialog } from 'electron';
import type { Words } from '../words/words';
import { joinNames } from './tray-items';

/** The running headless harbor, as reported over its socket. */
export interface HeadlessHarbor {
  pid: number;
  /** Display names of its open sessions. */
  sessions: readonly string[];
}

/** Returns true if the user wants to end the running harbor and continue here. */
export async function promptTakeOver(running: HeadlessHarbor, words: Words): Promise<boolean> {
  const { dialogs } = words;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: dialogs.takeOverQuestion,
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
  return sessions.length === 0 ? count : `${count}: ${joinNames(sessions, words)}`;
}
