/** Renames a symbol across the files of the project. Writes all files that contain it, or none. */

import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { Note } from '../../contract/note';
import type { FileToChange } from '../../source/files';
import { type ProjectFile, readForRename, renameInFiles } from '../../source/rename/rename';
import {
  type FileRenaming,
  type Renaming,
  type SourceFile,
  type TextKind,
  changedText as textWith,
} from '../../source/rename/renaming';
import { bytesOf, Positions } from '../../source/text';

import { shortPath } from '../source-places';
import type { Caller, ToolResult } from '../tool';
import type { EditFormResult } from './form-edits';
import {
  type ChangedFile,
  changedText,
  changeFiles,
  type FileToolOptions,
  fileCaller,
  fileOf,
} from './text-files';

interface RenameOrder {
  path?: string | undefined;
  form_name?: string | undefined;
  new_name?: string | undefined;
  also?: readonly TextKind[] | undefined;
  skip?: readonly string[] | undefined;
  dry_run?: boolean | undefined;
}

/**
 * @throws HarborError `bad_arguments`, `took_too_long`; `hash_mismatch` if a file changed meanwhile; as
 *   `changeFiles`
 */
export async function renameInProject(
  order: RenameOrder,
  caller: Caller,
  options: FileToolOptions,
): Promise<ToolResult<EditFormResult>> {
  const { form_name: name, new_name: newName, dry_run: isDry = false } = order;
  if (name === undefined || newName === undefined)
    throw new HarborError('bad_arguments', 'rename needs form_name, the symbol, and new_name.');
  const { files, notes } = await readForRename(options.files, caller.project, {
    ...{ name, skip: order.skip, signal: caller.signal, caller: fileCaller(caller) },
  });
  const requested =
    order.path === undefined ? null : shortPath(path.resolve(caller.project, order.path), caller.project);
  const request = { name, newName, path: fileNamed(requested, files), also: new Set(order.also) };
  const renaming = renameInFiles(files, request);
  const touched = renaming.files.filter(({ changes }) => changes.length > 0);
  const written = await changed(touched, isDry, caller, options);
  return answer(renaming, touched, { newName, isDry, written, notes });
}

/** @throws HarborError `bad_arguments` if the path is not among the files */
function fileNamed(requested: string | null, files: readonly ProjectFile[]): string | null {
  if (requested === null || requested === '') return null;
  if (files.some((file) => file.path === requested)) return requested;
  throw new HarborError(
    'bad_arguments',
    `${requested} is not a Lisp file of the project, so it cannot tell the package of the name. Qualify the symbol and leave out path.`,
  );
}

async function changed(
  touched: readonly FileRenaming[],
  isDry: boolean,
  caller: Caller,
  options: FileToolOptions,
): Promise<ReadonlyMap<string, ChangedFile>> {
  const files = touched.map(({ file }) => file as ProjectFile);
  const { changed: byPlace } = await changeFiles(
    files.map(({ real }) => real),
    caller,
    options,
    (found) => {
      refuseUnwritable(found, files);
      const bytes = touched.map((each, index): [string, Uint8Array] => {
        const { encoding, real } = files[index] as ProjectFile;
        return [real, bytesOf({ text: textWith(each), encoding })];
      });
      return { bytes: new Map(isDry ? [] : bytes), answer: null };
    },
  );
  return byPlace;
}

/** @throws HarborError naming every file that cannot be written, or has changed since it was read */
function refuseUnwritable(found: readonly FileToChange[], files: readonly ProjectFile[]): void {
  const refusals = found.flatMap((each, index) => {
    const { path: shown, hash } = files[index] as ProjectFile;
    try {
      if (fileOf(each).hash === hash) return [];
      return [new HarborError('hash_mismatch', `${shown} has changed meanwhile. Call again.`)];
    } catch (error) {
      if (error instanceof HarborError) return [error];
      throw error;
    }
  });
  const [first] = refusals;
  if (!first) return;
  const lines = ['Nothing was renamed. skip excludes files.', ...refusals.map(({ message }) => message)];
  throw new HarborError(first.code, lines.join('\n'));
}

