/** Replay in SBCL: a call of the function that resources/lisp/replay.lisp defines. */
import { lispString } from '../../contract/lisp-string';
import type { ReplayEntry, Replayer } from '../checkpoints';
import type { Image, ImageOutcome } from '../image';

/** Names a replay to its image: no row of the history has this id. */
const REPLAY_ID = -1;

export class SbclReplayer implements Replayer {
  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome> {
    const lists = entries.map(
      ({ id, package: name, formCount, code }) =>
        `(${id} ${lispString(name)} ${formCount} ${lispString(code)})`,
    );
    const code = `(lisp-harbor:replay '(${lists.join(' ')}) ${lispString(packageAfter)})`;
    return image.evaluate({ id: REPLAY_ID, code }, () => undefined);
  }
}
