/** What `find` answers without an image: from the files of the project, or of a file or folder that is named. */
import { HarborError } from '../../contract/errors';
import type { GuardedFiles } from '../../source/files';
import type { SearchKind } from '../../source/matches';
import { search } from '../../source/search';
import { shortPath } from '../source-places';
import type { Caller } from '../tool';
import { fileCaller } from './text-files';

const KINDS: readonly string[] = ['definition', 'reference', 'text'] satisfies SearchKind[];

export interface FileSearch {
  kind: string;
  query: string;
  path?: string | undefined;
  limit?: number | undefined;
}

/** @throws HarborError `bad_arguments` for kinds that only an image knows, and as `GuardedFiles.read` */
export async function findInFiles(
  { query, kind, path = '.', limit = 50 }: FileSearch,
  caller: Caller,
  files: GuardedFiles,
) {
  if (!isInFiles(kind))
    throw new HarborError(
      'bad_arguments',
      `Files are searched for definition, reference or text, not ${kind}.`,
    );
  if (query.trim() === '') throw new HarborError('bad_arguments', 'query is empty.');
  const { project, signal } = caller;
  const request = { kind, query, path, limit, signal, caller: fileCaller(caller) };
  const { matches, total, notes } = await search(files, project, request);
  const results = matches.map(({ file, line, ...match }) => ({
    ...match,
    source: { path: shortPath(file, project), line },
  }));
  return { results, total, notes };
}

/** Whether files can answer it at all. */
export function isInFiles(kind: string): kind is SearchKind {
  return KINDS.includes(kind);
}
