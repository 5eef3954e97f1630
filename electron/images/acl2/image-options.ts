/** What an ACL2 image is started with, beside the process that was launched for it. */
import type { Image } from '../image';
import type { SystemBooks } from './books';
import type { SavedWorld } from './saved-world';

/** Where defects of an image are told; they are nobody's outcome. */
export interface Acl2Log {
  warn(message: string, details?: unknown): void;
}

export interface Acl2ImageOptions {
  log: Acl2Log;
  /** Folder of the helper's Lisp files. */
  helper: string;
  project: string;
  package: string | undefined;
  systemBooks: SystemBooks;
  /** What a replay is to bring into its world; null where that is nothing. */
  saved: SavedWorld | null;
  /** Starts an image of the same project, in whose world nothing is. */
  another: () => Promise<Image>;
}
