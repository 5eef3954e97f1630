/** What a name of Common Lisp is where it stands: whether a form defines it, binds it, or only uses it. */
import { type LispToken, lispToken } from '../names/lisp-token';
import type { Source } from '../reader';
import { type Branch, isForm, type SyntaxNode } from '../syntax-tree';
import { isDefiner } from '../top-level';

/** Whether a form is its definition, or gives the name a meaning beside that of the symbol. */
export type Role = 'definition' | 'structure' | 'key parameter' | 'binding' | null;

/** How it is written: called, or named as a function; named as a symbol; or any other way, as variables are. */
export type Manner = 'function' | 'name' | 'value';

/** Options of DEFSTRUCT that say a name of what it makes. */
const MAKING: ReadonlySet<string> = new Set([':constructor', ':copier', ':predicate']);
/** Options of a slot that say a name of its methods. */
const METHODS: ReadonlySet<string> = new Set([':accessor', ':reader', ':writer']);
/** Forms whose second form is a list of bindings. */
const BINDERS: ReadonlySet<string> = new Set(
  'let let* flet labels macrolet symbol-macrolet do do* prog prog*'.split(' '),
);
/** Forms of ACL2 that are given names of functions and rules. */
const THEORIES: ReadonlySet<string> = new Set(['enable', 'disable', 'e/d', 'enable*', 'disable*', 'e/d*']);

/** Hears of all that a walk comes by, in its order. */
export class Roles {
  readonly #source: Source;
  /** Lists with &key in them, as long as what follows it is read. */
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
    // `(setf area)`, or a name with its options.
    const isNamePart = first === node || second === node;
    if (isNamePart && firstForms(above)[1] === around && this.#isDefining(above)) return 'definition';
    if (!grand) return null;
    if (this.#isDefining(grand) && METHODS.has(this.#written(formBefore(node, around)))) return 'definition';
    return first === node && this.#isBindings(above, grand) ? 'binding' : null;
  }

  manner(node: SyntaxNode, parents: readonly Branch[]): Manner {
    const around = parents.at(-1);
    if (!around) return 'value';
    const before = this.#source.text.slice(around.start, around.inner);
    if (around.kind === 'prefixed') return /^#?'$/.test(before) ? 'name' : 'value';
    if (firstForms(around)[0] === node) return 'function';
    return THEORIES.has(firstOperator(around, this.#source) ?? '') ? 'name' : 'value';
  }

  /** Whether each list in `list` begins with what it binds: bindings of LET, slots, a lambda list with specializers. */
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

/** The first two, found without a look at all that follow. */
function firstForms({ children }: Branch): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const child of children) {
    if (isForm(child)) found.push(child);
    if (found.length === 2) break;
  }
  return found;
}

/** Of a list, in small letters and without its package. */
export function firstOperator(form: Branch, { text }: Source): string | null {
  const [first] = form.kind === 'list' ? firstForms(form) : [];
  if (first?.kind !== 'token') return null;
  return lispToken(text.slice(first.start, first.end))?.name.toLowerCase() ?? null;
}
