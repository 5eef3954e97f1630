/** The place of the local socket in the file system: a folder and a file that only this user can open. */
import { chmod, lstat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { asFailure, HarborError } from '../../contract/errors';
import { makePrivateFolder } from '../../host/private-folder';
import { answers } from '../own-socket';

/** Windows keeps named pipes in a namespace of their own, without folders. */
function isPipe(socketPath: string): boolean {
  return socketPath.startsWith('\\\\.\\pipe\\');
}

/**
 * Makes the folder, and removes a socket that a dead harbor left.
 * @throws HarborError `data_folder_in_use` when one still answers; `data_folder_unusable` when the folder is not safe
 */
export async function freeSocketPath(socketPath: string): Promise<void> {
  if (!isPipe(socketPath)) await makeOwnFolder(path.dirname(socketPath));
  if (await answers(socketPath)) {
    throw new HarborError('data_folder_in_use', `Another harbor answers at ${socketPath}. Stop it first.`);
  }
  if (isPipe(socketPath)) return;
  await unlink(socketPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Called right after listening; until then the folder alone keeps others out. */
export async function restrictSocket(socketPath: string): Promise<void> {
  if (!isPipe(socketPath)) await chmod(socketPath, 0o600);
}

/** In a shared tmp folder somebody else may have made it first, so its owner is looked at, not assumed. */
async function makeOwnFolder(folder: string): Promise<void> {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw unusable(`The socket's folder cannot be made (${asFailure(error).message}). Give it another place`);
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw unusable(`${folder} is not a folder of this user. Remove it, or give the socket another place`);
  }
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function unusable(what: string): HarborError {
  return new HarborError('data_folder_unusable', `${what}: set XDG_RUNTIME_DIR to a private folder.`);
}
