/** The dialog when the data folder is held by a harbor without a window. */
import { dialog } from 'electron';
import { countSessions, listed } from './tray-items';

/** The harbor without a window that runs already, as its socket described it. */
export interface HeadlessHarbor {
  pid: number;
  /** Names of its open sessions, as people know them. */
  sessions: readonly string[];
}

/** True when the person wants this app to end the running harbor and take its place. */
export async function askTakeOver(running: HeadlessHarbor): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'A headless harbor is running. Take over?',
    detail: `${describe(running)} Taking over ends it and opens the window on the same history.`,
    buttons: ['Take over', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

function describe({ pid, sessions }: HeadlessHarbor): string {
  const count = countSessions(sessions.length);
  const which = sessions.length === 0 ? '' : `: ${listed(sessions)}`;
  return `Process ${pid} has ${count}${which}.`;
}
