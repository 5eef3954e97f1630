/** Makes a data folder where there is none. */
import { HarborError } from '../contract/errors';
import type { DataFolder } from './data-folder';
import { makePrivateFolder } from './private-folder';

/** Makes the folder, private to its owner.
 * @throws HarborError `data_folder_unusable` */
export function makeDataFolder(folder: DataFolder): void {
  try {
    for (const each of [folder.root, folder.scratch, folder.log]) makePrivateFolder(each);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HarborError(
      'data_folder_unusable',
      `The data folder ${folder.root} cannot be used (${reason}). Choose another with --data DIR.`,
    );
  }
}
