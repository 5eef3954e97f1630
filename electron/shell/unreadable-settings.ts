/** The dialog when the settings file cannot be read and the app therefore does not start. */
import { dialog, shell } from 'electron';

/** True when the person wants another try, after having corrected the file. */
export async function askTryAgain(problem: string, file: string): Promise<boolean> {
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: 'Lisp Harbor cannot start: its settings file cannot be read.',
      detail: problem,
      buttons: ['Try Again', 'Open the File', 'Quit'],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response !== 1) return response === 0;
    await shell.openPath(file);
  }
}
