/** What an ACL2 image is given by its engine. */
import type { AgentLog } from '../agent/log';
import type { OtherProcesses } from './beside';
import type { SystemBooks } from './books';
import type { Books } from './library';
import type { OneWayLock } from './raw-lisp';
import type { SavedWorld } from './saved-world';

export interface Acl2ImageOptions {
  log: AgentLog;
  /** Folder of the helper's Lisp files. */
  helper: string;
  project: string;
  /** Memory that it may fill. */
  heapBytes: number;
  package: string | undefined;
  systemBooks: SystemBooks;
  books: Books;
  /** What a replay is to bring into its world; null where that is nothing. */
  saved: SavedWorld | null;
  lock: OneWayLock;
  /** What can be done about an error. @param books the folder that ACL2 takes for that of the system's books */
  advice: (message: string, books: string | null) => string | null;
  /** For a process of a final check: the trust tags that it may use. */
  checked?: readonly string[] | undefined;
  others: OtherProcesses;
}
