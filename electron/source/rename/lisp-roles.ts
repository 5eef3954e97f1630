/** Role of a name in Common Lisp code: definition, binding or use; and the names that DEFSTRUCT generates. */
import { type Designator, designator, type LispToken, lispToken } from '../names/package-forms';
import type { Packages } from '../names/packages';
import type { Source } from '../reader';
import { type Branch, formsOf, isBranch, isForm, type SyntaxNode, walk } from '../syntax-tree';
import { behindPrefixes, isDefiner, isList } from '../top-level-forms';
import { placeText, type SourceFile } from './renaming';

/** Whether a form defines the name, or gives it another meaning than the symbol's. */
export type Role = 'definition' | 'structure' | 'key parameter' | 'binding' | null;

/**
 * How the name is used: called or referred to as a function; named as a symbol; or any other way, as a
 * variable.
 */
export type UseKind = 'function' | 'name' | 'value';

/** Options of DEFSTRUCT that name a generated function. */
const MAKING: ReadonlySet<string> = new Set([':constructor', ':copier', ':predicate']);
/** Options of a slot that name its methods. */
const METHODS: ReadonlySet<string> = new Set([':accessor', ':reader', ':writer']);
/** Forms whose second element is a list of bindings. */
const BINDERS: ReadonlySet<string> = new Set(
  'let let* flet labels macrolet symbol-macrolet do do* prog prog*'.split(' '),
);
/** ACL2 functions that take names of functions and rules. */
const THEORIES: ReadonlySet<string> = new Set(['enable', 'disable', 'e/d', 'enable*', 'disable*', 'e/d*']);

