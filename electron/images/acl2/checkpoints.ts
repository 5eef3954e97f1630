/**
 * Checkpoints of an ACL2 image. Its world is a value that is known by its commands: those are the file, and the image
 * keeps the world itself as long as it lives, so that going back there proves nothing again.
 */
import path from 'node:path';
import { asFailure, HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import type { Checkpoints, GoingBack, SavedImage } from '../checkpoints';
import type { Acl2Queries } from './queries';
import { harborForm } from './requests';
import { isBottomOf, readSavedWorld, SavedWorld, submittedEntries, writeSavedWorld } from './saved-world';

const NOT_IN_IT =
  'What is not in the logical world: state globals such as those of ASSIGN, contents of stobjs, guard checking, compiled and traced functions.';

export class Acl2Checkpoints implements Checkpoints {
  readonly goingBack: GoingBack = {
    code: (name) => harborForm('restore', lispString(name)),
    heldBy: (files) => this.#heldBy(files),
  };
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  async save(file: string): Promise<SavedImage> {
    const world = await this.#queries.ask('keep', keyOf(file), {}, SavedWorld);
    try {
      return { bytes: await writeSavedWorld(file, world), missing: [NOT_IN_IT] };
    } catch (error) {
      throw new HarborError('checkpoint_failed', `The world was not saved: ${asFailure(error).message}`);
    }
  }

  /** The code that the helper is given to go back to `file`. @throws HarborError `unknown_checkpoint` */
  async restoringCode(file: string): Promise<string> {
    const { package: packageName, commands } = await readSavedWorld(file);
    const entries = submittedEntries(commands.map((source) => ({ id: 0, source })));
    return harborForm('restore', `${lispString(keyOf(file))} ${lispString(packageName)} ${entries}`);
  }

  async #heldBy(files: readonly string[]): Promise<string | null> {
    const { commands } = await this.#queries.ask('stack', '', {}, SavedWorld);
    for (const file of files) {
      const saved = await readSavedWorld(file).catch(() => null);
      if (saved && isBottomOf(commands, saved.commands)) return file;
    }
    return null;
  }
}

/** Under which the image keeps the world. */
function keyOf(file: string): string {
  return path.basename(file);
}