interface Outcome {
  newName: string;
  isDry: boolean;
  written: ReadonlyMap<string, ChangedFile>;
  notes: readonly Note[];
}

function answer(
  { symbol, files: all, notes }: Renaming,
  touched: readonly FileRenaming[],
  { newName, isDry, written, notes: more }: Outcome,
): ToolResult<EditFormResult> {
  const files = touched.map((each): RenamedPlaces => {
    const { file, changes } = each;
    const lines = linesOf(file, changes);
    const changedFile = written.get((file as ProjectFile).real);
    if (!changedFile) throw new Error(`${file.path} was not written`);
    return { ...changedFile, count: changes.length, lines, text: textWith(each) };
  });
  const similar = all.flatMap(({ file, left: places }) => {
    const kinds = [...new Set(places.map(({ kind }) => kind))];
    return kinds.map((kind) => ({
      kind,
      path: file.path,
      lines: linesOf(
        file,
        places.filter((each) => each.kind === kind),
      ),
    }));
  });
  const allNotes = [...notes, ...more];
  return {
    structured: {
      files: files.map(({ path: shown, hash, count, lines }) => ({ path: shown, hash, count, lines })),
      left: similar,
      written: !isDry,
      notes: allNotes,
    },
    text: renameText({ symbol, newName, isDry, files, similar }),
    notes: allNotes,
    isError: false,
  };
}

/** Returns each line number once, in order. */
function linesOf({ source }: SourceFile, places: readonly { start: number }[]): number[] {
  const positions = new Positions(source.text);
  return [...new Set(places.map(({ start }) => positions.line(start)))].sort((one, other) => one - other);
}

/** Text that reports a rename: counts and lines, and similar occurrences that were not renamed. */
interface RenamedPlaces extends ChangedFile {
  count: number;
  lines: number[];
  /** The new text of the file. */
  text: string;
}

interface SkippedPlaces {
  kind: string;
  path: string;
  lines: number[];
}

interface Renamed {
  symbol: string;
  newName: string;
  isDry: boolean;
  files: readonly RenamedPlaces[];
  similar: readonly SkippedPlaces[];
}

/** Maximum number of line numbers per file, of lines shown by a dry run, and of characters of each line. */
const MAX_NUMBERS = 30;
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 120;
/** Maximum number of files named for occurrences that were not renamed. */
const MAX_SKIPPED = 10;

function renameText({ symbol, newName, isDry, files, similar }: Renamed): string {
  const count = files.reduce((sum, file) => sum + file.count, 0);
  const places = `${count} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return [
    ...(isDry ? shownLines(files) : []),
    `; ${symbol} ${isDry ? 'would be' : 'is now'} ${newName}: ${places}`,
    ...files.map((file) => `; ${file.count} in lines ${numbers(file.lines)} · ${changedText(file)}`),
    ...skippedTexts(similar),
  ].join('\n');
}

function shownLines(files: readonly RenamedPlaces[]): string[] {
  const all = files.flatMap(({ path, lines, text }) => {
    const written = text.split('\n');
    return lines.map(
      (line) => `${path}:${line}: ${(written[line - 1] ?? '').trim().slice(0, MAX_LINE_LENGTH)}`,
    );
  });
  const more = all.length - MAX_LINES;
  return more > 0 ? [...all.slice(0, MAX_LINES), `and ${more} more lines`] : all;
}

function skippedTexts(similar: readonly SkippedPlaces[]): string[] {
  const kinds = [...new Set(similar.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const places = similar.filter((each) => each.kind === kind);
    const shown = places.slice(0, MAX_SKIPPED).map(({ path, lines }) => `${path}:${numbers(lines)}`);
    const more = places.length - shown.length;
    return `; not renamed (${kind}): ${shown.join(' · ')}${more > 0 ? ` and in ${more} more files` : ''}`;
  });
}

function numbers(lines: readonly number[]): string {
  const more = lines.length - MAX_NUMBERS;
  return `${lines.slice(0, MAX_NUMBERS).join(',')}${more > 0 ? ` and ${more} more` : ''}`;
}
