/** The operators that a file defines itself: macros with `&body`, and functions. */
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode } from '../syntax-tree';
import { topLevelForms } from '../top-level';
import type { Shape } from './shape';

/** By their names in lower case, without packages. */
export function ownOperators(source: Source): Map<string, Shape> {
  const own = new Map<string, Shape>();
  for (const { type, name, form } of topLevelForms(source)) {
    const defines = type.toLowerCase();
    if (name === null || !isBranch(form)) continue;
    if (defines === 'defun' || defines === 'defgeneric') own.set(name.name, 'call');
    if (defines !== 'defmacro') continue;
    const bodyAfter = parametersBeforeBody(formsOf(form)[2], source);
    if (bodyAfter !== null) own.set(name.name, { bodyAfter });
  }
  return own;
}

/** null for a lambda list without `&body`. */
function parametersBeforeBody(parameters: SyntaxNode | undefined, { text }: Source): number | null {
  if (parameters === undefined || !isBranch(parameters)) return null;
  const written = formsOf(parameters).map(({ start, end }) => text.slice(start, end).toLowerCase());
  const body = written.indexOf('&body');
  if (body < 0) return null;
  const before = written.slice(0, body);
  // The whole form and the environment are no arguments.
  const apart = before.filter((name) => name === '&whole' || name === '&environment').length;
  return before.filter((name) => !name.startsWith('&')).length - apart;
}
