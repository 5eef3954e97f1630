/** A form in one line: its operator, its name and, of what is called, how. */
import { isList } from './form-name';
import type { Source } from './reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { isDefiner, type TopLevelForm } from './top-level';

/** Shorter forms of one line are shown whole. */
const SHORT = 80;
/** Longer lambda lists are left out. */
const LONG = 200;

export function signatureOf({ type, form, whole }: TopLevelForm, source: Source): string {
  const written = source.text.slice(whole.start, whole.end);
  if (written.length <= SHORT && !written.includes('\n')) return written;
  const before = oneLine(source.text.slice(whole.start, form.start));
  const parts = isList(form) ? partsOf(form, type, source) : [];
  const shown =
    parts.length === 0 ? `${oneLine(written).slice(0, SHORT)}…` : `(${[...parts, '…'].join(' ')})`;
  return `${before}${before && ' '}${shown}`;
}

/** Operator and name, and of a definition all up to its lambda list, or to those of its arities. */
function partsOf(form: Branch, type: string, source: Source): string[] {
  const text = ({ start, end }: SyntaxNode): string => oneLine(source.text.slice(start, end));
  const [operator, name, ...rest] = formsOf(form);
  if (operator === undefined) return [];
  const named = [operator, ...(name === undefined ? [] : [name])].map(text);
  const short = named.map((part) => (part.length > LONG ? '…' : part));
  if (!isDefiner(type)) return short;
  const place = rest.findIndex((node) => isList(node));
  const list = rest[place];
  if (list === undefined) return short;
  const lists =
    source.dialect === 'clojure' && source.text[list.start] === '(' ? rest.filter(isList).map(arity) : [list];
  const qualifiers = rest.slice(0, place).filter(({ kind }) => kind === 'token');
  const call = [...qualifiers, ...lists].map(text).join(' ');
  return call.length > LONG ? short : [...short, call];
}

/** The parameters of one of a function's arities. */
function arity(list: SyntaxNode): SyntaxNode {
  return (isBranch(list) ? formsOf(list)[0] : undefined) ?? list;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
