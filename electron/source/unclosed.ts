/**
 * Code that does not end, or that closes what it never opened, found before an engine reads it. Common Lisp's syntax can be
 * changed by whoever uses it: where that may have happened the engine's own reader decides.
 */
import { type Diagnosis, diagnosisOf } from './diagnosis';
import type { Dialect } from './dialect';
import { read, type Source } from './reader';
import { isBranch, walk } from './syntax-tree';

/** What is wrong with `code`; null where nothing is, or where only the engine can tell. */
export function unclosed(code: string, dialect: Dialect): Diagnosis | null {
  const source = read(code, dialect);
  if (source.problem === null || (dialect === 'common-lisp' && mayMeanElse(source))) return null;
  return diagnosisOf(source);
}

/** `#` and what the standard readtable has behind it (CLHS 2.4.8), but for `#.`, which may change the readtable. */
const STANDARD_DISPATCH = /^#\d*['(\\|:+\-*=#bBoOxXrRaAcCpPsS]/;
/** Names of what changes how the code behind it is read. */
const CHANGES_SYNTAX = /readtable|macro-character|syntax/i;
/** Characters that are mostly macro characters where they stand in a name at all. */
const BRACKETS = /[[\]{}]|(?!\p{ASCII})[^\p{L}\p{M}\p{N}]/u;
/** Nothing but signs, which right before a list or a string are a prefix of somebody's own: `$"…"`, `@(…)`. */
const SIGNS = /^[!$%&?@^_~]+$/;
const ESCAPED = /\\[\s\S]|\|[^|]*\|/g;

/** Whether somebody's readtable may read it as something else than we do. */
function mayMeanElse({ tree, text }: Source): boolean {
  if (text.includes('"""')) return true;
  for (const { node } of walk(tree)) {
    const begins = isBranch(node) ? node.kind === 'prefixed' : node.kind === 'token';
    if (!begins) continue;
    const name = text.slice(node.start, isBranch(node) ? node.inner : node.end);
    if (isUnusual(name.replaceAll(ESCAPED, ''), text.charAt(node.end))) return true;
  }
  return false;
}

/** @param next the character after it */
function isUnusual(name: string, next: string): boolean {
  if (name.startsWith('#') && !STANDARD_DISPATCH.test(name)) return true;
  return (
    CHANGES_SYNTAX.test(name) || BRACKETS.test(name) || (SIGNS.test(name) && (next === '(' || next === '"'))
  );
}
