/**
 * Replay in ACL2. The changes that the history tells come to a stack of commands. That stack is submitted again, on top of
 * the commands of the checkpoint from which the image was started. What changed no world, or was undone, does not come back.
 */

import { lispString } from '../../contract/knowledge';
import { FROM_CHECKPOINT } from '../../contract/report';
import type { CommandSource } from '../../contract/world';
import type { ReplayEntry } from '../checkpoints';
import { CodeReplayer } from '../code-replayer';
import { harborForm } from './requests';
import { type SavedWorld, submittedEntries } from './saved-world';

/** A command, and the evaluation that brought it. */
interface Origin {
  id: number;
  source: CommandSource;
}

export class Acl2Replayer extends CodeReplayer {
  readonly #saved: SavedWorld | null;

  /** @param saved the checkpoint that the image is to begin with; its world holds nothing of it yet */
  constructor(saved: SavedWorld | null) {
    super();
    this.#saved = saved;
  }

  override get pending(): boolean {
    return this.#saved !== null;
  }

  replayCode(entries: readonly ReplayEntry[], packageAfter: string): string {
    const saved = (this.#saved?.commands ?? []).map((source) => ({ id: FROM_CHECKPOINT, source }));
    const packageName = entries.length === 0 ? (this.#saved?.package ?? packageAfter) : packageAfter;
    return [
      harborForm('replay', submittedEntries(commandsOf(saved, entries))),
      `(acl2::in-package ${lispString(packageName)})`,
    ].join('\n');
  }
}

function commandsOf(saved: readonly Origin[], entries: readonly ReplayEntry[]): Origin[] {
  const stack = [...saved];
  for (const { id, change } of entries) {
    if (change === null) continue;
    stack.length = Math.min(stack.length, change.kept);
    for (const source of change.added) stack.push({ id, source });
  }
  return stack;
}
