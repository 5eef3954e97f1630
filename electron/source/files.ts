/**
 * The files that tools may read and write, as they see them: bytes behind a guard that decides. Whoever guards them
 * implements this; a path may be relative to the project, and is never trusted.
 */
import type { FileCaller } from '../contract/approvals';

export interface FileBytes {
  /** The real, absolute path. */
  path: string;
  bytes: Uint8Array;
  /** Of the bytes; what a later write names as `expectedHash`. */
  hash: string;
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

  /** What a folder holds, hidden files too, in no particular order.
   * @throws HarborError as `read`; `not_a_file` for what is no folder */
  list(
    project: string,
    path: string,
    caller?: FileCaller,
  ): Promise<{ path: string; entries: DirectoryEntry[] }>;
}
