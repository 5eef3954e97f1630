/** The theorems that stand in the source of a book, as its text says them: what macros make of it is not known here. */
import { operatorOf } from '../../source/form-name';
import { Positions } from '../../source/positions';
import { read, type Source } from '../../source/reader';
import { formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';
import { printTerm, readTerm } from './suggestions/term';

export interface BookLemma {
  /** As `pkg::name` where the book is not in package ACL2. */
  name: string;
  /** In one line, and in lower case. */
  formula: string;
  line: number;
}

const THEOREM = /^(?:defthmd?|defruled?)$/i;

/** What includes of the book do not get, and forms that hold no events. */
const WITHOUT_LEMMAS = /^(?:local|defund?|defun-.*|define-.*|defmacro|defconst|quote)$/i;

/** Events stand in other events, as in an ENCAPSULATE; deeper are parts of functions. */
const DEEPEST = 6;

/** A formula that takes longer to read than it helps. */
const LONGEST = 4_000;

export function lemmasIn(text: string): BookLemma[] {
  if (!/def(?:thm|rule)/i.test(text)) return [];
  const source = read(text, 'common-lisp');
  const found = { source, positions: new Positions(text), package: 'ACL2', lemmas: [] };
  for (const form of formsOf(source.tree)) collect(form, 0, found);
  return found.lemmas;
}

interface Found {
  source: Source;
  positions: Positions;
  /** The current one. */
  package: string;
  lemmas: BookLemma[];
}

function collect(form: SyntaxNode, depth: number, found: Found): void {
  const operator = operatorOf(form, found.source);
  if (operator === null || !isBranch(form) || depth > DEEPEST || WITHOUT_LEMMAS.test(operator)) return;
  const [, name, formula, ...rest] = formsOf(form);
  if (/^in-package$/i.test(operator) && name) found.package = packageNamed(textOf(name, found));
  else if (THEOREM.test(operator)) addLemma(form, name, formula, found);
  else for (const part of [name, formula, ...rest]) if (part) collect(part, depth + 1, found);
}

function addLemma(
  { start }: SyntaxNode,
  name: SyntaxNode | undefined,
  formula: SyntaxNode | undefined,
  found: Found,
): void {
  if (name?.kind !== 'token' || formula?.kind !== 'list' || formula.end - formula.start > LONGEST) return;
  const term = readTerm(textOf(formula, found));
  if (term === null) return;
  const written = textOf(name, found);
  const named = found.package === 'ACL2' || written.includes('::') ? written : `${found.package}::${written}`;
  found.lemmas.push({
    name: printTerm(named),
    formula: printTerm(term).replaceAll(/\s+/g, ' '),
    line: found.positions.line(start),
  });
}

function textOf({ start, end }: SyntaxNode, { source }: Found): string {
  return source.text.slice(start, end);
}

function packageNamed(written: string): string {
  return written
    .replace(/^"(.*)"$/, '$1')
    .replace(/^#?:/, '')
    .toUpperCase();
}
