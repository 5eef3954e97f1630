/** Outline of a source text: its top-level forms in one line each, some of them expanded. */
import { formTitle } from './locate';
import type { Source } from './reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { Positions } from './text';
import { isDefiner, isList, type TopLevelForm, topLevelForms } from './top-level-forms';

/** Selects the forms to expand, by title or by content; null: no such condition. */
interface Expanded {
  /** Tests titles such as `defun area`, and names alone. */
  names: ((texts: readonly string[]) => readonly boolean[]) | null;
  contents: ((texts: readonly string[]) => readonly boolean[]) | null;
}

/**
 * `matched` counts expanded forms, `left` those that are omitted. `names` are the names of all definitions.
 */
interface Collapsed {
  text: string;
  matched: number;
  left: number;
  names: string[];
}

/**
 * Returns each form with its line number; an expanded one follows in full. Comments between forms are
 * omitted, and if `others` is false, also the forms that are not expanded.
 */
export function outlineText(source: Source, { names, contents }: Expanded, others = true): Collapsed {
  const { text } = source;
  const positions = new Positions(text);
  const forms = topLevelForms(source);
  const titled = names?.(forms.map((form) => formTitle(form, source.dialect)));
  const named = names?.(forms.map(({ name }) => name?.name ?? ''));
  const holding = contents?.(forms.map((form) => ownText(form, text)));
  const lines: string[] = [];
  let [shown, matched, left] = [0, 0, 0];
  for (const [place, form] of forms.entries()) {
    const { start, end } = form.whole;
    // It is inside a form that was expanded.
    if (end <= shown) continue;
    const line = positions.line(start);
    if (titled?.[place] || named?.[place] || holding?.[place]) {
      lines.push(`${line}:`, text.slice(start, end));
      shown = end;
      matched += 1;
    } else if (others) lines.push(`${line}: ${'  '.repeat(form.depth)}${signatureOf(form, source)}`);
    else left += 1;
  }
  const definitions = forms.flatMap(({ type, name }) => (isDefiner(type) && name ? [name.name] : []));
  return { text: lines.join('\n'), matched, left, names: [...new Set(definitions)] };
}

function ownText({ whole }: TopLevelForm, text: string): string {
  return text.slice(whole.start, whole.end);
}

/** Forms of one line up to this length are shown whole. */
const SHORT = 80;
/** Longer lambda lists are omitted. */
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

/** Returns the operator and the name; for a definition, also its lambda list, or those of its arities. */
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

/** Returns the parameters of one arity of a function. */
function arity(list: SyntaxNode): SyntaxNode {
  return (isBranch(list) ? formsOf(list)[0] : undefined) ?? list;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
