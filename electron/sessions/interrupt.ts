/**
 * The interrupt ladder below the last step. A cooperative interrupt keeps all state; the insistent one is
 * repeated for code that loops in its cleanups. Ending the image is the session's own decision.
 */
import type { Image } from '../images/image';
import type { RunningEvaluation } from './running-evaluation';

/** How long each step may take before the next one is tried, in milliseconds. */
const PATIENCE = { cooperative: 2_000, insistent: 3_000 } as const;

/** Whether `evaluation` has settled with the image alive. */
export async function interrupt(image: Image, evaluation: RunningEvaluation): Promise<boolean> {
  for (const step of ['cooperative', 'insistent'] as const) {
    if ((await image.interrupt(evaluation.id, step)) && (await evaluation.within(PATIENCE[step])))
      return true;
  }
  return (await evaluation.within(0)) !== null;
}
