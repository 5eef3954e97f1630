/**
 * Reads build files of Clojure projects as data: source folders and dependencies.
 * https://clojure.org/reference/deps_edn, Leiningen's sample.project.clj,
 * https://shadow-cljs.github.io/docs/UsersGuide.html
 */

import { Positions } from '../../source/text';
import { type EdnMap, EdnName, type EdnValue, readEdn, Unusable } from './edn';

/** A Maven library such as `org.clojure/data.json`; without a group, group and artifact are equal. */
export interface Coordinate {
  group: string;
  artifact: string;
  version: string;
}

export interface Declared {
  /** Relative to the project. */
  readonly paths: readonly string[];
  readonly libraries: readonly Coordinate[];
  /** Local folders or archives, relative to the project. */
  readonly roots: readonly string[];
  /** Dependencies from other sources, such as git, as text. */
  readonly others: readonly string[];
  /** The parts that need evaluation and are not used, each as `line:column text`. */
  readonly unused: readonly string[];
}

export type BuildFile = 'deps.edn' | 'project.clj' | 'shadow-cljs.edn' | 'bb.edn';

export const NOTHING = {
  paths: [],
  libraries: [],
  roots: [],
  others: [],
  unused: [],
} as const satisfies Declared;

type FileReader = (
  forms: readonly EdnValue[],
  aliases: readonly string[],
  unused: UnusedParts,
) => Declared | null;

const READERS: Readonly<Record<BuildFile, FileReader>> = {
  'deps.edn': ([value], aliases, unused) =>
    value instanceof Map ? ofDeps(value, ['src'], aliases, unused) : null,
  'bb.edn': ([value], aliases, unused) => (value instanceof Map ? ofDeps(value, [], aliases, unused) : null),
  'project.clj': ofLeiningen,
  'shadow-cljs.edn': ([value], _aliases, unused) => (value instanceof Map ? ofLists([value], unused) : null),
};

/** Maximum number of unusable parts that are reported, and of their characters. */
const MOST_UNUSED = 5;
const SHOWN = 60;

/** Collects what a build file says in a way that cannot be used without evaluation. */
class UnusedParts {
  readonly lines: string[] = [];
  readonly #positions: Positions;

  constructor(text: string) {
    this.#positions = new Positions(text);
  }

  add(offset: number, what: string): void {
    if (this.lines.length >= MOST_UNUSED) return;
    const { line, column } = this.#positions.of(offset);
    this.lines.push(`${line}:${column} ${what.replaceAll(/\s+/g, ' ').slice(0, SHOWN)}`);
  }

  /** Adds those of the values that are unusable. */
  addAmong(values: readonly (EdnValue | undefined)[]): void {
    for (const value of values) if (value instanceof Unusable) this.add(value.offset, value.text);
  }

  /** Returns the usable elements of a list, and adds the others. */
  usable(value: EdnValue | undefined): EdnValue[] {
    this.addAmong([value]);
    if (!Array.isArray(value)) return [];
    this.addAmong(value);
    return value.filter((each) => !(each instanceof Unusable));
  }

  /** Returns the entries of a map; adds the value if it is unusable. */
  entries(value: EdnValue | undefined): [string, EdnValue][] {
    this.addAmong([value]);
    return value instanceof Map ? [...value] : [];
  }
}

/**
 * Reads a build file.
 * @param aliases names of aliases (deps.edn) or profiles (Leiningen) to include, without the colon
 * @returns null if there is nothing of that kind in it
 */
export function declared(file: BuildFile, text: string, aliases: readonly string[] = []): Declared | null {
  const { forms, broken } = readEdn(text);
  const unused = new UnusedParts(text);
  if (broken !== null) unused.add(broken, 'the parentheses do not match; what follows is not read');
  const found = READERS[file](forms, aliases, unused);
  return found && { ...found, unused: unused.lines };
}

/** Returns the aliases or profiles that a build file defines, without the colon. */
export function aliasesIn(file: BuildFile, text: string): string[] {
  const { forms } = readEdn(text);
  const own =
    file === 'project.clj' ? leiningenEntries(forms)?.get(':profiles') : mapValue(forms[0], ':aliases');
  return own instanceof Map ? [...own.keys()].map((key) => key.replace(/^:/, '')) : [];
}

function mapValue(map: EdnValue | undefined, key: string): EdnValue | undefined {
  return map instanceof Map ? map.get(key) : undefined;
}

