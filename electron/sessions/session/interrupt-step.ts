/** One step of the interrupt ladder, taken on an image. */
import type { Image } from '../../images/image';
import type { RunningEvaluation } from './running-evaluation';
import type { LadderStep } from './session-state';

/** How long a step may take before the next one is tried, in milliseconds. */
const PATIENCE = { abort: 2_000, cooperative: 2_000, insistent: 3_000 } as const;

/**
 * Takes the step on what `image` evaluates or holds. The last step waits for the end of the image, however long it takes.
 * @param level that at which the evaluation is held; 0 for none
 * @returns whether the evaluation has settled by then
 */
export async function interruptStep(
  image: Image,
  evaluation: RunningEvaluation,
  step: LadderStep,
  level: number,
): Promise<boolean> {
  if (step === 'end') {
    await image.end();
    return true;
  }
  const isTold = step === 'abort' ? giveUp(image, level) : await image.interrupt(evaluation.id, step);
  return (await evaluation.within(isTold ? PATIENCE[step] : 0)) !== null;
}

/** A restart that loops keeps the debugger from answering: the steps that follow are for it. */
function giveUp(image: Image, level: number): boolean {
  image.debugger?.abort(level - 1).catch(() => undefined);
  return true;
}
