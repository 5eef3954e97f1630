/** Text as the forms that stand in it, one after another, each as it was written. Nothing is read: this finds only where
 * forms begin and end. */
import type { Dialect } from './dialect';
import { isClosing, isOpening, type Scan, skip } from './scan';

/** What stands before a list and belongs to it: a quote, a reader macro, metadata. */
const PREFIX = /^['`,@#^~]/;

/** The forms of `text` without the comments between them; null where one does not end, or ends that never began. */
export function formsIn(text: string, dialect: Dialect): string[] | null {
  const forms: string[] = [];
  const scan: Scan = { text, at: 0 };
  let begin: number | null = null;
  let depth = 0;
  const finish = (end: number): void => {
    if (begin !== null) forms.push(text.slice(begin, end));
    begin = null;
  };
  while (scan.at < text.length) {
    const { at } = scan;
    const step = skip(scan, dialect);
    if (step === 'unterminated') return null;
    if (step === 'blank') {
      if (depth === 0) finish(at);
      continue;
    }
    const character = text.charAt(at);
    const opens = step === 'none' && isOpening(character, dialect);
    if (opens && depth === 0 && begin !== null && !PREFIX.test(text.slice(begin, at))) finish(at);
    begin ??= at;
    if (step === 'token') continue;
    scan.at += 1;
    if (opens) depth += 1;
    if (!isClosing(character, dialect)) continue;
    depth -= 1;
    if (depth < 0) return null;
    if (depth === 0) finish(scan.at);
  }
  finish(text.length);
  return depth === 0 ? forms : null;
}

/** The elements of the list that `form` is, as written; null for what is no list in parentheses. */
export function elementsOf(form: string, dialect: Dialect): string[] | null {
  return form.startsWith('(') && form.endsWith(')') ? formsIn(form.slice(1, -1), dialect) : null;
}
