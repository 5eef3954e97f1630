/** Renames a symbol across the files of a project. Evaluates and writes nothing. */
import path from 'node:path';
import type { FileCaller } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import type { Note } from '../../contract/note';
import { diagnosisOf, diagnosisText } from '../diagnosis';
import { type Dialect, dialectOfFile } from '../dialect';
import type { ReadableFiles } from '../files';
import { readFile } from '../own-syntax';
import { filesBelow } from '../search';
import { type Text, textOf } from '../text';
import { renameInClojure } from './clojure-renaming';
import { renameInLisp } from './lisp-renaming';
import { type RenameRequest, type Renaming, refusal, type SourceFile } from './renaming';

const RENAMED = { 'common-lisp': renameInLisp, clojure: renameInClojure } as const;

/**
 * @param files every Lisp file of the project with matching delimiters
 * @throws HarborError `bad_arguments` for a symbol that does not occur or is ambiguous, and for a new name
 *   that is in use
 */
export function renameInFiles(files: readonly SourceFile[], request: RenameRequest): Renaming {
  const dialects = dialectsOf(files, request);
  const outcomes = dialects.map((dialect) => {
    const own = files.filter(({ source }) => source.dialect === dialect);
    return attempted(() => RENAMED[dialect](own, request));
  });
  const done = outcomes.filter((each): each is Renaming => !(each instanceof HarborError));
  const [first, second] = done;
  if (first && second)
    throw refusal(
      `${first.symbol} and ${second.symbol} both exist. Name it with its package or namespace, or give the path.`,
    );
  if (first) return first;
  const refusals = outcomes.filter((each) => each instanceof HarborError);
  throw (
    refusals.find(({ message }) => !message.startsWith('No file')) ??
    refusals[0] ??
    refusal('The project has no Lisp files.')
  );
}

/** Returns the dialects that the symbol may belong to; `/` occurs in names of both. */
function dialectsOf(files: readonly SourceFile[], { name, path }: RenameRequest): Dialect[] {
  const named = files.find((file) => file.path === path);
  if (named) return [named.source.dialect];
  if (/^[^:|]+::?./.test(name)) return ['common-lisp'];
  const all: Dialect[] = ['common-lisp', 'clojure'];
  return all.filter((dialect) => files.some(({ source }) => source.dialect === dialect));
}

function attempted(rename: () => Renaming): Renaming | HarborError {
  try {
    return rename();
  } catch (error) {
    if (error instanceof HarborError) return error;
    throw error;
  }
}

/** A file of the project as it was read; `path` is relative to the project. */
export interface ProjectFile extends SourceFile, Pick<Text, 'encoding'> {
  real: string;
  hash: string;
}

interface ReadRequest {
  /** The symbol, with or without its package or namespace. */
  name: string;
  /** Files and folders to leave out, relative to the project. */
  skip?: readonly string[] | undefined;
  signal: AbortSignal;
  caller: FileCaller;
}

/** Limits of a rename: files and milliseconds. Other calls wait meanwhile. */
const MAX_FILES = 5_000;
const MAX_RENAME_MS = 20_000;

/**
 * Reads every Lisp file in the project folder.
 * @throws HarborError `took_too_long`; `bad_arguments` for files that contain the name and cannot be read as forms
 */
export async function readForRename(
  files: ReadableFiles,
  project: string,
  { name: symbol, skip = [], signal, caller }: ReadRequest,
): Promise<{ files: ProjectFile[]; notes: Note[] }> {
  const name = simpleName(symbol).toLowerCase();
  const [found, broken, notes]: [ProjectFile[], string[], Note[]] = [[], [], []];
  const end = Date.now() + MAX_RENAME_MS;
  const below = { path: '.', caller, signal, isWanted: (file: string) => dialectOfFile(file) !== null };
  const skipped = skip.map((each) => path.normalize(each).replace(/\/$/, ''));
  const isSkipped = (file: string) =>
    skipped.some((each) => file === each || file.startsWith(`${each}/`)) || file.startsWith('..');
  for await (const file of filesBelow(files, project, below, notes)) {
    if (Date.now() > end || found.length === MAX_FILES || signal.aborted)
      throw new HarborError(
        'took_too_long',
        `More than ${found.length} Lisp files: too many for one rename. Skip folders.`,
      );
    const shown = path.relative(project, file.path);
    const [text, dialect] = [textOf(file.bytes), dialectOfFile(file.path)];
    if (!text || !dialect || isSkipped(shown)) continue;
    const source = readFile(text.text, dialect);
    const diagnosis = text.text.toLowerCase().includes(name) ? diagnosisOf(source) : null;
    if (diagnosis) broken.push(`${shown}: ${diagnosisText(diagnosis)}`);
    found.push({ path: shown, source, encoding: text.encoding, real: file.path, hash: file.hash });
  }
  if (broken.length === 0) return { files: found, notes };
  throw new HarborError(
    'bad_arguments',
    [
      'Nothing was renamed: these files contain the name and cannot be read. Fix them, or exclude them by skip.',
      ...broken,
    ].join('\n'),
  );
}

/** Returns the name without package or namespace. Every text that uses the symbol contains it. */
function simpleName(name: string): string {
  return /([^:/|]+)\|?$/.exec(name)?.[1] ?? name;
}
