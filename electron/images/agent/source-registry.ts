/**
 * Where ASDF looks for systems, as the value of CL_SOURCE_REGISTRY: the project and all below it, then the folders that
 * a person allowed and the Lisp libraries of this machine. An image's own HOME is the session's, so ASDF's usual places
 * in it hold nothing.
 */
import path from 'node:path';
import { lispString } from '../../contract/knowledge';
import type { Confinement } from '../../sandbox/confinement';

/** Folders that hold no systems of the project, whatever lies in them. */
const PASSED_OVER = ['node_modules', 'target', '.clj-kondo', '.cpcache'];

/** Where Quicklisp puts its libraries, below the folder of what is fetched for a project. */
export const FETCHED_DISTS = 'quicklisp/dists';

/** The folders below each kind of library that hold systems, by the name of the library's folder. */
const TREES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fetched: [FETCHED_DISTS],
    quicklisp: ['local-projects', 'dists/quicklisp/software'],
    'common-lisp': ['.'],
  }),
);

/** Among the readable folders are libraries of every Lisp; those of Common Lisp are known by their names. */
export function sourceRegistry(
  project: string,
  { readable, added = [] }: Pick<Confinement, 'readable' | 'added'>,
): string {
  const libraries = readable.flatMap((library) =>
    (TREES.get(path.basename(library)) ?? []).map((tree) => path.join(library, tree)),
  );
  const own = added.filter((folder) => !TREES.has(path.basename(folder)));
  const folders = new Set([project, ...own, ...libraries]);
  const trees = [...folders].map((folder) => `(:tree ${designator(path.join(folder, '/'))})`);
  const passedOver = PASSED_OVER.map(lispString).join(' ');
  return `(:source-registry (:also-exclude ${passedOver}) ${trees.join(' ')} :inherit-configuration)`;
}

/** Characters that pathnames of Common Lisps read as a pattern, and what keeps them from it. */
const PATTERN = /[*?[\]\\]/g;

/** ASDF takes a string for a name that may be a pattern; a pathname says what it is. */
function designator(folder: string): string {
  const escaped = folder.replace(PATTERN, '\\$&');
  return escaped === folder ? lispString(folder) : `#P${lispString(escaped)}`;
}

/** Quicklisp's folder among the libraries, if it is there. */
export function quicklispOf(libraries: readonly string[]): string | undefined {
  return libraries.find((library) => path.basename(library) === 'quicklisp');
}
