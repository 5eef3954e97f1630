/** ACL2's forms as data: atoms are their text, as it was printed, so that nothing is lost on the way back. */
import { readSexp, type SexpData } from '../../../source/s-expression';

export type Term = string | readonly Term[];

const ACL2: SexpData<Term> = {
  atom(written) {
    if (written === '...') throw new SyntaxError('its middle was left out');
    return written;
  },
  list(items, tail) {
    if (tail !== null) return [...items, '.', tail];
    return items.length === 0 ? 'NIL' : items;
  },
  quote: 'QUOTE',
  // What is deeper is nothing to reason about.
  deepest: 500,
  most: 200_000,
};

/** The one form that `text` is; null where it is none, as where its middle was left out. */
export function readTerm(text: string): Term | null {
  try {
    return readSexp(text, ACL2);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** As it is typed: in lower case but for what case matters in. */
export function printTerm(term: Term): string {
  if (typeof term === 'string') return /["|\\]/.test(term) ? term : term.toLowerCase();
  const [operator, operand] = term;
  if (operator === 'QUOTE' && term.length === 2 && operand !== undefined) return `'${printTerm(operand)}`;
  return `(${term.map(printTerm).join(' ')})`;
}

export function sameTerm(one: Term, other: Term): boolean {
  return printTerm(one) === printTerm(other);
}

/** A list whose operator is a symbol, and no constant. */
export type Call = readonly [string, ...Term[]];

export function isCall(term: Term | undefined, operator?: string): term is Call {
  if (typeof term !== 'object' || typeof term[0] !== 'string' || term[0] === 'QUOTE') return false;
  return operator === undefined || term[0] === operator;
}

/** The name of a symbol by itself. */
export function withoutPackage(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(':') + 1);
}

/** A symbol that may stand for anything: no keyword, number, string, character or constant. */
export function isVariable(term: Term | undefined): term is string {
  if (typeof term !== 'string' || term === 'T' || term === 'NIL') return false;
  return !/^(?:[:"#]|[+-]?\.?\d|\*.+\*$)/.test(term);
}

export function isConstant(term: Term | undefined): boolean {
  return typeof term === 'string' ? !isVariable(term) : term?.[0] === 'QUOTE';
}

/** The term and all calls and atoms in it that are evaluated, outermost first. */
export function* subterms(term: Term): Generator<Term> {
  yield term;
  if (isCall(term)) for (const part of evaluated(term)) yield* subterms(part);
}

function evaluated([operator, ...operands]: Call): Term[] {
  if (operator === 'COND') return operands.flatMap((clause) => (typeof clause === 'string' ? [] : clause));
  if (operator !== 'LET' && operator !== 'LET*') return operands;
  const [bindings = [], ...body] = operands;
  return [...Array.from(bindings, (binding) => binding[1] ?? 'NIL'), ...body];
}

export function* callsIn(term: Term): Generator<Call> {
  for (const part of subterms(term)) if (isCall(part)) yield part;
}

export function variablesOf(term: Term): Set<string> {
  return new Set([...subterms(term)].filter(isVariable));
}

/** The term with `to` wherever it holds `from`. */
export function replaced(term: Term, from: Term, to: Term): Term {
  if (sameTerm(term, from)) return to;
  if (typeof term === 'string' || term[0] === 'QUOTE') return term;
  return term.map((part) => replaced(part, from, to));
}

/** Whether the one is the other but for the names of variables and the order of hypotheses. */
export function sameConjecture(one: Term, other: Term): boolean {
  return plainText(one) === plainText(other);
}

/** The same text for conjectures that differ only in the names of variables and the order of hypotheses. */
export function plainText(conjecture: Term): string {
  return printTerm(withPlainNames(conjecture));
}

function withPlainNames(term: Term): Term {
  const { hypotheses, conclusion } = conjectureOf(term);
  const names = [...variablesOf(['LIST', conclusion, ...hypotheses])];
  const plain = (part: Term) =>
    names.reduce<Term>((renamed, name, at) => replaced(renamed, name, `?${at}`), part);
  return termOf({ hypotheses: hypotheses.map(plain).toSorted(byText), conclusion: plain(conclusion) });
}

function byText(one: Term, other: Term): number {
  return printTerm(one) < printTerm(other) ? -1 : 1;
}

/** A conjecture as its hypotheses and its conclusion. */
export interface Conjecture {
  hypotheses: readonly Term[];
  conclusion: Term;
}

export function conjectureOf(term: Term): Conjecture {
  if (!isCall(term, 'IMPLIES')) return { hypotheses: [], conclusion: term };
  const [, hypothesis = 'T', conclusion = 'NIL'] = term;
  const inner = conjectureOf(conclusion);
  return { hypotheses: [...conjuncts(hypothesis), ...inner.hypotheses], conclusion: inner.conclusion };
}

function conjuncts(term: Term): Term[] {
  if (term === 'T') return [];
  return isCall(term, 'AND') ? term.slice(1).flatMap(conjuncts) : [term];
}

export function termOf({ hypotheses, conclusion }: Conjecture): Term {
  const [only] = hypotheses;
  if (only === undefined) return conclusion;
  return ['IMPLIES', hypotheses.length === 1 ? only : ['AND', ...hypotheses], conclusion];
}
