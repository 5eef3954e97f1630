/** A state of ACL2's world as a file: the commands that it is a stack of, each as it can be submitted again. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { CommandSource } from '../../contract/world';
import { boundedJson } from '../../host/bounded-json';
import { readWithin } from '../../sandbox/file-within';
import { realPath } from '../../sandbox/real-path';

/** Of a file; the image can write where it lies. */
const MOST_BYTES = 40 * 1024 * 1024;

/** What the helper answers to `keep` and `stack`, and what a file holds. */
export const SavedWorld = z.object({ package: z.string(), commands: z.array(CommandSource) });
export type SavedWorld = z.infer<typeof SavedWorld>;

/** @returns how many bytes that are @throws Error as the file system says it */
export async function writeSavedWorld(file: string, world: SavedWorld): Promise<number> {
  const text = Buffer.from(JSON.stringify(world), 'utf8');
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return text.length;
}

/** @throws HarborError `unknown_checkpoint` where the file is gone, or is none */
export async function readSavedWorld(file: string): Promise<SavedWorld> {
  try {
    const bytes = await readWithin(realPath(path.dirname(file)), path.basename(file), MOST_BYTES);
    return SavedWorld.parse(boundedJson(bytes?.toString() ?? ''));
  } catch {
    throw new HarborError(
      'unknown_checkpoint',
      'The file of this checkpoint is gone or was changed. Drop it: its commands are in the history.',
    );
  }
}

/** Whether all of `part` is at the bottom of `whole`. */
export function isBottomOf(part: readonly CommandSource[], whole: readonly CommandSource[]): boolean {
  return part.every((command, place) => {
    const other = whole[place];
    return other?.form === command.form && other.folder === command.folder && other.file === command.file;
  });
}

/** Commands with the evaluations that they count for, as the helper takes them (resources/lisp/acl2/replaying.lisp). */
export function submittedEntries(commands: Iterable<{ id: number; source: CommandSource }>): string {
  const lists = [...commands].map(
    ({ id, source: { form, folder, file } }) =>
      `(${id} ${lispString(form)} ${lispString(folder ?? '')} ${lispString(file ?? '')})`,
  );
  return `(${lists.join('\n')})`;
}
