/** The dialog in which a person says where a text is saved, and the writing of it. */
import { writeFile } from 'node:fs/promises';
import { type BrowserWindow, dialog, type SaveDialogOptions } from 'electron';
import { asFailure, HarborError } from '../contract/errors';
import type { Words } from '../words/words';
import type { AskWhere, SavedText } from './export-session';

/** As `SaveText`, over the window if there is one. */
export async function saveText(
  window: BrowserWindow | null,
  ask: AskWhere,
  { text, beside }: SavedText,
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
    if (beside) await writeFile(filePath.replace(/\.[^./]*$/, '') + beside.extension, beside.text);
  } catch (error) {
    throw new HarborError(
      'file_not_allowed',
      `${filePath} cannot be written: ${asFailure(error).message}. Choose another place.`,
    );
  }
  return filePath;
}
