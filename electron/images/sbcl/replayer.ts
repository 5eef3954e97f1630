/** Replay in SBCL: a call of the function that resources/lisp/sbcl/replay.lisp defines. */
import { lispString } from '../../contract/knowledge';
import type { ReplayEntry } from '../checkpoints';
import { CodeReplayer } from '../code-replayer';

export class SbclReplayer extends CodeReplayer {
  replayCode(entries: readonly ReplayEntry[], packageAfter: string): string {
    const lists = entries.map(
      ({ id, package: name, formCount, code }) =>
        `(${id} ${lispString(name)} ${formCount} ${lispString(code)})`,
    );
    return `(lisp-harbor:replay '(${lists.join(' ')}) ${lispString(packageAfter)})`;
  }
}
