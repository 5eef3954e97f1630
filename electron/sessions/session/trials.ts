/** Evaluations that are tried: each in a branch of the session's image, which is thrown away when it has been evaluated. */
import { asFailure } from '../../contract/errors';
import type { EvaluateRequest, Image, ImageOutcome, OutputSink } from '../../images/image';
import { nothingRan } from './outcomes';
import type { RunningEvaluation } from './running-evaluation';

export class Trials {
  readonly #branches = new Map<RunningEvaluation, Promise<Image>>();

  /** The branch in which `evaluation` is tried; undefined for all others. */
  async imageOf(evaluation: RunningEvaluation): Promise<Image | undefined> {
    return this.#branches.get(evaluation)?.catch(() => undefined);
  }

  /** Refused, with the reason, when the image cannot be branched now. Never rejects for what the code does. */
  async run(
    evaluation: RunningEvaluation,
    image: Image,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<ImageOutcome> {
    const branching = image.brancher?.branch() ?? Promise.reject(new Error('This image has no branches.'));
    this.#branches.set(evaluation, branching);
    try {
      const branch = await branching;
      const outcome = await branch.evaluate(request, sink);
      await branch.end();
      return { ...outcome, package: image.package, notes: [...outcome.notes, thrownAway(outcome)] };
    } catch (error) {
      return nothingRan('refused', image.package, `This was not tried: ${asFailure(error).message}`);
    } finally {
      this.#branches.delete(evaluation);
    }
  }
}

function thrownAway({ outcome }: ImageOutcome): string {
  return outcome === 'crashed'
    ? 'This ended the branch in which it was tried; the session is as it was.'
    : 'This was tried in a branch, which is gone: the session is as it was.';
}
