/** What DEFSTRUCT makes without that it is written (CLHS 8.1): names of readers, of a constructor, a copier, a predicate. */
import { behindPrefixes, isList } from '../form-name';
import { type Designator, designator } from '../names/package-forms';
import type { Packages } from '../names/packages';
import type { Source } from '../reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { firstOperator } from './lisp-roles';
import { placeText, type SourceFile } from './renaming';

export interface Structure {
  name: string;
  file: SourceFile;
  start: number;
  /** The package in which its names are made. */
  package: string;
  /** The package whose own its name is. */
  home: string;
  slots: string[];
  /** null: readers have the names of the slots, which are written. */
  prefix: string | null;
  include: Pick<Structure, 'name' | 'home'> | null;
  /** Other names that it makes, with the option that would say another one. */
  made: ReadonlyMap<string, string>;
}

/** A name that no text defines, and what makes it. */
export interface MadeName {
  structure: Structure;
  /** What it is made of: a slot; or the option that would say it. */
  of: { slot: string } | { option: string };
}

/** Those that a file defines.
 * @param packageAt the package that is current at an offset */
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

/** What makes the name, as a symbol of the package `home`; null for what none of them makes. */
export function madeName(
  name: string,
  home: string,
  structures: readonly Structure[],
  packages: Packages,
): MadeName | null {
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

/** Also those of structures that it includes. */
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
    made: madeOf(named.name, options),
  };
}

function listed(node: SyntaxNode): SyntaxNode[] {
  return isList(node) ? formsOf(node) : [node];
}

/** null for a documentation string. */
function slotName(slot: SyntaxNode, source: Source): string | null {
  const [first] = slot.kind === 'string' ? [] : listed(slot);
  return (first && designator(first, source)?.name) ?? null;
}

function prefixOf(name: string, options: Options): string | null {
  if (!options.has('conc-name')) return `${name}-`;
  const written = options.named('conc-name')?.name ?? 'NIL';
  return written === 'NIL' || written === '' ? null : written;
}

function madeOf(name: string, options: Options): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  if (options.leaves('constructor')) made.set(`MAKE-${name}`, 'constructor');
  if (options.leaves('copier')) made.set(`COPY-${name}`, 'copier');
  // Lists and vectors without a name have no type to ask for.
  if (options.leaves('predicate') && (!options.has('type') || options.has('named')))
    made.set(`${name}-P`, 'predicate');
  return made;
}

/** Options of a DEFSTRUCT, each alone or in a list with what it says. */
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

  /** Whether the name is left to DEFSTRUCT: the option is not there, or says none. */
  leaves(wanted: string): boolean {
    return !this.has(wanted) || this.#all.some(({ key, value }) => key === wanted && value === null);
  }
}
