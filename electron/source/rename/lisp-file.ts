/**
 * A Common Lisp file for renaming: its current packages, its package definitions, and the occurrences of
 * names.
 */
import {
  type Designator,
  designator,
  EnteredPackages,
  endOfFeature,
  type LispToken,
  lispToken,
  nicknameCall,
  type PackageForm,
  packageCall,
  packageForm,
} from '../names/package-forms';
import { type Packages, USER } from '../names/packages';
import type { Source } from '../reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { behindPrefixes, isList } from '../top-level-forms';
import { firstOperator, type Role, Roles, type Structure, structuresOf, type UseKind } from './lisp-roles';
import type { SourceFile } from './renaming';

/** Forms whose parts are top-level forms. */
const WRAPPERS: ReadonlySet<string> = new Set(['progn', 'eval-when']);

/** Functions that take a symbol by its name, and the positions of name and package among their arguments. */
const BY_NAME: ReadonlyMap<string, { name: number; package: number }> = new Map([
  ['find-symbol', { name: 1, package: 2 }],
  ['find-symbol*', { name: 1, package: 2 }],
  ['intern', { name: 1, package: 2 }],
  ['symbol-call', { name: 2, package: 1 }],
]);

/** An occurrence of a requested name: as a symbol of `package`, or as text that only looks like one. */
export interface LispOccurrence {
  /** Offset of the name without its package. */
  start: number;
  end: number;
  name: string;
  isString: boolean;
  kind: 'symbol' | 'keyword' | 'uninterned';
  /** The home package of the symbol. */
  package: string;
  role: Role;
  manner: UseKind;
}

export class LispFile {
  readonly file: SourceFile;
  readonly #source: Source;
  /** Top-level forms, including those in wrappers. */
  readonly #forms: SyntaxNode[];
  readonly #packageForms: PackageForm[];
  readonly #entered: EnteredPackages;

