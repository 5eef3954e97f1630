/**
 * What a Clojure project's build file says of its classpath, read as data: its source folders and what it depends on.
 * https://clojure.org/reference/deps_edn, Leiningen's sample.project.clj, https://shadow-cljs.github.io/docs/UsersGuide.html
 */
import { type EdnMap, EdnName, type EdnValue, readEdn } from './edn';

/** A library of Maven, as `org.clojure/data.json`: without a group, both are the same. */
export interface Coordinate {
  group: string;
  artifact: string;
  version: string;
}

export interface Declared {
  /** Relative to the project. */
  readonly paths: readonly string[];
  readonly libraries: readonly Coordinate[];
  /** Folders or archives of this machine, relative to the project. */
  readonly roots: readonly string[];
  /** What is found by other ways, such as git, in words. */
  readonly others: readonly string[];
}

export type BuildFile = 'deps.edn' | 'project.clj' | 'shadow-cljs.edn' | 'bb.edn';

export const NOTHING = { paths: [], libraries: [], roots: [], others: [] } as const satisfies Declared;

const READERS: Readonly<Record<BuildFile, (value: EdnValue) => Declared | null>> = {
  'deps.edn': (value) => (value instanceof Map ? ofDeps(value, ['src']) : null),
  'bb.edn': (value) => (value instanceof Map ? ofDeps(value, []) : null),
  'project.clj': ofLeiningen,
  'shadow-cljs.edn': (value) => (value instanceof Map ? ofLists(value) : null),
};

/** null for what is no such file, or needs a reader that evaluates. */
export function declared(file: BuildFile, text: string): Declared | null {
  const value = readEdn(text);
  return value === undefined ? null : READERS[file](value);
}

/** Without what aliases such as `:dev` add: they count only where they are named. */
function ofDeps(map: EdnMap, usual: string[]): Declared {
  const deps = map.get(':deps');
  const found = deps instanceof Map ? [...deps].map(dependency) : [];
  return {
    paths: stringsOf(map.get(':paths')) ?? usual,
    libraries: found.flatMap((each) => each.libraries),
    roots: found.flatMap((each) => each.roots),
    others: found.flatMap((each) => each.others),
  };
}

function dependency([library, given]: [string, EdnValue]): Declared {
  if (!(given instanceof Map)) return { ...NOTHING, others: [library] };
  const version = given.get(':mvn/version');
  const root = given.get(':local/root');
  if (typeof version === 'string') return { ...NOTHING, libraries: [coordinate(library, version)] };
  if (typeof root === 'string') return { ...NOTHING, roots: [root] };
  return { ...NOTHING, others: [`${library} (from git)`] };
}

/** `(defproject name "version" :key value …)` */
function ofLeiningen(value: EdnValue): Declared | null {
  if (!Array.isArray(value) || !(value[0] instanceof EdnName) || value[0].name !== 'defproject') return null;
  const entries: EdnMap = new Map();
  for (let at = 3; at + 1 < value.length; at += 2) {
    const key = value[at];
    if (key instanceof EdnName) entries.set(key.name, value[at + 1] ?? null);
  }
  return ofLists(entries);
}

function ofLists(map: EdnMap): Declared {
  const named = map.get(':dependencies');
  const libraries = (Array.isArray(named) ? named : []).flatMap((each) => {
    const [library, version] = Array.isArray(each) ? each : [];
    return library instanceof EdnName && typeof version === 'string'
      ? [coordinate(library.name, version)]
      : [];
  });
  const paths = [':source-paths', ':resource-paths', ':test-paths'].flatMap(
    (key) => stringsOf(map.get(key)) ?? [],
  );
  return { ...NOTHING, paths, libraries };
}

function coordinate(library: string, version: string): Coordinate {
  const [group = library, artifact = group] = library.split('/');
  // A classifier behind a dollar sign names another archive of the same library.
  const [plain = artifact] = artifact.split('$', 1);
  return { group, artifact: plain, version };
}

function stringsOf(value: EdnValue | undefined): string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}
