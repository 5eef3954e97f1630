/** Several files that a call changes as one step; what they held is kept in the history. */
import { HarborError } from '../../contract/errors';
import { PartlyWritten } from '../../sandbox/files-at-once';
import type { EditedAll, FileToChange } from '../../source/files';
import { shortPath } from '../source-places';
import { changeable, type FileToolOptions, rowOf, type Writing } from './text-files';

/** A file after a change. */
export interface ChangedFile {
  /** Relative to the project where it is inside. */
  path: string;
  hash: string;
  /** The row of the history that keeps what it held; null for a new one, and for one that was not written. */
  kept: number | null;
  written: boolean;
}

/**
 * @param edit answers the files' new bytes by their real paths
 * @returns those files that were asked for and are there, by their real paths
 * @throws HarborError as `GuardedFiles.changeAll`; whatever `edit` throws
 */
export async function changeFiles<A>(
  paths: readonly string[],
  caller: Writing,
  { files, history }: FileToolOptions,
  edit: (files: readonly FileToChange[]) => EditedAll<A>,
): Promise<{ answer: A; changed: ReadonlyMap<string, ChangedFile> }> {
  for (const path of paths) changeable(path);
  const kept = new Map<string, number>();
  const [rows, written] = [new Map<string, number>(), new Set<string>()];
  const keep = (found: readonly FileToChange[], bytes: EditedAll<A>['bytes']) => {
    for (const each of found) {
      if (!('path' in each) || !bytes.has(each.path) || written.has(each.path)) continue;
      written.add(each.path);
      const held = 'file' in each ? each.file.bytes : null;
      const row = history.replacedFiles.add(rowOf(caller, each.path, held));
      rows.set(each.path, row);
      if (held !== null) kept.set(each.path, row);
    }
  };
  try {
    const { hashes, answer } = await files.changeAll(caller.project, paths, (found) => {
      const edited = edit(found);
      keep(found, edited.bytes);
      return edited;
    });
    const changed = [...hashes].map(([real, hash]): [string, ChangedFile] => [
      real,
      {
        path: shortPath(real, caller.project),
        hash,
        kept: kept.get(real) ?? null,
        written: written.has(real),
      },
    ]);
    return { answer, changed: new Map(changed) };
  } catch (error) {
    const left = error instanceof PartlyWritten ? error.paths : [];
    for (const [real, row] of rows) if (!left.includes(real)) history.replacedFiles.remove(row);
    throw error;
  }
}

/** Each file by its hash, and where what it held is. */
export function changedText({ path, hash, kept, written }: ChangedFile): string {
  return [path, `hash ${hash}`, ...(written ? [kept === null ? 'new' : `before: history:${kept}`] : [])].join(
    ' · ',
  );
}

/** The file of `found`. @throws HarborError for one that is not there or cannot be changed */
export function fileOf(found: FileToChange) {
  if ('file' in found) return found.file;
  throw 'missing' in found ? found.missing : found.refused;
}

/** @throws HarborError `file_exists` unless nothing is there yet */
export function newFileOf(found: FileToChange, shown: string): string {
  if ('missing' in found) return found.path;
  if ('refused' in found) throw found.refused;
  throw new HarborError(
    'file_exists',
    `${shown} exists already: change its forms. (\`write_file\` with its hash replaces it.)`,
  );
}
