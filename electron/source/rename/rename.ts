/** Renames a symbol across the files of a project. Evaluates and writes nothing. */
import { HarborError } from '../../contract/errors';
import type { Dialect } from '../dialect';
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
