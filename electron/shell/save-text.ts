/** The dialog in which a person says where a text is saved, and the writing of it. */
import { writeFile } from 'node:fs/promises';
import { type BrowserWindow, dialog, type SaveDialogOptions } from 'electron';
import { asFailure, HarborError } from '../contract/errors';

/** The path that a person chose, or null when the person cancelled. `suggested` is the path shown first.
 * @throws HarborError `file_not_allowed` with why it cannot be written */
export async function saveText(
  window: BrowserWindow | null,
  suggested: string,
  text: string,
): Promise<string | null> {
  const options: SaveDialogOptions = {
    title: 'Export the session',
    message: 'What was defined in the session, as a source file.',
    buttonLabel: 'Export',
    defaultPath: suggested,
    filters: [{ name: 'Lisp', extensions: ['lisp'] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  };
  const answer = window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options);
  const { canceled, filePath } = await answer;
  if (canceled || filePath === '') return null;
  try {
    await writeFile(filePath, text);
  } catch (error) {
    throw new HarborError(
      'file_not_allowed',
      `${filePath} cannot be written: ${asFailure(error).message}. Choose another place.`,
    );
  }
  return filePath;
}
