/**
 * Checkpoints and replay of an ACL2 image. A world is determined by its commands. The checkpoint file
 * contains the commands; the image also keeps the world itself while it runs, so restoring it repeats no
 * proof.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { FROM_CHECKPOINT } from '../../contract/report';
import { CommandSource } from '../../contract/world';
import { boundedJson } from '../../host/json';
import { realPath } from '../../sandbox/paths';
import { readWithin } from '../../sandbox/project-files';
import { CodeReplayer } from '../image';
import type { Checkpoints, InPlaceRestore, ReplayEntry, SavedImage } from '../optional-groups';
import type { Acl2Queries } from './conversation';
import { harborForm } from './wire';

const NOT_SAVED =
  'Not saved, because they are not part of the logical world: state globals such as those set by ASSIGN, stobj contents, guard checking, compiled and traced functions.';

export class Acl2Checkpoints implements Checkpoints {
  readonly inPlaceRestore: InPlaceRestore = {
    code: (name) => harborForm('restore', lispString(name)),
    findCurrent: (files) => this.#findCurrent(files),
  };
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  async save(file: string): Promise<SavedImage> {
    const world = await this.#queries.query('keep', keyOf(file), {}, SavedWorld);
    try {
      return { bytes: await writeSavedWorld(file, world), missing: [NOT_SAVED] };
    } catch (error) {
      throw new HarborError('checkpoint_failed', `The checkpoint was not saved: ${asFailure(error).message}`);
    }
  }

  /**
   * Returns the code that restores `file`, as the helper reads it.
   * @throws HarborError `unknown_checkpoint`
   */
  async restoringCode(file: string): Promise<string> {
    const { package: packageName, commands } = await readSavedWorld(file);
    const entries = submittedEntries(commands.map((source) => ({ id: 0, source })));
    return harborForm('restore', `${lispString(keyOf(file))} ${lispString(packageName)} ${entries}`);
  }

  async #findCurrent(files: readonly string[]): Promise<string | null> {
    const { commands } = await this.#queries.query('stack', '', {}, SavedWorld);
    for (const file of files) {
      const saved = await readSavedWorld(file).catch(() => null);
      if (saved && isPrefix(commands, saved.commands)) return file;
    }
    return null;
  }
}

/** Returns the key under which the image keeps the world. */
function keyOf(file: string): string {
  return path.basename(file);
}

/** Maximum size of a checkpoint file. Code in the image can write to its folder. */
const MOST_BYTES = 40 * 1024 * 1024;

/** The answer to the queries `keep` and `stack`, and the contents of a checkpoint file. */
export const SavedWorld = z.object({ package: z.string(), commands: z.array(CommandSource) });
export type SavedWorld = z.infer<typeof SavedWorld>;

/**
 * Returns the number of bytes written.
 * @throws Error from the file system
 */
async function writeSavedWorld(file: string, world: SavedWorld): Promise<number> {
  const text = Buffer.from(JSON.stringify(world), 'utf8');
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return text.length;
}

/** @throws HarborError `unknown_checkpoint` if the file is missing or invalid */
export async function readSavedWorld(file: string): Promise<SavedWorld> {
  try {
    const bytes = await readWithin(realPath(path.dirname(file)), path.basename(file), MOST_BYTES);
    return SavedWorld.parse(boundedJson(bytes?.toString() ?? ''));
  } catch {
    throw new HarborError(
      'unknown_checkpoint',
      'The file of this checkpoint is missing or was changed. Drop the checkpoint; its commands are in the history.',
    );
  }
}

/** Reports whether `whole` starts with all commands of `part`. */
function isPrefix(part: readonly CommandSource[], whole: readonly CommandSource[]): boolean {
  return part.every((command, place) => {
    const other = whole[place];
    return other?.form === command.form && other.folder === command.folder && other.file === command.file;
  });
}

/** Returns commands with their evaluation ids in the form that resources/lisp/acl2/replaying.lisp reads. */
function submittedEntries(commands: Iterable<{ id: number; source: CommandSource }>): string {
  const lists = [...commands].map(
    ({ id, source: { form, folder, file } }) =>
      `(${id} ${lispString(form)} ${lispString(folder ?? '')} ${lispString(file ?? '')})`,
  );
  return `(${lists.join('\n')})`;
}

/** A command and the evaluation that added it. */
interface Origin {
  id: number;
  source: CommandSource;
}

/**
 * Replays the history. Its changes result in a stack of commands, which is submitted again on top of the
 * commands of the checkpoint that the image started from. Commands that changed no world or were undone are
 * not replayed.
 */
export class Acl2Replayer extends CodeReplayer {
  readonly #saved: SavedWorld | null;

  /** @param saved the checkpoint that the image starts from; its commands are not in the world yet */
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
