/** The dialogs in which a person chooses a folder: a project, or one for the allow-list. */
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import type { Words } from '../words/words';

/** The absolute path of the folder chosen, or null when the person cancelled. `start` is the folder shown first. */
export function chooseProject(
  window: BrowserWindow | null,
  start: string,
  { dialogs }: Words,
): Promise<string | null> {
  return choose(window, {
    title: dialogs.chooseProject,
    message: dialogs.chooseProjectAbout,
    buttonLabel: dialogs.chooseProjectButton,
    defaultPath: start,
    properties: ['openDirectory', 'createDirectory'],
  });
}

/** As `chooseProject`, for an entry of the allow-list. */
export function chooseFolder(
  window: BrowserWindow | null,
  start: string,
  { dialogs }: Words,
): Promise<string | null> {
  return choose(window, {
    title: dialogs.chooseFolder,
    buttonLabel: dialogs.chooseFolderButton,
    defaultPath: start,
    properties: ['openDirectory', 'showHiddenFiles'],
  });
}

async function choose(window: BrowserWindow | null, options: OpenDialogOptions): Promise<string | null> {
  const answer = window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options);
  const { canceled, filePaths } = await answer;
  return canceled ? null : (filePaths[0] ?? null);
}
