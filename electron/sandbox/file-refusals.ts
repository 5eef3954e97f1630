/** What the system says of a file, as an error that says what to do. */
import { HarborError } from '../contract/errors';
import { MovedError } from './opened-folder';

/** Answers what `work` answers; what went wrong is told of the path as it was `asked` for.
 * @throws HarborError */
export async function toldOf<R>(asked: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error, asked);
  }
}

/** An error of ours, and one that no caller can act on, is answered as it came. */
function asRefusal(error: unknown, asked: string): unknown {
  if (error instanceof MovedError)
    return new HarborError('path_not_allowed', `${asked} was replaced while it was opened. Try again.`);
  switch (systemCode(error)) {
    case 'ENOENT':
      return new HarborError('file_missing', `There is no ${asked}.`);
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ENXIO':
      return notAFile(asked);
    case 'ELOOP':
      return new HarborError(
        'path_not_allowed',
        `${asked} is a link that leads nowhere, or came there while it was opened. Name the file itself.`,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new HarborError('path_not_allowed', `The system does not let Lisp Harbor use ${asked}.`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new HarborError('path_not_allowed', `There is no room to write ${asked}: the disk is full.`);
    case 'ENAMETOOLONG':
      return new HarborError('bad_arguments', `${asked.slice(0, 200)}… is too long for a path.`);
    default:
      return error;
  }
}

export function notAFile(asked: string): HarborError {
  return new HarborError(
    'not_a_file',
    `${asked} is no file with text: a folder, a pipe or a device, or below a file.`,
  );
}

export function notAFolder(asked: string): HarborError {
  return new HarborError('not_a_file', `${asked} is no folder.`);
}

/** Such as ENOENT; undefined for an error that is not the system's. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
