/** The dialog in which a person chooses a project. */
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';

/** The absolute path of the folder chosen, or null when the person cancelled. `start` is the folder shown first. */
export async function chooseProject(window: BrowserWindow | null, start: string): Promise<string | null> {
  const options: OpenDialogOptions = {
    title: 'Choose a project',
    message: 'Sessions may read and write the files in this folder.',
    buttonLabel: 'Choose project',
    defaultPath: start,
    properties: ['openDirectory', 'createDirectory'],
  };
  const answer = window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options);
  const { canceled, filePaths } = await answer;
  return canceled ? null : (filePaths[0] ?? null);
}
