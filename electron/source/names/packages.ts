/** Packages of a project according to its files: which symbol a name refers to in each (CLHS 11.1.1). */
import { COMMON_LISP_NAMES } from './common-lisp-names';
import type { PackageForm, PackageOption } from './package-forms';

interface Package {
  readonly name: string;
  /** Whether a project file defines it, or every Lisp has it. */
  isKnown: boolean;
  readonly uses: Set<string>;
  readonly exports: Set<string>;
  /** Package by imported name. */
  readonly imports: Map<string, string>;
  /** Shadowed names, which are never inherited. */
  readonly shadows: Set<string>;
  readonly localNicknames: Map<string, string>;
  /** Packages whose exports it exports too. */
  readonly reexports: Set<string>;
}

const CL = 'COMMON-LISP';
export const USER = 'COMMON-LISP-USER';

/** Packages of every Lisp, and the packages they use. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  [CL]: [],
  [USER]: [CL],
  KEYWORD: [],
  ACL2: [CL],
  'ASDF-USER': [CL, 'ASDF', 'UIOP'],
};

export class Packages {
  readonly #packages = new Map<string, Package>();
  readonly #nicknames = new Map<string, string>([
    ['CL', CL],
    ['CL-USER', USER],
  ]);

  constructor() {
    for (const [name, uses] of Object.entries(BUILT_IN)) {
      const made = this.#named(name);
      made.isKnown = true;
      for (const each of uses) made.uses.add(each);
    }
    for (const name of COMMON_LISP_NAMES) this.#named(CL).exports.add(name);
  }

  get all(): string[] {
    return [...this.#packages.keys()];
  }

  define({ name, options }: PackageForm): void {
    const made = this.#named(this.find(name.name, null));
    made.isKnown = true;
    // The default of :use is implementation-dependent; this assumes Common Lisp.
    if (!options.some(({ key }) => USING.has(key))) made.uses.add(CL);
    for (const option of options) this.#take(made, option);
  }

  /** Applies a call such as `export` to a package. */
  change(operator: string, names: readonly { name: string; home: string }[], where: string): void {
    const made = this.#named(where);
    for (const { name, home } of names) {
      if (operator === 'export') made.exports.add(name);
      else if (operator === 'use-package') made.uses.add(name);
      else if (operator === 'shadow') made.shadows.add(name);
      else if (home !== where) made.imports.set(name, home);
    }
  }

  nickname(nickname: string, of: string, where: string): void {
    this.#named(where).localNicknames.set(nickname, of);
  }

  isKnown(name: string): boolean {
    return this.#packages.get(name)?.isKnown === true;
  }

  /** Returns the real name of the package that is called `name` in `from`. */
  find(name: string, from: string | null): string {
    const local = from === null ? undefined : this.#packages.get(from)?.localNicknames.get(name);
    return local ?? (this.#packages.has(name) ? name : (this.#nicknames.get(name) ?? name));
  }

  /** Returns the home package of the symbol that `name` is read as in package `where`. */
  home(where: string, name: string): string {
    const seen = new Set<string>();
    for (let here = this.find(where, null); ; ) {
      const found = this.#packages.get(here);
      if (!found || found.shadows.has(name) || seen.has(here)) return here;
      seen.add(here);
      const imported = found.imports.get(name);
      const inherited = [...found.uses]
        .map((each) => this.find(each, here))
        .find((each) => this.#exports(each, name));
      const next = imported === undefined ? inherited : this.find(imported, here);
      if (next === undefined) return here;
      here = next;
    }
  }

  /** Returns the used packages that the project does not define. */
  unknownUses(where: string): string[] {
    const uses = [...(this.#packages.get(where)?.uses ?? [])].map((each) => this.find(each, where));
    return uses.filter((each) => !this.isKnown(each));
  }

  #exports(where: string, name: string): boolean {
    const [left, seen] = [[where], new Set<string>()];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const found = this.#packages.get(next);
      if (found?.exports.has(name)) return true;
      if (!found || seen.has(next)) continue;
      seen.add(next);
      for (const each of found.reexports) left.push(this.find(each, where));
    }
    return false;
  }

  #named(name: string): Package {
    const found = this.#packages.get(name);
    if (found) return found;
    const made: Package = {
      ...{ name, isKnown: false, uses: new Set(), exports: new Set(), imports: new Map() },
      ...{ shadows: new Set(), localNicknames: new Map(), reexports: new Set() },
    };
    this.#packages.set(name, made);
    return made;
  }

  #take(made: Package, { key, names, from, pairs }: PackageOption): void {
    const found = names.map(({ name }) => name);
    const add = (set: Set<string>) => found.forEach((name) => void set.add(name));
    if (key === 'nicknames') for (const name of found) this.#nicknames.set(name, made.name);
    if (USING.has(key)) add(made.uses);
    if (key.endsWith('reexport')) add(made.reexports);
    if (key === 'is-defpkg') made.uses.add(CL);
    if (key === 'export') add(made.exports);
    if (key === 'shadow' || key === 'intern') add(made.shadows);
    if (key === 'import') for (const name of found) made.imports.set(name, 'ACL2');
    if (from) for (const name of found) made.imports.set(name, from.name);
    for (const [nickname, of] of pairs) if (nickname && of) made.localNicknames.set(nickname.name, of.name);
  }
}

const USING: ReadonlySet<string> = new Set(['use', 'mix', 'use-reexport', 'mix-reexport', 'is-defpkg']);
