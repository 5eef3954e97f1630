/** What goes wrong with a database file, told apart: damaged, not writable, held by another process. */
import { HarborError } from '../contract/errors';

/** SQLite's result codes for a file that is no database, or not a whole one. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

/** The error as one that a person can act on; anything that is not about the file is handed back as it is. */
export function asHarborError(error: unknown, file: string): unknown {
  if (error instanceof HarborError) return error;
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY')) {
    return new HarborError(
      'data_folder_in_use',
      `${file} is held by another program. End it, or choose another data folder with --data DIR.`,
    );
  }
  const because = whyUnwritable(error);
  if (because === null) return error;
  return new HarborError(
    'data_folder_unusable',
    `The history cannot be written to ${file}: ${because}. Mend this, or choose another data folder with --data DIR.`,
  );
}

/** What is wrong with the file or its disk, with SQLite's word for it; null for an error that is about something else. */
export function whyUnwritable(error: unknown): string | null {
  const code = codeOf(error);
  const cause = UNUSABLE.find(([prefix]) => code.startsWith(prefix));
  return cause === undefined ? null : `${cause[1]} (${code})`;
}

/** Runs `work`, and tells what is wrong with the file as a HarborError. */
export function tellingWhy<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asHarborError(error, file);
  }
}

const UNUSABLE: readonly (readonly [prefix: string, reason: string])[] = [
  ['SQLITE_BUSY', 'another program has locked it'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'it is read-only'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['SQLITE_PERM', 'access is denied'],
  ['SQLITE_CORRUPT', 'it is damaged, and is kept aside at the next start'],
  ['SQLITE_NOTADB', 'it is damaged, and is kept aside at the next start'],
  ['SQLITE_IOERR', 'the disk reports an error'],
  ['EACCES', 'access is denied'],
  ['EPERM', 'access is denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'part of its path is a file, not a folder'],
  ['EEXIST', 'part of its path is a file, not a folder'],
  ['ENOENT', 'its folder does not exist and cannot be made'],
  ['EISDIR', 'it is a folder'],
];

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
