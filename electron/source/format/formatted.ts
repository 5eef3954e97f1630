/**
 * Source text as editors of its Lisp indent it: Common Lisp and ACL2 as SLIME does, Clojure as cljfmt does. Only blanks
 * change: where lines begin, blanks where they end, tabs. Lines stay lines, so that what a compiler says of line 12 stays
 * true, and nothing changes in strings and comments.
 */
import type { Dialect } from '../dialect';
import { read } from '../reader';
import { ClojureStyle } from './clojure-style';
import { CommonLispStyle } from './common-lisp-style';
import { laidOut } from './layout';

/**
 * Text whose delimiters do not match comes back as it is: where its lines belong is not known. So does text that would grow
 * out of all measure, as a list in each line that begins in the one before does.
 */
export function formatted(text: string, dialect: Dialect): string {
  return layoutOf(text, dialect) ?? text;
}

/** null for text that would come back as it is for one of these reasons. */
export function layoutOf(text: string, dialect: Dialect): string | null {
  const source = read(text, dialect);
  if (source.problem !== null) return null;
  return laidOut(source, dialect === 'clojure' ? new ClojureStyle(source) : new CommonLispStyle(source));
}
