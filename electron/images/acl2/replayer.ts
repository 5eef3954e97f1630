/**
 * Replay in ACL2: the stack of commands that the changes of the history come to is submitted again. Forms that changed
 * no world do not come back, and nothing that was undone does.
 */

import { lispString } from '../../contract/lisp-string';
import type { CommandSource } from '../../contract/world-change';
import type { ReplayEntry } from '../checkpoints';
import { CodeReplayer } from '../code-replayer';
import { harborForm } from './harbor-forms';

/** A command, and the evaluation that brought it. */
interface Origin {
  id: number;
  source: CommandSource;
}

export class Acl2Replayer extends CodeReplayer {
  replayCode(entries: readonly ReplayEntry[], packageAfter: string): string {
    const lists = commandsOf(entries).map(
      ({ id, source: { form, folder, file } }) =>
        `(${id} ${lispString(form)} ${lispString(folder ?? '')} ${lispString(file ?? '')})`,
    );
    return [
      harborForm('replay', `(${lists.join('\n')})`),
      `(acl2::in-package ${lispString(packageAfter)})`,
    ].join('\n');
  }
}

function commandsOf(entries: readonly ReplayEntry[]): Origin[] {
  const stack: Origin[] = [];
  for (const { id, change } of entries) {
    if (change === null) continue;
    stack.length = Math.min(stack.length, change.kept);
    for (const source of change.added) stack.push({ id, source });
  }
  return stack;
}
