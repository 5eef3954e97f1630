/**
 * Patterns of formulas. In a pattern `?` matches anything, and any other variable matches the same term at
 * each occurrence. A pattern matches a formula if it matches a part of it, with the sides of an equality in
 * either order.
 */
import { conjectureOf, isCall, isConstant, isVariable, plainText, type Term } from './terms';

/** The terms of the variables, and the number of wildcards that matched a term other than a variable. */
interface Bindings {
  known: ReadonlyMap<string, Term>;
  special: number;
}

const NOTHING: Bindings = Object.freeze({ known: new Map(), special: 0 });

/** Macros by the functions that they expand to. Formulas may contain either. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['BINARY-APPEND', 'APPEND'],
  ['BINARY-+', '+'],
  ['BINARY-*', '*'],
  ['UNARY--', '-'],
  ['UNARY-/', '/'],
]);

/** Matches macro variants that differ only in the equality test and are equal in the logic. */
const EQUALITY_VARIANT =
  /^((?:R?ASSOC|MEMBER|SUBSETP|NO-DUPLICATESP|POSITION|PUT-ASSOC|REMOVE(?:1|-DUPLICATES|-ASSOC)?|UNION|INTERSECTION|SET-DIFFERENCE|ADD-TO-SET|INTERSECTP)\$?)-EQU?A?L?$/;

/** Operators whose operands can be swapped. */
const EITHER_WAY: ReadonlySet<string> = new Set(['EQUAL', 'IFF', '=']);

/**
 * Places of a match in a formula, nearest first: the conclusion of a rule or the term that it rewrites comes
 * before the replacement.
 */
export const PLACES = ['conclusion', 'other-side', 'part', 'hypothesis'] as const;

/** A match. `special` is the number of wildcards that matched a term other than a variable. */
export interface Fit {
  place: (typeof PLACES)[number];
  special: number;
}

/** A wildcard for a whole side, where any term is as good as a variable. */
const ANYTHING = '??';

export class LemmaPattern {
  readonly #term: Term;

  constructor(term: Term) {
    this.#term = withOpenSides(comparable(term));
  }

