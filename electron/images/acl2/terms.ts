/** ACL2 forms as data. Atoms are the printed text, so that printing a term loses nothing. */
import { readSexp, type SexpData } from '../../source/s-expression';

export type Term = string | readonly Term[];

const ACL2: SexpData<Term> = {
  atom(written) {
    if (written === '...') throw new SyntaxError('part of it was elided');
    return written;
  },
  list(items, tail) {
    if (tail !== null) return [...items, '.', tail];
    return items.length === 0 ? 'NIL' : items;
  },
  quote: 'QUOTE',
  // Deeper terms are not worth analyzing.
  deepest: 500,
  most: 200_000,
};

/** Parses a single form; null if `text` is not one, or was abbreviated. */
export function readTerm(text: string): Term | null {
  try {
    return readSexp(text, ACL2);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Prints a term in lower case, except where case is significant. */
export function printTerm(term: Term): string {
  if (typeof term === 'string') return /["|\\]/.test(term) ? term : term.toLowerCase();
  const [operator, operand] = term;
  if (operator === 'QUOTE' && term.length === 2 && operand !== undefined) return `'${printTerm(operand)}`;
  return `(${term.map(printTerm).join(' ')})`;
}

export function sameTerm(one: Term, other: Term): boolean {
  return printTerm(one) === printTerm(other);
}

/** A list whose operator is a symbol, except a quoted constant. */
export type Call = readonly [string, ...Term[]];

export function isCall(term: Term | undefined, operator?: string): term is Call {
  if (typeof term !== 'object' || typeof term[0] !== 'string' || term[0] === 'QUOTE') return false;
  return operator === undefined || term[0] === operator;
}

/** Returns the symbol's name without its package. */
export function withoutPackage(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(':') + 1);
}

/**
 * Reports whether `term` is a variable: a symbol that is not a keyword, number, string, character or
 * constant.
 */
export function isVariable(term: Term | undefined): term is string {
  if (typeof term !== 'string' || term === 'T' || term === 'NIL') return false;
  return !/^(?:[:"#]|[+-]?\.?\d|\*.+\*$)/.test(term);
}

export function isConstant(term: Term | undefined): boolean {
  return typeof term === 'string' ? !isVariable(term) : term?.[0] === 'QUOTE';
}

/** Yields the term and all evaluated subterms, outermost first. */
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

/** Returns the term with each occurrence of `from` replaced by `to`. */
export function replaced(term: Term, from: Term, to: Term): Term {
  if (sameTerm(term, from)) return to;
  if (typeof term === 'string' || term[0] === 'QUOTE') return term;
  return term.map((part) => replaced(part, from, to));
}

/** Reports whether the conjectures are equal up to variable names and the order of hypotheses. */
export function sameConjecture(one: Term, other: Term): boolean {
  return plainText(one) === plainText(other);
}

/**
 * Returns a text that is equal for conjectures that differ only in variable names and the order of
 * hypotheses.
 */
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

/** A conjecture as hypotheses and conclusion. */
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
