/**
 * Interface to the files that tools read and write. An implementation checks every access; paths may be
 * relative to the project and are not trusted.
 */
import type { FileCaller } from '../contract/approvals';
import type { HarborError } from '../contract/errors';

export interface FileBytes {
  /** The real, absolute path. */
  path: string;
  bytes: Uint8Array;
  /** Hash of the bytes, for `expectedHash` of a later write. */
  hash: string;
}

/** New content of a file, null to leave it unchanged, and additional data for the caller. */
export interface FileChange<A> {
  bytes: Uint8Array | null;
  answer: A;
}

/**
 * One of several files to change together, by its real path: its content, absent, or the reason why it cannot
 * be changed.
 */
export type FileToChange =
  | { path: string; file: FileBytes }
  | { path: string; missing: HarborError }
  | { refused: HarborError };

/** New content by real path, without files that stay unchanged, and additional data for the caller. */
export interface FileChanges<A> {
  bytes: ReadonlyMap<string, Uint8Array>;
  answer: A;
}

export interface DirectoryEntry {
  name: string;
  type: 'file' | 'directory';
}

export interface GuardedFiles {
  /**
   * Reads a file.
   * @param caller on whose behalf the user may be asked; absent: a file that the rules do not allow is
   *   refused without a question
   * @throws HarborError `path_not_allowed`, `secret_path`, `file_missing`, `not_a_file`; `not_approved`,
   *   `paused` and `cancelled` if the user was asked
   */
  read(project: string, path: string, caller?: FileCaller): Promise<FileBytes>;

  /**
   * Yields files of one folder, without those that cannot be read. The user is not asked.
   * @throws HarborError `path_not_allowed` if the text is not a valid path
   */
  readEach(project: string, folder: string, names: readonly string[]): AsyncIterable<FileBytes>;

  /**
   * Replaces the content of a file by the result of `edit` as one step. Other changes through this interface
   * wait; changes from outside are detected by the hash.
   * @returns the new hash, and the additional data of `edit`
   * @throws HarborError as `read`, `hash_mismatch`, and what `edit` throws, which leaves the file unchanged
   */
  change<A>(
    project: string,
    path: string,
    edit: (current: FileBytes) => FileChange<A>,
  ): Promise<{ path: string; hash: string; answer: A }>;

  /**
   * Changes several files as one step: all results of `edit` are written, or none.
   * @param edit gets the files in the order of `paths`; if it throws, they stay unchanged
   * @returns the new hash of each file by its real path, and the additional data of `edit`
   * @throws HarborError as `change`; `hash_mismatch` also if a file could not be restored
   */
  changeAll<A>(
    project: string,
    paths: readonly string[],
    edit: (files: readonly FileToChange[]) => FileChanges<A>,
  ): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }>;

  /**
   * Replaces a file atomically, and creates missing parent folders.
   * @param expectedHash hash that the caller knows; null for a file that must not exist
   * @throws HarborError as `read`, and `file_exists`, `hash_mismatch`
   */
  write(
    project: string,
    path: string,
    bytes: Uint8Array,
    expectedHash: string | null,
  ): Promise<{ path: string; hash: string }>;

  /**
   * Creates a folder with files, and missing parent folders: all of it, or nothing.
   * @param files bytes by relative path, with `/` as separator
   * @returns the real path of the folder
   * @throws HarborError as `read`, and `file_exists` if the path exists
   */
  create(project: string, folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<string>;

  /**
   * Lists a folder, including hidden files, in no particular order. `complete` is false if it has more
   * entries than are read.
   * @throws HarborError as `read`; `not_a_file` if it is no folder
   */
  list(
    project: string,
    path: string,
    caller?: FileCaller,
  ): Promise<{ path: string; entries: DirectoryEntry[]; complete: boolean }>;
}

/** Files that are only read. */
export type ReadableFiles = Pick<GuardedFiles, 'read' | 'readEach' | 'list'>;

/** Additional operations for the user. */
export interface RemovableFiles {
  /** Removes a file whose content has not changed. @throws HarborError as `GuardedFiles.change` */
  remove(project: string, path: string, hash: string): Promise<void>;
}
