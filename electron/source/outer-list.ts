/** What a text of Common Lisp calls, where it is one list and nothing else. */
import { formsIn } from './forms';

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
