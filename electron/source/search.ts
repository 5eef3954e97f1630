/** Finds definitions, uses and texts in the files of a folder, without an image. */
import path from 'node:path';
import type { FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { type Dialect, dialectOfFile } from './dialect';
import type { FileBytes, GuardedFiles } from './files';
import { jarEntries, jarFile } from './jar';
import { cutFolder, listed } from './listed-files';
import { type Match, type SearchKind, searchText } from './matches';
import { LARGEST_FILE, textOf } from './text-file';

/** Where to search. */
export interface SearchPlace {
  /** A folder or a file, as `GuardedFiles` take it. */
  path: string;
  signal: AbortSignal;
  /** Whom a person may be asked for about the path itself, never about what is below it. */
  caller: FileCaller;
  /** Which files of a folder are read, by their names; absent: all. */
  isWanted?: (name: string) => boolean;
  /** Whether folders of a folder are left out. */
  flat?: boolean;
}

export interface SearchRequest extends SearchPlace {
  kind: SearchKind;
  query: string;
  limit: number;
  /** Only files of it; absent: of both. */
  dialect?: Dialect;
}

/** A match in a file, whose path is the real one. */
export interface Found extends Match {
  file: string;
}

export interface SearchResult {
  matches: Found[];
  /** Also those beyond the limit. */
  total: number;
  notes: string[];
}

/** Nobody waits longer for an answer. */
const LONGEST_MS = 20_000;

/** @throws HarborError as `GuardedFiles.read` for the path itself; what is below it and may not be read is left out */
export async function search(
  files: GuardedFiles,
  project: string,
  request: SearchRequest,
): Promise<SearchResult> {
  const result: SearchResult = { matches: [], total: 0, notes: [] };
  for await (const file of filesAt(files, project, request, result.notes)) {
    for (const match of searchFile(file, request)) {
      result.total += 1;
      if (result.matches.length < request.limit) result.matches.push({ ...match, file: file.path });
    }
  }
  return result;
}

/**
 * The files to search, as many as are read in the time that anybody waits. What is left out is added to `notes`.
 * @throws HarborError as `search`
 */
export async function* filesAt(
  files: GuardedFiles,
  project: string,
  place: SearchPlace,
  notes: string[],
): AsyncGenerator<FileBytes> {
  const end = Date.now() + LONGEST_MS;
  for await (const file of filesBelow(files, project, place, notes)) {
    if (place.signal.aborted || Date.now() > end) {
      notes.push(`Not all files were searched within ${LONGEST_MS / 1000} s. Narrow path.`);
      return;
    }
    yield file;
  }
}

function searchFile(
  { path: file, bytes }: { path: string; bytes: Uint8Array },
  request: SearchRequest,
): Match[] {
  const dialect = dialectOfFile(file);
  if (bytes.length > LARGEST_FILE || (dialect === null && request.kind !== 'text')) return [];
  if (request.dialect !== undefined && request.dialect !== dialect) return [];
  const text = textOf(bytes)?.text;
  return text === undefined ? [] : searchText(text, dialect, request);
}

/** Every file once, whatever links lead to it, read one at a time, the folders above before those below. What is left out
 * is added to `notes`. */
export async function* filesBelow(
  files: GuardedFiles,
  project: string,
  { path: root, caller, isWanted = () => true, flat = false }: SearchPlace,
  notes: string[],
): AsyncGenerator<FileBytes> {
  const folder = await files.list(project, root, caller).catch(nullForFile);
  if (folder === null) {
    const file = await files.read(project, root, caller);
    if (/\.jar$/i.test(file.path)) yield* filesIn(file);
    else yield file;
    return;
  }
  const folders = [folder];
  const seen = new Set([folder.path]);
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    if (!next.complete) notes.push(cutFolder(next.path));
    for (const { name, type } of listed(next.entries)) {
      if (type === 'file' ? !isWanted(name) : flat) continue;
      const below = path.join(next.path, name);
      const found = await (type === 'file' ? files.read(project, below) : files.list(project, below)).catch(
        nullForRefused,
      );
      if (found === null || seen.has(found.path)) continue;
      seen.add(found.path);
      if ('bytes' in found) yield found;
      else folders.push(found);
    }
  }
}

/** The Lisp files of a jar. */
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
