/** One step of the interrupt ladder, taken on an image. */
import type { Image, InterruptStep } from '../../images/image';
import { inTime } from '../../images/patience';
import type { RunningEvaluation } from './running-evaluation';
import type { LadderStep } from './session-state';

/** How long a step may take before the next one is tried, in milliseconds of which the image had its share. */
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
  const isTold = step === 'abort' ? abort(image, level) : await told(image, evaluation, step);
  return isTold ? inTime(image, PATIENCE[step], evaluation.settled) : (await evaluation.within(0)) !== null;
}

/** Not waited for: a restart that loops keeps the debugger from answering. The next steps are for that. */
function abort(image: Image, level: number): boolean {
  image.debugger?.abort(level - 1).catch(() => undefined);
  return true;
}

/** An image that fails to pass the interrupt on has not told the evaluation: the next step is for that. */
async function told(image: Image, { id }: RunningEvaluation, step: InterruptStep): Promise<boolean> {
  return image.interrupt(id, step).catch(() => false);
}
