/**
 * The top-level forms of a source text under their names: `defun area`, `in-package :shapes`, methods with qualifiers and
 * specializers. Definitions inside of a form such as `eval-when` or `#?(:clj …)` are at top level too.
 */
import { behindPrefixes, type FormName, nameOf, operatorOf } from './form-name';
import type { Source } from './reader';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';

export interface TopLevelForm {
  /** The operator as written, without its package: `defun`; empty for what is no list that begins with a symbol. */
  type: string;
  /** null where nothing is named. */
  name: FormName | null;
  /** What the name belongs to: without the `#+sbcl` or the metadata before it. */
  form: SyntaxNode;
  /** All that goes when the form goes: it, and what stands before it. */
  whole: SyntaxNode;
  /** How many other forms it stands in. */
  depth: number;
}

/** Forms whose parts a compiler, or ACL2, takes for top-level forms, and those that definitions are often put in. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'progn eval-when locally macrolet symbol-macrolet let let* flet labels encapsulate local mutual-recursion defsection do comment when'.split(
    ' ',
  ),
);

/** Deeper ones are not looked for. */
const DEEPEST = 20;

export function topLevelForms(source: Source): TopLevelForm[] {
  return formsOf(source.tree).flatMap((node) => formsAt(node, source, 0));
}

function formsAt(whole: SyntaxNode, source: Source, depth: number): TopLevelForm[] {
  const form = behindPrefixes(whole);
  const type = operatorOf(form, source) ?? '';
  const here = { type, name: nameOf(form, type, source), form, whole, depth };
  if (depth === DEEPEST || !isBranch(form) || !isWrapper(type)) return [here];
  const inside = formsOf(form).flatMap((part) => formsAt(part, source, depth + 1));
  return [here, ...inside.filter((part) => isDefiner(part.type))];
}

/** A keyword is what a branch of a reader conditional begins with. */
function isWrapper(type: string): boolean {
  return type.startsWith(':') || WRAPPERS.has(type.toLowerCase());
}

/** Whether an operator looks like one that defines something. */
export function isDefiner(type: string): boolean {
  return /^(?:def(?!ault)|test$|ns$|extend-)/i.test(type);
}
