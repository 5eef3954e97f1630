/**
 * Builds CL_SOURCE_REGISTRY, where ASDF searches for systems: the project and its subfolders, then folders
 * that the user allowed, and Lisp libraries of this machine. HOME is the session's own folder, so ASDF's
 * default locations are empty.
 */
import path from 'node:path';
import { lispString } from '../../contract/knowledge';
import type { Confinement } from '../../sandbox/confinement';

/** Folder names that never contain systems of the project. */
const PASSED_OVER = ['node_modules', 'target', '.clj-kondo', '.cpcache'];

/** Quicklisp's libraries below the folder of fetched libraries. */
export const FETCHED_DISTS = 'quicklisp/dists';

/** Subfolders with systems, by the name of the library folder. */
const TREES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fetched: [FETCHED_DISTS],
    quicklisp: ['local-projects', 'dists/quicklisp/software'],
    'common-lisp': ['.'],
  }),
);

/** The readable folders include libraries of all Lisps; those of Common Lisp are recognized by name. */
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

/** Pattern characters in pathnames, and how they are escaped. */
const PATTERN = /[*?[\]\\]/g;

/** Writes a folder for ASDF: a string may be read as a pattern, an escaped pathname is literal. */
function designator(folder: string): string {
  const escaped = folder.replace(PATTERN, '\\$&');
  return escaped === folder ? lispString(folder) : `#P${lispString(escaped)}`;
}

/** Returns Quicklisp's folder among the libraries, if it is there. */
export function quicklispOf(libraries: readonly string[]): string | undefined {
  return libraries.find((library) => path.basename(library) === 'quicklisp');
}
