/** Searches the files of a folder for definitions, uses and text, without an image. */

import path from 'node:path';
import type { FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { type Note, note } from '../contract/note';
import { type Dialect, dialectOfFile } from './dialect';
import type { DirectoryEntry, FileBytes, ReadableFiles } from './files';
import { jarEntries, jarFile } from './jar';
import { type Match, type SearchKind, type SearchQuery, searchText } from './matches';
import { QualifiedName } from './qualified-name';
import { LARGEST_FILE, textOf } from './text';

/** The files to search. */
interface SearchPlace {
  /** A folder or a file, as `GuardedFiles` accepts it. */
  path: string;
  signal: AbortSignal;
  /** On whose behalf the user may be asked about the path itself; files below it are never asked about. */
  caller: FileCaller;
  /** Filter of file names in a folder; absent: all. */
  isWanted?: (name: string) => boolean;
  /** Whether to skip subfolders. */
  flat?: boolean;
}

interface SearchRequest extends SearchPlace {
  kind: SearchKind;
  query: string;
  limit: number;
  /** Only files of this dialect; absent: both. */
  dialect?: Dialect;
}

/** A match in a file; the path is the real one. */
export interface Found extends Match {
  file: string;
}

interface SearchResult {
  matches: Found[];
  /** Number of matches, including those beyond the limit. */
  total: number;
  notes: Note[];
}

/** Time limit in milliseconds. */
const LONGEST_MS = 20_000;

/** @throws HarborError as `GuardedFiles.read` for the path itself; unreadable files below it are skipped */
export async function search(
  files: ReadableFiles,
  project: string,
  request: SearchRequest,
): Promise<SearchResult> {
  const result: SearchResult = { matches: [], total: 0, notes: [] };
  const symbol = await symbolOf(files, project, request);
  for await (const file of filesAt(files, project, request, result.notes)) {
    for (const match of searchFile(file, { ...request, symbol })) {
      result.total += 1;
      if (result.matches.length < request.limit) result.matches.push({ ...match, file: file.path });
    }
  }
  return result;
}

/**
 * Yields the files to search until the time limit. Adds what was skipped to `notes`.
 * @throws HarborError as `search`
 */
export async function* filesAt(
  files: ReadableFiles,
  project: string,
  place: SearchPlace,
  notes: Note[],
): AsyncGenerator<FileBytes> {
  const end = Date.now() + LONGEST_MS;
  for await (const file of filesBelow(files, project, place, notes)) {
    if (place.signal.aborted || Date.now() > end) {
      notes.push(
        note('search_limits', `Not all files were searched within ${LONGEST_MS / 1000} s. Narrow path.`),
      );
      return;
    }
    yield file;
  }
}

/** Returns a qualified name of Common Lisp with the packages of the project's files; null for any other query. */
async function symbolOf(
  files: ReadableFiles,
  project: string,
  { kind, query, dialect, path: place, ...request }: SearchRequest,
): Promise<QualifiedName | null> {
  const symbol = kind === 'text' || dialect === 'clojure' ? null : QualifiedName.of(query);
  if (symbol === null) return null;
  const learned = new Set<string>();
  for (const root of ['.', place]) {
    const isWanted = (name: string) => dialectOfFile(name) === 'common-lisp';
    for await (const { path: file, bytes } of filesAt(
      files,
      project,
      { ...request, path: root, isWanted },
      [],
    )) {
      if (learned.has(file) || bytes.length > LARGEST_FILE || dialectOfFile(file) !== 'common-lisp') continue;
      learned.add(file);
      symbol.learn(file, textOf(bytes)?.text ?? '');
    }
  }
  return symbol;
}

function searchFile(
  { path: file, bytes }: { path: string; bytes: Uint8Array },
  request: SearchRequest & SearchQuery,
): Match[] {
  const dialect = dialectOfFile(file);
  if (bytes.length > LARGEST_FILE || (dialect === null && request.kind !== 'text')) return [];
  if (request.dialect !== undefined && request.dialect !== dialect) return [];
  const text = textOf(bytes)?.text;
  return text === undefined ? [] : searchText(text, dialect, request);
}

/**
 * Yields every file once, even if several links lead to it, parent folders before subfolders. Adds what was
 * skipped to `notes`.
 */
export async function* filesBelow(
  files: ReadableFiles,
  project: string,
  { path: root, caller, isWanted = () => true, flat = false }: SearchPlace,
  notes: Note[],
): AsyncGenerator<FileBytes> {
  const folder = await files.list(project, root, caller).catch(nullForFile);
  if (folder === null) {
    const file = await files.read(project, root, caller);
    if (/\.jar$/i.test(file.path)) yield* filesIn(file);
    else yield file;
    return;
  }
  const folders = [folder];
  const seen = new Set<string>();
  const isNew = ({ path: at }: { path: string }) => !seen.has(at) && seen.add(at).has(at);
  isNew(folder);
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    if (!next.complete) notes.push(incompleteFolderNote(next.path));
    const entries = visibleEntries(next.entries);
    const names = entries.flatMap(({ name, type }) => (type === 'file' && isWanted(name) ? [name] : []));
    for await (const file of files.readEach(project, next.path, names)) if (isNew(file)) yield file;
    for (const { name, type } of flat ? [] : entries) {
      if (type === 'file') continue;
      const found = await files.list(project, path.join(next.path, name)).catch(nullForRefused);
      if (found && isNew(found)) folders.push(found);
    }
  }
}

/** Yields the Lisp files of a jar. */
function* filesIn(jar: FileBytes): Generator<FileBytes> {
  for (const entry of jarEntries(jar.bytes)) {
    const bytes = dialectOfFile(entry.name) === null ? null : jarFile(jar.bytes, entry);
    if (bytes !== null) yield { path: `${jar.path}!/${entry.name}`, bytes, hash: jar.hash };
  }
}

function nullForFile(error: unknown): null {
  if (error instanceof HarborError && error.code === 'not_a_file') return null;
  throw error;
}

function nullForRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}

/** Folders with built or downloaded files. */
const BUILT_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'target',
  'out',
  'build',
  'dist',
  '__pycache__',
]);
/** Files that compilers and linkers write. */
const BUILT_FILES = /\.(?:fasl|fas|[a-z0-9]*fsl|abcl|cert|port|class|jar|o|a|so|dylib|dll|exe|core|pyc)$|~$/i;

/** Returns a note about a folder with too many entries. */
export function incompleteFolderNote(shown: string): Note {
  return note('incomplete', `${shown} has too many entries: the list is incomplete.`);
}

/**
 * Returns the entries to read, sorted by name with folders first; without hidden files and build results.
 * @param hidden whether to include names that start with a dot
 */
export function visibleEntries(entries: readonly DirectoryEntry[], hidden = false): DirectoryEntry[] {
  return entries
    .filter((entry) => (hidden || !entry.name.startsWith('.')) && !isBuilt(entry))
    .sort((one, other) => order(one, other));
}

function isBuilt({ name, type }: DirectoryEntry): boolean {
  return type === 'file' ? BUILT_FILES.test(name) : BUILT_FOLDERS.has(name);
}

function order(one: DirectoryEntry, other: DirectoryEntry): number {
  if (one.type !== other.type) return one.type === 'directory' ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
