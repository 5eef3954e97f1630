/** Brings a new image to the state of the one before, as far as evaluating definitions again can. */
import type { Replay } from '../../contract/report';
import type { ReplayEntry } from '../../images/checkpoints';
import type { Image } from '../../images/image';

/** `replay` is null when nothing had been evaluated, or the engine cannot; `problem` says why it did not go to its end. */
export interface Recovery {
  replay: Replay | null;
  problem: string | null;
  /** Whether it has ended the image. */
  died: boolean;
}

const NOTHING_TO_RECOVER: Recovery = { replay: null, problem: null, died: false };

/** Never rejects. */
export async function recover(
  image: Image,
  entries: readonly ReplayEntry[],
  packageAfter: string,
): Promise<Recovery> {
  if (!image.replayer || (entries.length === 0 && !image.replayer.pending)) return NOTHING_TO_RECOVER;
  const { outcome, report, condition, notes } = await image.replayer.replay(image, entries, packageAfter);
  const replay = report?.replay ?? null;
  if (outcome === 'ok') return { replay, problem: null, died: false };
  const problem = condition ? `${condition.type}: ${condition.message}` : notes.join(' ');
  return { replay, problem, died: outcome === 'crashed' };
}