  constructor(file: SourceFile) {
    this.file = file;
    this.#source = file.source;
    this.#forms = topLevel(file.source);
    this.#packageForms = this.#forms.flatMap((form) =>
      isBranch(form) ? (packageForm(form, file.source) ?? []) : [],
    );
    this.#entered = new EnteredPackages(this.#forms, file.source);
  }

  define(packages: Packages): void {
    for (const form of this.#packageForms) packages.define(form);
  }

  /** Applies top-level calls to the packages that files define. */
  change(packages: Packages): void {
    for (const form of this.#forms) {
      const [nickname, actual, within] = nicknameCall(form, this.#source) ?? [];
      if (nickname && actual) {
        const current = this.packageAt(form.start, packages);
        packages.nickname(nickname.name, actual.name, within ? packages.find(within.name, current) : current);
      }
      const call = packageCall(form, this.#source);
      if (!call) continue;
      const here = this.packageAt(form.start, packages);
      const where = call.package ? packages.find(call.package.name, here) : here;
      const names = call.names.map(({ name, package: of }) => ({
        name,
        home: of === null ? here : packages.home(packages.find(of, here), name),
      }));
      packages.change(call.operator, names, where);
    }
  }

  packageAt(offset: number, packages: Packages): string {
    const isSystem = /\.asd$/i.test(this.file.path);
    return packages.find(this.#entered.at(offset) ?? (isSystem ? 'ASDF-USER' : USER), null);
  }

  /** Returns where a form defines the package; null if none does. */
  packageMadeAt(name: string): number | null {
    return this.#packageForms.find((made) => made.name.name === name)?.form.start ?? null;
  }

  /** Returns where a name denotes a package: before a symbol, or as a designator. */
  packagePlaces(name: string): number[] {
    return [...walk(this.#source.tree)].flatMap(({ node }) => {
      const written = this.#source.text.slice(node.start, node.end);
      const token = node.kind === 'token' ? lispToken(written) : null;
      const isBare = token?.name === name && (token.package === null || token.kind === 'keyword');
      return isBare || token?.package === name || written === `"${name}"` ? [node.start] : [];
    });
  }

  /** Returns where one of `names` is a symbol or designates one. */
  sightings(names: ReadonlySet<string>, packages: Packages): LispOccurrence[] {
    const designated = this.#designated(names, packages);
    const found = [...designated.values()];
    const forms = new Set<SyntaxNode>(this.#packageForms.filter(isReadAsNames).map(({ form }) => form));
    const roles = new Roles(this.#source);
    let leftTo = 0;
    for (const { node, parents } of walk(this.#source.tree)) {
      if (node.start < leftTo) continue;
      if (isBranch(node)) {
        leftTo = forms.has(node) ? node.end : endOfFeature(node, this.#source);
        roles.enter(node);
        continue;
      }
      if (node.kind !== 'token') continue;
      const token = lispToken(this.#source.text.slice(node.start, node.end));
      if (token) roles.pass(token, parents);
      if (!token || !names.has(token.name) || designated.has(node.start + token.nameAt)) continue;
      const [role, manner] = [roles.of(node, parents), roles.manner(node, parents)];
      found.push({ ...this.#sighting(token, node, packages), role, manner });
    }
    return found;
  }

  structures(packages: Packages): Structure[] {
    return structuresOf(this.file, packages, (offset) => this.packageAt(offset, packages));
  }

  #sighting(token: LispToken, { start, end }: SyntaxNode, packages: Packages) {
    const { kind, name, nameAt } = token;
    const here = this.packageAt(start, packages);
    const where = token.package === null ? here : packages.find(token.package, here);
    const home = kind === 'symbol' ? packages.home(where, name) : '';
    return { start: start + nameAt, end, name, isString: false, kind, package: home };
  }

  /** Returns names in package forms and names that functions look up, by their offsets. */
  #designated(names: ReadonlySet<string>, packages: Packages): Map<number, LispOccurrence> {
    const found = new Map<number, LispOccurrence>();
    const add = ({ name, start, end, isString }: Designator, where: string) => {
      if (!names.has(name)) return;
      const home = packages.home(where, name);
      const symbol = { name, kind: 'symbol', package: home, role: null, manner: 'name' } as const;
      found.set(start, { start, end, isString, ...symbol });
    };
    for (const { name, options } of this.#packageForms.filter(isReadAsNames)) {
      const own = packages.find(name.name, null);
      for (const option of options) {
        if (!NAMING.has(option.key)) continue;
        const where = option.from ? packages.find(option.from.name, null) : own;
        for (const each of option.names) add(each, where);
      }
    }
    for (const { node } of walk(this.#source.tree)) {
      const named = isList(node) && this.#namedIn(node, packages);
      if (named) add(named.name, named.package);
    }
    return found;
  }

  #namedIn(form: Branch, packages: Packages): { name: Designator; package: string } | null {
    const places = BY_NAME.get(firstOperator(form, this.#source) ?? '');
    if (!places) return null;
    const forms = formsOf(form).map((each) => designator(behindPrefixes(each), this.#source));
    const [name, where] = [forms[places.name], forms[places.package]];
    if (!name || !where) return null;
    return { name, package: packages.find(where.name, this.packageAt(form.start, packages)) };
  }
}

/** Options that contain symbol names. */
const NAMING: ReadonlySet<string> = new Set([
  'export',
  'import-from',
  'shadow',
  'shadowing-import-from',
  'intern',
  'unintern',
]);

/** Reports whether the names are designators. ACL2's are read as symbols. */
function isReadAsNames({ options }: PackageForm): boolean {
  return !options.some(({ key }) => key === 'is-defpkg');
}

function topLevel(source: Source): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const left = formsOf(source.tree).toReversed();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const form = behindPrefixes(next);
    found.push(form);
    const operator = isBranch(form) ? firstOperator(form, source) : null;
    if (isBranch(form) && WRAPPERS.has(operator ?? ''))
      for (const part of formsOf(form).toReversed()) left.push(part);
  }
  return found;
}
