/** The way to a file through opened folders, each checked as it is entered. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './file-refusals';
import { OpenedFolder } from './opened-folder';

/** Answers what `work` answers with the folder of the real path opened, and closes it.
 * @throws MovedError, or the system's error */
export async function inFolderOf<R>(
  real: string,
  work: (folder: OpenedFolder, name: string) => Promise<R>,
): Promise<R> {
  return closing(await OpenedFolder.open(path.dirname(real)), (folder) => work(folder, path.basename(real)));
}

/** As `inFolderOf`, after making the folders that are not there. */
export async function inNewFolderOf<R>(
  real: string,
  work: (folder: OpenedFolder, name: string) => Promise<R>,
): Promise<R> {
  return closing(await openOrMake(path.dirname(real)), (folder) => work(folder, path.basename(real)));
}

/** The folder of the real path; close it.
 * @param make whether folders that are not there are made
 * @throws MovedError, or the system's error */
export async function openedFolderOf(
  real: string,
  make: boolean,
): Promise<{ folder: OpenedFolder; name: string }> {
  const above = path.dirname(real);
  return {
    folder: make ? await openOrMake(above) : await OpenedFolder.open(above),
    name: path.basename(real),
  };
}

/** Answers what `work` answers, and closes the folder. */
export async function closing<R>(
  folder: OpenedFolder,
  work: (folder: OpenedFolder) => Promise<R>,
): Promise<R> {
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** Each folder is made within one that is open: nothing that takes a name's place meanwhile leads elsewhere. */
async function openOrMake(real: string): Promise<OpenedFolder> {
  try {
    return await OpenedFolder.open(real);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const name = path.basename(real);
  return closing(await openOrMake(path.dirname(real)), async (parent) => {
    const made = await mkdir(parent.at(name)).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
        return false;
      },
    );
    const folder = await parent.folder(name);
    if (made) await folder.giveTo(await parent.owner());
    return folder;
  });
}
