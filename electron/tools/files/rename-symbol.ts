/** Renames a symbol over the files of the project: all that hold it are written, or none is. */
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import type { FileToChange } from '../../source/files';
import { Positions } from '../../source/positions';
import { read } from '../../source/reader';
import { renamed } from '../../source/rename/rename';
import {
  type Also,
  type FileRenaming,
  type Renaming,
  type SourceFile,
  changedText as textWith,
} from '../../source/rename/renaming';
import { filesBelow } from '../../source/search';
import { bytesOf, type Text, textOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import type { Caller, ToolResult } from '../tool';
import { type ChangedFile, changeFiles, fileOf } from './changed-files';
import type { EditFormResult } from './edit-form-tool';
import { type RenamedPlaces, renameText } from './rename-text';
import { type FileToolOptions, fileCaller } from './text-files';

export interface RenameOrder {
  path?: string | undefined;
  form_name?: string | undefined;
  new_name?: string | undefined;
  also?: readonly Also[] | undefined;
  skip?: readonly string[] | undefined;
  dry_run?: boolean | undefined;
}

/** More would keep everybody waiting. */
const MOST_FILES = 5_000;
const LONGEST_MS = 20_000;

/** A file of the project as it was read. */
interface ReadFile extends SourceFile, Pick<Text, 'encoding'> {
  real: string;
  hash: string;
}

/** @throws HarborError `bad_arguments`, `took_too_long`; `hash_mismatch` for a file that changed meanwhile; as `changeFiles` */
export async function renameSymbol(
  order: RenameOrder,
  caller: Caller,
  options: FileToolOptions,
): Promise<ToolResult<EditFormResult>> {
  const { form_name: name, new_name: newName, dry_run: isDry = false } = order;
  if (name === undefined || newName === undefined)
    throw new HarborError('bad_arguments', 'rename needs form_name, the symbol, and new_name.');
  const { files, notes } = await readAll(order, simpleName(name), caller, options);
  const asked =
    order.path === undefined ? null : shortPath(path.resolve(caller.project, order.path), caller.project);
  const request = { name, newName, path: fileNamed(asked, files), also: new Set(order.also) };
  const renaming = renamed(files, request);
  const touched = renaming.files.filter(({ changes }) => changes.length > 0);
  const written = await changed(touched, isDry, caller, options);
  return answer(renaming, touched, { newName, isDry, written, notes });
}

/** @throws HarborError `bad_arguments` for a path that is none of the files */
function fileNamed(asked: string | null, files: readonly ReadFile[]): string | null {
  if (asked === null || asked === '') return null;
  if (files.some((file) => file.path === asked)) return asked;
  throw new HarborError(
    'bad_arguments',
    `${asked} is no Lisp file of the project, in which the name could be understood. Name the symbol in full, without path.`,
  );
}

/** Without its package or namespace, as it must occur in every text that holds it. */
function simpleName(name: string): string {
  return /([^:/|]+)\|?$/.exec(name)?.[1] ?? name;
}

/** Every Lisp file in the project's own folder. @throws HarborError for those that hold the name and cannot be read as forms */
async function readAll(
  { skip = [] }: RenameOrder,
  name: string,
  caller: Caller,
  { files }: FileToolOptions,
): Promise<{ files: ReadFile[]; notes: string[] }> {
  const [found, broken, notes]: [ReadFile[], string[], string[]] = [[], [], []];
  const end = Date.now() + LONGEST_MS;
  const below = {
    ...{ path: '.', caller: fileCaller(caller), signal: caller.signal },
    isWanted: (name: string) => dialectOfFile(name) !== null,
  };
  const left = skip.map((each) => path.normalize(each).replace(/\/$/, ''));
  for await (const file of filesBelow(files, caller.project, below, notes)) {
    if (Date.now() > end || found.length === MOST_FILES || caller.signal.aborted)
      throw new HarborError(
        'took_too_long',
        `More than ${found.length} Lisp files are not read at once: skip folders.`,
      );
    const shown = shortPath(file.path, caller.project);
    const [text, dialect] = [textOf(file.bytes), dialectOfFile(file.path)];
    const isOutside = shown === file.path;
    if (!text || !dialect || isOutside || left.some((each) => shown === each || shown.startsWith(`${each}/`)))
      continue;
    const source = read(text.text, dialect);
    const diagnosis = text.text.toLowerCase().includes(name.toLowerCase()) ? diagnosisOf(source) : null;
    if (diagnosis) broken.push(`${shown}: ${diagnosisText(diagnosis)}`);
    found.push({ path: shown, source, encoding: text.encoding, real: file.path, hash: file.hash });
  }
  if (broken.length === 0) return { files: found, notes };
  throw new HarborError(
    'bad_arguments',
    [
      'Nothing was renamed: these files hold the name and cannot be read. Mend them, or leave them out by skip.',
      ...broken,
    ].join('\n'),
  );
}

async function changed(
  touched: readonly FileRenaming[],
  isDry: boolean,
  caller: Caller,
  options: FileToolOptions,
): Promise<ReadonlyMap<string, ChangedFile>> {
  const files = touched.map(({ file }) => file as ReadFile);
  const { changed: byPlace } = await changeFiles(
    files.map(({ real }) => real),
    caller,
    options,
    (found) => {
      refuseUnwritable(found, files);
      const bytes = touched.map((each, index): [string, Uint8Array] => {
        const { encoding, real } = files[index] as ReadFile;
        return [real, bytesOf({ text: textWith(each), encoding })];
      });
      return { bytes: new Map(isDry ? [] : bytes), answer: null };
    },
  );
  return byPlace;
}

/** @throws HarborError naming every file that cannot be written, or is no longer what was read */
function refuseUnwritable(found: readonly FileToChange[], files: readonly ReadFile[]): void {
  const refusals = found.flatMap((each, index) => {
    const { path: shown, hash } = files[index] as ReadFile;
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
  const lines = ['Nothing was renamed. skip leaves files out.', ...refusals.map(({ message }) => message)];
  throw new HarborError(first.code, lines.join('\n'));
}

interface Outcome {
  newName: string;
  isDry: boolean;
  written: ReadonlyMap<string, ChangedFile>;
  notes: readonly string[];
}

function answer(
  { symbol, files: all, notes }: Renaming,
  touched: readonly FileRenaming[],
  { newName, isDry, written, notes: more }: Outcome,
): ToolResult<EditFormResult> {
  const files = touched.map((each): RenamedPlaces => {
    const { file, changes } = each;
    const lines = linesOf(file, changes);
    const changedFile = written.get((file as ReadFile).real);
    if (!changedFile) throw new Error(`${file.path} was not written`);
    return { ...changedFile, count: changes.length, lines, text: textWith(each) };
  });
  const left = all.flatMap(({ file, left: places }) => {
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
  const told = [...notes, ...more];
  return {
    structured: {
      files: files.map(({ path: shown, hash, count, lines }) => ({ path: shown, hash, count, lines })),
      left,
      written: !isDry,
      notes: told,
    },
    text: renameText({ symbol, newName, isDry, files, left, notes: told }),
    isError: false,
  };
}

/** Each once, in order. */
function linesOf({ source }: SourceFile, places: readonly { start: number }[]): number[] {
  const positions = new Positions(source.text);
  return [...new Set(places.map(({ start }) => positions.line(start)))].sort((one, other) => one - other);
}
