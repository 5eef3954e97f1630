/**
 * The optional groups of an image that keep its state: checkpoints, branches that are thrown away, and the replay of
 * what an earlier image had evaluated.
 */
import type { WorldChange } from '../contract/world';
import type { Image, ImageOutcome } from './image';

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

export interface Brancher {
  /** An image of its own with the same state as this one at this moment, for what is tried and thrown away; it ends
   * with this one at the latest. @throws HarborError as `Checkpoints.save` does */
  branch(): Promise<Image>;
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

export interface Replayer {
  /** Whether the image was started from a checkpoint whose state comes only with the replay. */
  readonly pending: boolean;
  /**
   * Evaluates in `image`, in order, the top-level forms whose operator is in the engine's table (definitions, packages,
   * readtables, loads), or builds the logical world that their changes come to. It makes `packageAfter` the current
   * package. What came back is in the outcome's report; what is printed meanwhile is nobody's output. Never rejects.
   */
  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome>;
}
