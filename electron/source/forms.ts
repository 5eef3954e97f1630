/** Text as the forms that stand in it, one after another, each as it was written. */
import type { Dialect } from './dialect';
import { read } from './reader';
import { formsOf } from './syntax-tree';

/** The forms of `text` without the comments between them; null where one does not end, or ends that never began. */
export function formsIn(text: string, dialect: Dialect): string[] | null {
  const { tree, problem } = read(text, dialect);
  return problem === null ? formsOf(tree).map(({ start, end }) => text.slice(start, end)) : null;
}

/** The elements of the list that `form` is, as written; null for what is no list in parentheses. */
export function elementsOf(form: string, dialect: Dialect): string[] | null {
  return form.startsWith('(') && form.endsWith(')') ? formsIn(form.slice(1, -1), dialect) : null;
}

export interface OuterList {
  /** As it stands there, such as `acl2::ld`. */
  operator: string;
  /** All that is between the operator and the last parenthesis. */
  rest: string;
}

const OPERATOR = /^\(\s*([^\s()"'|;,`#\\]+)/;

/** null also for a list that begins with something else than a symbol without escapes. */
export function outerList(text: string): OuterList | null {
  const [form, ...more] = formsIn(text, 'common-lisp') ?? [];
  if (form === undefined || more.length > 0) return null;
  const [opening, operator] = OPERATOR.exec(form) ?? [];
  if (opening === undefined || operator === undefined) return null;
  return { operator, rest: form.slice(opening.length, -1) };
}
