/**
 * The interrupt ladder below the last step. What is held in the debugger is given up there; a cooperative interrupt
 * keeps all state; the insistent one is repeated for code that loops in its cleanups. Ending the image is the session's
 * own decision.
 */
import type { Image } from '../../images/image';
import type { RunningEvaluation } from './running-evaluation';

/** How long each step may take before the next one is tried, in milliseconds. */
const PATIENCE = { debugger: 2_000, cooperative: 2_000, insistent: 3_000 } as const;

/** Whether `evaluation` has settled with the image alive. `level` is that at which it is held, 0 for none. */
export async function interrupt(
  image: Image,
  evaluation: RunningEvaluation,
  level: number,
): Promise<boolean> {
  if (level > 0) {
    // A restart that loops keeps the debugger from answering: then the steps below are for it.
    image.debugger?.abort(level - 1).catch(() => undefined);
    if (await evaluation.within(PATIENCE.debugger)) return true;
  }
  for (const step of ['cooperative', 'insistent'] as const) {
    if ((await image.interrupt(evaluation.id, step)) && (await evaluation.within(PATIENCE[step])))
      return true;
  }
  return (await evaluation.within(0)) !== null;
}
