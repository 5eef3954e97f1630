/** States of images: checkpoints that an image saves, and the evaluations of an earlier image that a replay repeats. */
import type { WorldChange } from '../contract/world';

/** What a saved image holds, and what of the running one no file can carry. */
export interface SavedImage {
  bytes: number;
  /** Sentences: open files, sockets, foreign memory, timers, as far as the image knows of them. */
  missing: string[];
}

export interface Checkpoints {
  /**
   * Saves the state to `file`, which does not exist yet and appears only when it is complete. The image pauses for
   * milliseconds and goes on evaluating while the file is written.
   * @throws HarborError `busy` while something runs or is held, `threads_running` with the names of the threads that
   * prevent it, `checkpoint_failed` with what the image printed
   */
  save(file: string): Promise<SavedImage>;
  /** Where an image can go back to what it has saved without another image. */
  readonly goingBack?: GoingBack;
}

/** Going back to a saved state is an evaluation like any other: it can be interrupted, and has its row. */
export interface GoingBack {
  /** The code of that row, to be evaluated with `restores`. @param name what people call the checkpoint */
  code(name: string): string;
  /** The first of these files of checkpoints in which all is that the image has now; null where none has it.
   * @throws HarborError as `save` does */
  heldBy(files: readonly string[]): Promise<string | null>;
}

/** An evaluation of an earlier image: its row of the history, the package it began in, and how many of the top-level
 * forms of `code` came to their end. */
export interface ReplayEntry {
  id: number;
  package: string;
  formCount: number;
  code: string;
  /** What it did to the logical world, for engines that have one; null where that was nothing. */
  change: WorldChange | null;
}
