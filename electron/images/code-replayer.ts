/** Replay by one evaluation: the image itself does what the harbor's code tells it. */
import type { ReplayEntry } from './checkpoints';
import type { Image, ImageOutcome, Replayer } from './image';

/** Names a replay to its image: no row of the history has this id. */
const REPLAY_ID = -1;

export abstract class CodeReplayer implements Replayer {
  get pending(): boolean {
    return false;
  }

  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome> {
    const code = this.replayCode(entries, packageAfter);
    return image.evaluate({ id: REPLAY_ID, code }, () => undefined);
  }

  /** What came back must be in the report of evaluating this. */
  abstract replayCode(entries: readonly ReplayEntry[], packageAfter: string): string;
}
