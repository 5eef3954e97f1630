/** Renames a symbol over the files of a project by the reader. Pure: nothing is evaluated, nothing is written. */
import { HarborError } from '../../contract/errors';
import type { Dialect } from '../dialect';
import { renamedInClojure } from './clojure-renaming';
import { renamedInLisp } from './lisp-renaming';
import { type RenameRequest, type Renaming, refusal, type SourceFile } from './renaming';

const RENAMED = { 'common-lisp': renamedInLisp, clojure: renamedInClojure } as const;

/**
 * @param files every Lisp file of the project, whose delimiters match
 * @throws HarborError `bad_arguments` for a symbol that is not there or not the only one, and for a new name that is taken
 */
export function renamed(files: readonly SourceFile[], request: RenameRequest): Renaming {
  const dialects = dialectsOf(files, request);
  const outcomes = dialects.map((dialect) => {
    const own = files.filter(({ source }) => source.dialect === dialect);
    return attempted(() => RENAMED[dialect](own, request));
  });
  const done = outcomes.filter((each): each is Renaming => !(each instanceof HarborError));
  const [first, second] = done;
  if (first && second)
    throw refusal(`${first.symbol} and ${second.symbol} are both there. Name it in full, or its path.`);
  if (first) return first;
  const refusals = outcomes.filter((each) => each instanceof HarborError);
  throw (
    refusals.find(({ message }) => !message.startsWith('No file')) ??
    refusals[0] ??
    refusal('The project has no Lisp files.')
  );
}

/** Those that the symbol may be of: a stroke stands in names of both. */
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
