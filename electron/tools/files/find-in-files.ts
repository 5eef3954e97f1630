/** What `find` answers without an image: from the files of the project, or of a file or folder that is named. */
import { HarborError } from '../../contract/errors';
import type { Dialect } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import type { SearchKind } from '../../source/matches';
import { type Found, search } from '../../source/search';
import { shortPath } from '../source-places';
import type { Caller } from '../tool';
import { fileCaller } from './text-files';

const KINDS: readonly string[] = ['definition', 'reference', 'caller', 'text'] satisfies SearchKind[];

export interface FileSearch {
  kind: string;
  query: string;
  path?: string | undefined;
  limit?: number | undefined;
  /** Only files of it. */
  dialect?: Dialect;
}

/** A match as results show it, with what `Match` has beside. */
export type FoundInFile = ReturnType<typeof shownMatch>;

/** @throws HarborError `bad_arguments` for kinds that only an image knows, and as `GuardedFiles.read` */
export async function findInFiles(
  { query, kind, path = '.', limit = 50, dialect }: FileSearch,
  caller: Caller,
  files: GuardedFiles,
) {
  if (!isInFiles(kind))
    throw new HarborError('bad_arguments', `Files are searched for ${KINDS.join(', ')}, not ${kind}.`);
  if (query.trim() === '') throw new HarborError('bad_arguments', 'query is empty.');
  const { project, signal } = caller;
  const only = dialect === undefined ? {} : { dialect };
  const request = { kind, query, path, limit, signal, caller: fileCaller(caller), ...only };
  const { matches, total, notes } = await search(files, project, request);
  return { results: matches.map((match) => shownMatch(match, project)), total, notes };
}

function shownMatch({ file, line, ...match }: Found, project: string) {
  return { ...match, source: { path: shortPath(file, project), line } };
}

/** Whether files can answer it at all. */
export function isInFiles(kind: string): kind is SearchKind {
  return KINDS.includes(kind);
}
