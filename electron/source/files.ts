/**
 * The files that tools may read and write, as they see them: bytes behind a guard that decides. Whoever guards them
 * implements this; a path may be relative to the project, and is never trusted.
 */
import type { FileCaller } from '../contract/approvals';
import type { HarborError } from '../contract/errors';

export interface FileBytes {
  /** The real, absolute path. */
  path: string;
  bytes: Uint8Array;
  /** Of the bytes; what a later write names as `expectedHash`. */
  hash: string;
}

/** What a file is to hold, null to leave it as it is; and whatever is to be told of that. */
export interface Edited<A> {
  bytes: Uint8Array | null;
  answer: A;
}

/** A file of several that are changed as one step, by its real path: as it is, not there yet, or why it cannot be changed. */
export type FileToChange =
  | { path: string; file: FileBytes }
  | { path: string; missing: HarborError }
  | { refused: HarborError };

/** What files are to hold, by their real paths, those that stay as they are left out; and whatever is to be told of that. */
export interface EditedAll<A> {
  bytes: ReadonlyMap<string, Uint8Array>;
  answer: A;
}

export interface DirectoryEntry {
  name: string;
  type: 'file' | 'directory';
}

export interface GuardedFiles {
  /**
   * @param caller whom a person may be asked for; absent: what the rules do not allow is refused without a question
   * @throws HarborError `path_not_allowed`, `secret_path`, `file_missing`, `not_a_file`; `not_approved`, `paused` and
   * `cancelled` of what a person was asked about
   */
  read(project: string, path: string, caller?: FileCaller): Promise<FileBytes>;

  /**
   * Replaces a file by what `edit` makes of it, as one step: nobody else changes it through here meanwhile, and what
   * changes it from outside is told by its hash.
   * @returns the hash of the file as it is then, and what else `edit` has answered
   * @throws HarborError as `read`, `hash_mismatch`, and whatever `edit` throws, which leaves the file as it is
   */
  change<A>(
    project: string,
    path: string,
    edit: (current: FileBytes) => Edited<A>,
  ): Promise<{ path: string; hash: string; answer: A }>;

  /**
   * Changes several files as one step: all that `edit` answers is written, or nothing is.
   * @param edit gets the files in the order of `paths`; what it throws leaves them as they are
   * @returns the hash of each file by its real path, and what else `edit` has answered
   * @throws HarborError as `change`; `hash_mismatch` also where a file could not be put back
   */
  changeAll<A>(
    project: string,
    paths: readonly string[],
    edit: (files: readonly FileToChange[]) => EditedAll<A>,
  ): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }>;

  /**
   * Replaces a file at once or not at all, and makes the folders above a new one.
   * @param expectedHash of the file as the caller knows it; null for one that must not be there yet
   * @throws HarborError as `read`, and `file_exists`, `hash_mismatch`
   */
  write(
    project: string,
    path: string,
    bytes: Uint8Array,
    expectedHash: string | null,
  ): Promise<{ path: string; hash: string }>;

  /**
   * Makes a folder with these files in it, and the folders above: all at once, or nothing.
   * @param files bytes by paths within the folder, with `/` between folders
   * @returns its real path
   * @throws HarborError as `read`, and `file_exists` where anything is there
   */
  create(project: string, folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<string>;

  /** What a folder holds, hidden files too, in no particular order; not `complete` where it holds more than is looked at.
   * @throws HarborError as `read`; `not_a_file` for what is no folder */
  list(
    project: string,
    path: string,
    caller?: FileCaller,
  ): Promise<{ path: string; entries: DirectoryEntry[]; complete: boolean }>;
}

/** What a person may do beside. */
export interface RemovableFiles {
  /** Takes a file away that still is what the caller knows. @throws HarborError as `GuardedFiles.change` */
  remove(project: string, path: string, hash: string): Promise<void>;
}