/** Collects roles during a walk, which must report nodes in text order. */
export class Roles {
  readonly #source: Source;
  /** Lists that contain &key before the present node. */
  readonly #withKeys = new Set<Branch>();
  #structureTo = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  enter(branch: Branch): void {
    if (firstOperator(branch, this.#source) === 'defstruct') this.#structureTo = branch.end;
  }

  pass({ name }: LispToken, parents: readonly Branch[]): void {
    const around = parents.at(-1);
    if (!around || !name.startsWith('&')) return;
    if (name === '&KEY') this.#withKeys.add(around);
    else if (name !== '&ALLOW-OTHER-KEYS') this.#withKeys.delete(around);
  }

  of(node: SyntaxNode, parents: readonly Branch[]): Role {
    const [around, above, grand] = [parents.at(-1), parents.at(-2), parents.at(-3)];
    if (!around || !above) return null;
    const [first, second] = firstForms(around);
    if (node.start < this.#structureTo) {
      return second === node && MAKING.has(this.#written(first)) ? 'definition' : 'structure';
    }
    if (this.#withKeys.has(around) || (first === node && this.#withKeys.has(above))) return 'key parameter';
    if (second === node && this.#isDefining(around)) return 'definition';
    // `(setf area)`, or a name with options.
    const isNamePart = first === node || second === node;
    if (isNamePart && firstForms(above)[1] === around && this.#isDefining(above)) return 'definition';
    if (!grand) return null;
    if (this.#isDefining(grand) && METHODS.has(this.#written(formBefore(node, around)))) return 'definition';
    return first === node && this.#isBindings(above, grand) ? 'binding' : null;
  }

  manner(node: SyntaxNode, parents: readonly Branch[]): UseKind {
    const around = parents.at(-1);
    if (!around) return 'value';
    const before = this.#source.text.slice(around.start, around.inner);
    if (around.kind === 'prefixed') return /^#?'$/.test(before) ? 'name' : 'value';
    if (firstForms(around)[0] === node) return 'function';
    return THEORIES.has(firstOperator(around, this.#source) ?? '') ? 'name' : 'value';
  }

  /**
   * Reports whether each element of `list` starts with a bound name: bindings of LET, slots, a specialized
   * lambda list.
   */
  #isBindings(list: Branch, form: Branch): boolean {
    const [first, second] = firstForms(form);
    if (first === undefined) return false;
    if (BINDERS.has(firstOperator(form, this.#source) ?? '')) return second === list;
    if (!this.#isDefining(form)) return false;
    return firstForms(list)[0]?.kind === 'list' || /^def(?:class|ine-condition)$/i.test(this.#written(first));
  }

  #isDefining(form: Branch): boolean {
    return isDefiner(firstOperator(form, this.#source) ?? '');
  }

  #written(node: SyntaxNode | undefined): string {
    return node ? this.#source.text.slice(node.start, node.end).toLowerCase() : '';
  }
}

function formBefore(node: SyntaxNode, { children }: Branch): SyntaxNode | undefined {
  return children.slice(0, children.indexOf(node)).findLast(isForm);
}

/** Returns the first two forms without reading the others. */
function firstForms({ children }: Branch): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const child of children) {
    if (isForm(child)) found.push(child);
    if (found.length === 2) break;
  }
  return found;
}

/** Returns the operator of a list, in lower case and without its package. */
export function firstOperator(form: Branch, { text }: Source): string | null {
  const [first] = form.kind === 'list' ? firstForms(form) : [];
  if (first?.kind !== 'token') return null;
  return lispToken(text.slice(first.start, first.end))?.name.toLowerCase() ?? null;
}

/** Names that DEFSTRUCT generates by default (CLHS 8.1): readers, constructor, copier, predicate. */
export interface Structure {
  name: string;
  file: SourceFile;
  start: number;
  /** The package in which the names are interned. */
  package: string;
  /** The home package of its name. */
  home: string;
  slots: string[];
  /** null if readers have the names of the slots. */
  prefix: string | null;
  include: Pick<Structure, 'name' | 'home'> | null;
  /** The other generated names, with the option that would set each. */
  made: ReadonlyMap<string, string>;
}

/** A generated name, and its structure. */
export interface GeneratedName {
  structure: Structure;
  /** Its origin: a slot, or the option that would set it. */
  of: { slot: string } | { option: string };
}

/**
 * Returns the structures that a file defines.
 * @param packageAt returns the current package at an offset
 */
export function structuresOf(
  file: SourceFile,
  packages: Packages,
  packageAt: (offset: number) => string,
): Structure[] {
  const { source } = file;
  if (!/defstruct/i.test(source.text)) return [];
  return [...walk(source.tree)].flatMap(({ node }) => {
    if (!isBranch(node) || firstOperator(node, source) !== 'defstruct') return [];
    const here = packageAt(node.start);
    return structureOf(node, file, here, (named) => homeOf(named, here, packages)) ?? [];
  });
}

/** Returns the structure that generates the name as a symbol of package `home`; null if none does. */
export function generatedName(
  name: string,
  home: string,
  structures: readonly Structure[],
  packages: Packages,
): GeneratedName | null {
  for (const structure of structures) {
    if (packages.home(structure.package, name) !== home) continue;
    const option = structure.made.get(name);
    if (option !== undefined) return { structure, of: { option } };
    const { prefix } = structure;
    if (prefix === null || !name.startsWith(prefix)) continue;
    const slot = allSlots(structure, structures).find((each) => prefix + each === name);
    if (slot !== undefined) return { structure, of: { slot } };
  }
  return null;
}

export function structureText({ name, file, start }: Structure): string {
  return `(defstruct ${name.toLowerCase()} …) (${placeText(file, start)})`;
}

/** Includes the slots of included structures. */
function allSlots(structure: Structure, structures: readonly Structure[]): string[] {
  const slots: string[] = [];
  const seen = new Set<Structure>();
  for (let next: Structure | undefined = structure; next && !seen.has(next); ) {
    seen.add(next);
    slots.push(...next.slots);
    const include: Structure['include'] = next.include;
    next = structures.find(({ name, home }) => name === include?.name && home === include.home);
  }
  return slots;
}

function homeOf({ name, package: written }: Designator, here: string, packages: Packages): string {
  return packages.home(written === null ? here : packages.find(written, here), name);
}

function structureOf(
  form: Branch,
  file: SourceFile,
  here: string,
  home: (named: Designator) => string,
): Structure | null {
  const { source } = file;
  const [, second, ...rest] = formsOf(form);
  const [first, ...written] = second ? listed(behindPrefixes(second)) : [];
  const named = first && designator(first, source);
  if (!named) return null;
  const options = new Options(written, source);
  const included = options.named('include');
  return {
    ...{ name: named.name, file, start: form.start, package: here, home: home(named) },
    slots: rest.flatMap((each) => slotName(behindPrefixes(each), source) ?? []),
    prefix: prefixOf(named.name, options),
    include: included && { name: included.name, home: home(included) },
    made: generatedNames(named.name, options),
  };
}

function listed(node: SyntaxNode): SyntaxNode[] {
  return isList(node) ? formsOf(node) : [node];
}

/** Returns null for a documentation string. */
function slotName(slot: SyntaxNode, source: Source): string | null {
  const [first] = slot.kind === 'string' ? [] : listed(slot);
  return (first && designator(first, source)?.name) ?? null;
}

function prefixOf(name: string, options: Options): string | null {
  if (!options.has('conc-name')) return `${name}-`;
  const written = options.named('conc-name')?.name ?? 'NIL';
  return written === 'NIL' || written === '' ? null : written;
}

function generatedNames(name: string, options: Options): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  if (options.leaves('constructor')) made.set(`MAKE-${name}`, 'constructor');
  if (options.leaves('copier')) made.set(`COPY-${name}`, 'copier');
  // Unnamed lists and vectors have no type to test.
  if (options.leaves('predicate') && (!options.has('type') || options.has('named')))
    made.set(`${name}-P`, 'predicate');
  return made;
}

/** Options of a DEFSTRUCT, each alone or in a list with its value. */
class Options {
  readonly #all: { key: string; value: Designator | null }[];

  constructor(written: readonly SyntaxNode[], source: Source) {
    this.#all = written.flatMap((each) => {
      const [key, value] = listed(behindPrefixes(each)).map((part) => designator(part, source));
      return key ? [{ key: key.name.toLowerCase(), value: value ?? null }] : [];
    });
  }

  has(wanted: string): boolean {
    return this.#all.some(({ key }) => key === wanted);
  }

  named(wanted: string): Designator | null {
    return this.#all.find(({ key }) => key === wanted)?.value ?? null;
  }

  /** Reports whether DEFSTRUCT chooses the name: the option is absent or has no value. */
  leaves(wanted: string): boolean {
    return !this.has(wanted) || this.#all.some(({ key, value }) => key === wanted && value === null);
  }
}
