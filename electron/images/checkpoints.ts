/**
 * The optional groups of an image that keep its state: checkpoints of the whole image, branches that are thrown
 * away, and the replay of what an earlier image had evaluated.
 */
import type { Image } from './image';

/** What a saved image holds, and what of the running one no file can carry. */
export interface SavedImage {
  bytes: number;
  /** Sentences: open files, sockets, foreign memory, timers, as far as the image knows of them. */
  missing: string[];
}

export interface Checkpoints {
  /**
   * Saves the whole image to `file`, which does not exist yet and appears only when it is complete. The image pauses
   * for milliseconds and goes on evaluating while the file is written.
   * @throws HarborError `busy` while something runs or is held, `threads_running` with the names of the threads that
   * prevent it, `checkpoint_failed` with what the image printed
   */
  save(file: string): Promise<SavedImage>;
  /** An image of its own with the same state as this one at this moment, for what is tried and thrown away; it ends
   * with this one at the latest. @throws HarborError as `save` does */
  branch(): Promise<Image>;
}

/** An evaluation of an earlier image: its row of the history, its code, and the package it began in. */
export interface ReplayEntry {
  id: number;
  package: string;
  code: string;
}

/** A top-level form of a replayed evaluation, as its first line. `because` says why it was not evaluated, or failed. */
export interface ReplayedForm {
  id: number;
  form: string;
  because: string;
}

/** What came back, and what did not. */
export interface ReplayReport {
  /** Forms that were evaluated again. */
  replayed: number;
  /** Forms that the engine's table does not name: to evaluate them again could do harm. */
  leftOut: ReplayedForm[];
  /** Forms whose evaluation failed this time. */
  failed: ReplayedForm[];
}

export interface Replayer {
  /** Evaluates, in order, the top-level forms whose operator is in the engine's table (definitions, packages,
   * readtables, loads); nothing of it is a row of the history. */
  replay(entries: readonly ReplayEntry[]): Promise<ReplayReport>;
}