  /** Names that occur in each matching formula, in upper case and without packages. */
  get names(): string[] {
    return namesIn(this.#term);
  }

  /** Returns the nearest match; null for no match, or if matching takes too many steps. */
  placeIn(formula: Term): Fit | null {
    const whole = comparable(formula);
    const { hypotheses, conclusion } = conjectureOf(whole);
    const conclusions = isCall(conclusion, 'AND') ? conclusion.slice(1) : [conclusion];
    const matching = new Matching(this.#term);
    const turned = turnedOf(this.#term);
    const found = (place: Fit['place'], special: number | null): Fit | null =>
      special === null ? null : { place, special };
    return (
      found('conclusion', matching.isOne([...conclusions, whole, ...conclusions.flatMap(targetsOf)])) ??
      found('other-side', turned === null ? null : matching.isOne(conclusions, turned)) ??
      found('part', matching.isIn(conclusion)) ??
      found('hypothesis', matching.isIn(['LIST', ...hypotheses]))
    );
  }
}

/**
 * Returns a text that is equal for formulas that differ only in variables or in spellings of the same
 * function.
 */
export function sameFormulas(formula: Term): string {
  return plainText(comparable(formula));
}

function withOpenSides(pattern: Term): Term {
  if (!isCall(pattern) || !EITHER_WAY.has(pattern[0])) return pattern;
  return pattern.map((operand) => (operand === '?' ? ANYTHING : operand));
}

/** Returns an equation with its sides swapped; null for other terms. */
function turnedOf(term: Term): Term | null {
  if (!isCall(term) || term.length !== 3 || !EITHER_WAY.has(term[0])) return null;
  const [operator, left = '', right = ''] = term;
  return [operator, right, left];
}

/** Returns the terms that a rule with this conclusion rewrites. */
function targetsOf(conclusion: Term): Term[] {
  if (!isCall(conclusion)) return [];
  const [operator, target = ''] = conclusion;
  return EITHER_WAY.has(operator) || operator === 'NOT' ? [target] : [];
}

/** Normalizes case, packages, and macros with their functions. */
function comparable(term: Term): Term {
  if (typeof term === 'string') return comparableAtom(term);
  const [operator, operand] = term;
  if (String(operator).toUpperCase() === 'QUOTE' && isConstant(String(operand).toUpperCase()))
    return comparableAtom(String(operand));
  return term.map(comparable);
}

function comparableAtom(atom: string): string {
  if (/^["#:]/.test(atom)) return atom.toUpperCase();
  const bare = atom.replace(/^[^:|]+::?(?=[^:])/, '');
  const name = bare.includes('|') ? bare : bare.toUpperCase();
  return WRITTEN.get(name) ?? name.replace(EQUALITY_VARIANT, '$1');
}

function namesIn(term: Term): string[] {
  if (typeof term === 'string' || term[0] === 'QUOTE') return [];
  const [operator, ...operands] = term;
  const own = typeof operator === 'string' && !operator.startsWith('?') ? [operator] : [];
  return [...new Set([...own, ...operands.flatMap(namesIn)])];
}

/** Reports whether an operand is a wildcard or a variable. */
function isFree(term: Term): term is string {
  return typeof term === 'string' && (term.startsWith('?') || isVariable(term));
}

/**
 * Matches one formula. The number of steps is limited, because nested swappable operands have exponentially
 * many orders.
 */
class Matching {
  readonly #pattern: Term;
  #remainingSteps = 5_000;

  constructor(pattern: Term) {
    this.#pattern = pattern;
  }

  /** Returns `special` for the first term that the pattern matches without swapping sides; null for none. */
  isOne(terms: readonly Term[], pattern = this.#pattern): number | null {
    for (const term of terms) {
      const { value } = this.#ways(pattern, term, NOTHING, false).next();
      if (value) return value.special;
    }
    return null;
  }

  /** Returns `special` for the first matching part of the term, also with sides swapped. */
  isIn(term: Term): number | null {
    const { value } = this.#ways(this.#pattern, term, NOTHING).next();
    if (value) return value.special;
    if (typeof term === 'string') return null;
    for (const part of term) {
      const special = this.isIn(part);
      if (special !== null) return special;
    }
    return null;
  }

  /** Yields the bindings of each way in which the pattern matches the term. */
  *#ways(pattern: Term, term: Term, bound: Bindings, mayTurn = true): Generator<Bindings, undefined> {
    this.#remainingSteps -= 1;
    if (this.#remainingSteps < 0) return;
    if (typeof pattern === 'string') yield* waysOfAtom(pattern, term, bound);
    else if (pattern[0] === 'QUOTE') {
      if (same(pattern, term)) yield bound;
    } else if (typeof term !== 'string' && term.length === pattern.length && sameOperator(pattern, term)) {
      const [, ...operands] = pattern;
      const [, ...given] = term;
      yield* this.#waysOfAll(operands, given, bound);
      if (mayTurn && turnedOf(pattern)) yield* this.#waysOfAll(operands, given.toReversed(), bound);
    }
  }

  *#waysOfAll(
    patterns: readonly Term[],
    terms: readonly Term[],
    bound: Bindings,
  ): Generator<Bindings, undefined> {
    const [pattern, ...otherPatterns] = patterns;
    const [term, ...otherTerms] = terms;
    if (pattern === undefined || term === undefined) yield bound;
    else
      for (const next of this.#ways(pattern, term, bound))
        yield* this.#waysOfAll(otherPatterns, otherTerms, next);
  }
}

function* waysOfAtom(pattern: string, term: Term, bound: Bindings): Generator<Bindings, undefined> {
  const special = bound.special + (typeof term === 'string' && isVariable(term) ? 0 : 1);
  if (pattern === ANYTHING) yield bound;
  else if (pattern === '?') yield { ...bound, special };
  else if (!isFree(pattern)) {
    if (pattern === term) yield bound;
  } else {
    const known = bound.known.get(pattern);
    if (known === undefined) yield { known: new Map([...bound.known, [pattern, term]]), special };
    else if (same(known, term)) yield bound;
  }
}

/** Compares operators. A variable with a question mark matches any operator. */
function sameOperator([one = '']: readonly Term[], [other = '']: readonly Term[]): boolean {
  return (typeof one === 'string' && one.startsWith('?')) || same(one, other);
}

function same(one: Term, other: Term): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((part, index) => same(part, other[index] ?? ''));
}
