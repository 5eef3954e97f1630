/** What closing the window means: with a tray the harbor goes on without it, else everything ends. */
import { type BrowserWindow, dialog } from 'electron';
import { whatEnds } from './sentences';
import { trayIsShown } from './tray-host';

/**
 * True when the window may close. Asks only where closing ends sessions: without a tray nobody could bring
 * the window back, so closing it quits.
 */
export async function mayCloseWindow(
  window: BrowserWindow,
  live: () => { sessions: number; running: number },
): Promise<boolean> {
  if (await trayIsShown()) return true;
  const ends = whatEnds(live());
  if (ends === '') return true;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Quit Lisp Harbor?',
    detail: `There is no tray here to keep it in, so closing the window quits: that ${ends}. The history is kept.`,
    buttons: ['Quit', 'Keep open'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