/** Reads the map of a deps.edn and the aliases that were chosen. */
function ofDeps(map: EdnMap, usual: string[], aliases: readonly string[], unused: UnusedParts): Declared {
  const known = map.get(':aliases');
  const chosen = aliases.flatMap((name) => {
    const alias = known instanceof Map ? known.get(`:${name}`) : undefined;
    return alias instanceof Map ? [alias] : [];
  });
  const own = map.get(':paths');
  const deps = [map.get(':deps'), ...chosen.flatMap((each) => [each.get(':extra-deps'), each.get(':deps')])];
  const found = deps.flatMap((each) => unused.entries(each).map((entry) => dependency(entry, unused)));
  const extra = chosen.flatMap((each) => [each.get(':extra-paths'), each.get(':paths')]);
  return {
    paths: [
      ...(own === undefined ? usual : stringsOf(own, unused)),
      ...extra.flatMap((each) => stringsOf(each, unused)),
    ],
    libraries: found.flatMap((each) => each.libraries),
    roots: found.flatMap((each) => each.roots),
    others: found.flatMap((each) => each.others),
    unused: [],
  };
}

function dependency([library, spec]: [string, EdnValue], unused: UnusedParts): Declared {
  unused.addAmong([spec]);
  if (!(spec instanceof Map)) return { ...NOTHING, others: [library] };
  const version = spec.get(':mvn/version');
  const root = spec.get(':local/root');
  unused.addAmong([version, root]);
  if (typeof version === 'string') return { ...NOTHING, libraries: [coordinate(library, version)] };
  if (typeof root === 'string') return { ...NOTHING, roots: [root] };
  return {
    ...NOTHING,
    others: [version === undefined && root === undefined ? `${library} (from git)` : library],
  };
}

/** Profiles that Leiningen includes unless others are chosen. */
const USUAL_PROFILES = ['base', 'provided', 'dev'];

/** Reads the first `(defproject name "version" :key value …)`, with its profiles. */
function ofLeiningen(
  forms: readonly EdnValue[],
  chosen: readonly string[],
  unused: UnusedParts,
): Declared | null {
  const entries = leiningenEntries(forms);
  if (entries === null) return null;
  const profiles = entries.get(':profiles');
  const names = new Set([...USUAL_PROFILES, ...chosen]);
  const included = profiles instanceof Map ? profilesIn(profiles, names) : [];
  return ofLists([entries, ...included], unused);
}

/** Returns the keys and values of the first `defproject`. */
function leiningenEntries(forms: readonly EdnValue[]): EdnMap | null {
  const project = forms.find(
    (form) => Array.isArray(form) && form[0] instanceof EdnName && /(^|\/)defproject$/.test(form[0].name),
  );
  if (!Array.isArray(project)) return null;
  const entries: EdnMap = new Map();
  const first = project.findIndex(
    (each, at) => at > 1 && each instanceof EdnName && each.name.startsWith(':'),
  );
  for (let at = first < 0 ? project.length : first; at + 1 < project.length; at += 2) {
    const key = project[at];
    if (key instanceof EdnName) entries.set(key.name, project[at + 1] ?? null);
  }
  return entries;
}

/** Returns the maps of profiles. A profile may be a vector of other profiles and maps. */
function profilesIn(profiles: EdnMap, names: Set<string>): EdnMap[] {
  const found: EdnMap[] = [];
  for (const name of names) {
    const profile = profiles.get(`:${name}`);
    for (const part of Array.isArray(profile) ? profile : [profile]) {
      if (part instanceof Map) found.push(part);
      // A set is iterated with what is added meanwhile, and has each name once.
      if (part instanceof EdnName && part.name.startsWith(':')) names.add(part.name.slice(1));
    }
  }
  return found;
}

function ofLists(maps: readonly EdnMap[], unused: UnusedParts): Declared {
  const libraries = maps.flatMap((map) =>
    unused.usable(map.get(':dependencies')).flatMap((each) => libraryIn(each, unused)),
  );
  const paths = [':source-paths', ':resource-paths', ':test-paths'].flatMap((key) =>
    maps.flatMap((map) => stringsOf(map.get(key), unused)),
  );
  return { ...NOTHING, paths, libraries };
}

function libraryIn(value: EdnValue, unused: UnusedParts): Coordinate[] {
  if (!Array.isArray(value)) return [];
  const [library, version] = value;
  unused.addAmong([library, version]);
  return library instanceof EdnName && typeof version === 'string' ? [coordinate(library.name, version)] : [];
}

function coordinate(library: string, version: string): Coordinate {
  const [group = library, artifact = group] = library.split('/');
  // A classifier after a dollar sign names another archive of the same library.
  const [plain = artifact] = artifact.split('$', 1);
  return { group, artifact: plain, version };
}

function stringsOf(value: EdnValue | undefined, unused: UnusedParts): string[] {
  const values = typeof value === 'string' ? [value] : unused.usable(value);
  return values.filter((each) => typeof each === 'string');
}
