/** The dialog when the settings file cannot be read and the app therefore does not start. */
import { dialog, shell } from 'electron';
import type { Words } from '../words/words';

/** True when the person wants another try, after having corrected the file. */
export async function askTryAgain(problem: string, file: string, { dialogs }: Words): Promise<boolean> {
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: dialogs.settingsUnreadable,
      detail: problem,
      buttons: [dialogs.tryAgain, dialogs.openFile, dialogs.quit],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response !== 1) return response === 0;
    await shell.openPath(file);
  }
}
