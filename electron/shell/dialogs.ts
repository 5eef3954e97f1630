/** Dialogs of the app: choosing a folder, saving a text, and a settings file that cannot be read. */
import { writeFile } from 'node:fs/promises';
import { type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions, shell } from 'electron';
import { asFailure, HarborError } from '../contract/errors';
import type { Words } from '../words/words';
import type { SaveDialogTexts, SavedText } from './export-session';

/**
 * Returns the absolute path of the chosen folder, or null if the user cancels. `start` is the initial folder.
 */
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

/** Asks for a folder for the allow-list, like `chooseProject`. */
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

/** Asks where to save a text and writes it, as `SaveText` specifies; modal to the window if there is one. */
export async function saveText(
  window: BrowserWindow | null,
  ask: SaveDialogTexts,
  { text, companion }: SavedText,
  { dialogs }: Words,
): Promise<string | null> {
  const { title, suggested, about, files } = ask(dialogs);
  const options: SaveDialogOptions = {
    title,
    message: about,
    buttonLabel: dialogs.export,
    defaultPath: suggested,
    filters: [files],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  };
  const answer = window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options);
  const { canceled, filePath } = await answer;
  if (canceled || filePath === '') return null;
  try {
    await writeFile(filePath, text);
    if (companion) await writeFile(filePath.replace(/\.[^./]*$/, '') + companion.extension, companion.text);
  } catch (error) {
    throw new HarborError(
      'file_not_allowed',
      `${filePath} cannot be written: ${asFailure(error).message}. Choose another place.`,
    );
  }
  return filePath;
}

/**
 * Reports that the settings file cannot be read, so the app does not start. Returns true if the user wants to
 * try again after correcting it.
 */
export async function promptTryAgain(problem: string, file: string, { dialogs }: Words): Promise<boolean> {
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
