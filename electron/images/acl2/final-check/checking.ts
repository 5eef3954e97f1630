/** What the engine has for final checks: sources read by the harbor, and processes confined to the folder of the check. */
import path from 'node:path';
import type { CheckedFile } from '../../../contract/final-check';
import { readWithin } from '../../../sandbox/file-within';
import { realPath } from '../../../sandbox/real-path';
import type { StartRequest } from '../../image';
import type { FinalCheckRequest } from '../../world';
import type { SystemBooks } from '../books';
import type { CheckProcess, FinalCheckOptions } from './final-check';
import { sha256 } from './place';
import { MOST_BYTES, type Sources, sourcesOf } from './sources';

/** @param systemBooks those of the session
 * @param start starts a process as it is asked for */
export function checking(
  project: string,
  systemBooks: SystemBooks,
  start: FinalCheckOptions['start'],
): (asked: FinalCheckRequest) => Omit<FinalCheckOptions, 'id' | 'asked'> {
  return ({ book, texts }) => ({
    start,
    sources: () => projectSources(project, book, texts),
    systemFiles: (books) => systemFiles(books, systemBooks),
  });
}

/** A process of a check sees its folder and nothing of the project, and has no network.
 * @param request as the session's own image was asked for */
export function confinedTo(
  { folder, home, writes }: CheckProcess,
  request: Omit<StartRequest, 'checkpoint' | 'package'>,
): StartRequest {
  const confinement = writes
    ? { writable: [folder, home], readable: [], network: false }
    : { writable: [home], readable: [folder], network: false };
  return { ...request, confinement, project: folder, home, checkpoints: home };
}

function projectSources(
  project: string,
  book: string,
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<Sources> {
  const folder = realPath(project);
  return sourcesOf(book, async (file) => {
    const text = texts.get(file);
    return text === undefined ? readWithin(folder, file, MOST_BYTES) : Buffer.from(text, 'utf8');
  });
}

async function systemFiles(
  books: readonly string[],
  system: SystemBooks,
): Promise<ReadonlyMap<string, CheckedFile>> {
  const files = new Map<string, CheckedFile>();
  const { folder } = system;
  if (folder === undefined) return files;
  for (const book of books.filter((each) => system.has(each)).sort()) {
    const file = path.relative(folder, book);
    const bytes = await readWithin(folder, file, MOST_BYTES);
    if (bytes !== null) files.set(book, { file, sha256: sha256(bytes), role: 'system' });
  }
  return files;
}
