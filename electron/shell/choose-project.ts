/** The dialogs in which a person chooses a folder: a project, or one for the allow-list. */
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';

/** The absolute path of the folder chosen, or null when the person cancelled. `start` is the folder shown first. */
export function chooseProject(window: BrowserWindow | null, start: string): Promise<string | null> {
  return choose(window, {
    title: 'Choose a project',
    message: 'Sessions may read and write the files in this folder.',
    buttonLabel: 'Choose project',
    defaultPath: start,
    properties: ['openDirectory', 'createDirectory'],
  });
}

/** As `chooseProject`, for an entry of the allow-list. */
export function chooseFolder(window: BrowserWindow | null, start: string): Promise<string | null> {
  return choose(window, {
    title: 'Choose a folder for the allow-list',
    buttonLabel: 'Choose folder',
    defaultPath: start,
    properties: ['openDirectory', 'showHiddenFiles'],
  });
}

async function choose(window: BrowserWindow | null, options: OpenDialogOptions): Promise<string | null> {
  const answer = window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options);
  const { canceled, filePaths } = await answer;
  return canceled ? null : (filePaths[0] ?? null);
}
