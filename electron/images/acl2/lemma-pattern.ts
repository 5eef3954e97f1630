/**
 * Patterns of formulas: a term in which `?` stands for anything, and any other variable for the same thing each time. A
 * formula is found where the pattern matches a part of it, whichever side of an equality stands first.
 */
import { conjectureOf, isCall, isConstant, isVariable, type Term } from './suggestions/term';

type Bindings = ReadonlyMap<string, Term>;

/** Macros that people write, by the functions that a world and some books have in their place. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['BINARY-APPEND', 'APPEND'],
  ['BINARY-+', '+'],
  ['BINARY-*', '*'],
  ['UNARY--', '-'],
  ['UNARY-/', '/'],
]);

/** Macros that choose between functions which are the same to the logic. */
const OF_EQUALITY =
  /^((?:R?ASSOC|MEMBER|SUBSETP|NO-DUPLICATESP|POSITION|PUT-ASSOC|REMOVE(?:1|-DUPLICATES|-ASSOC)?|UNION|INTERSECTION|SET-DIFFERENCE|ADD-TO-SET|INTERSECTP)\$?)-EQU?A?L?$/;

/** Operators whose two operands may change places. */
const EITHER_WAY: ReadonlySet<string> = new Set(['EQUAL', 'IFF', '=']);

/** How a formula fits: the less, the nearer it is to what was asked. */
export type Fit = 'conclusion' | 'part' | 'hypothesis';

export class LemmaPattern {
  readonly #term: Term;

  /** @param term as it was read */
  constructor(term: Term) {
    this.#term = comparable(term);
  }

  /** Names that each matching formula has in it, in capitals and without their packages. */
  get names(): string[] {
    return namesIn(this.#term);
  }

  /** null where no part of the formula fits, or where that takes too long to say. */
  placeIn(formula: Term): Fit | null {
    const whole = comparable(formula);
    const { hypotheses, conclusion } = conjectureOf(whole);
    const matching = new Matching(this.#term);
    if (matching.is(conclusion) || matching.is(whole)) return 'conclusion';
    if (matching.isIn(conclusion)) return 'part';
    return hypotheses.some((each) => matching.isIn(each)) ? 'hypothesis' : null;
  }
}

/** Without what does not count: case, packages, and whether a macro or its function is written. */
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
  return WRITTEN.get(name) ?? name.replace(OF_EQUALITY, '$1');
}

function namesIn(term: Term): string[] {
  if (typeof term === 'string' || term[0] === 'QUOTE') return [];
  const [operator, ...operands] = term;
  const own = typeof operator === 'string' && operator !== '?' ? [operator] : [];
  return [...new Set([...own, ...operands.flatMap(namesIn)])];
}

/** Whether an operand stands for something else than itself. */
function isFree(term: Term): term is string {
  return typeof term === 'string' && (term.startsWith('?') || isVariable(term));
}

/** Of one formula. Sides that may change places, one within the other, could be tried in more ways than there is time for. */
class Matching {
  readonly #pattern: Term;
  #stepsLeft = 5_000;

  constructor(pattern: Term) {
    this.#pattern = pattern;
  }

  is(term: Term): boolean {
    return !this.#ways(this.#pattern, term, new Map()).next().done;
  }

  isIn(term: Term): boolean {
    if (this.is(term)) return true;
    return typeof term !== 'string' && term.some((part) => this.isIn(part));
  }

  /** All in which the pattern is the term, as what its variables stand for then. */
  *#ways(pattern: Term, term: Term, bound: Bindings): Generator<Bindings> {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0) return;
    if (typeof pattern === 'string') yield* waysOfAtom(pattern, term, bound);
    else if (pattern[0] === 'QUOTE') {
      if (same(pattern, term)) yield bound;
    } else if (typeof term !== 'string' && term.length === pattern.length && sameOperator(pattern, term)) {
      const [, ...operands] = pattern;
      const [, ...given] = term;
      yield* this.#waysOfAll(operands, given, bound);
      if (isCall(pattern) && pattern.length === 3 && EITHER_WAY.has(pattern[0]))
        yield* this.#waysOfAll(operands, given.toReversed(), bound);
    }
  }

  *#waysOfAll(patterns: readonly Term[], terms: readonly Term[], bound: Bindings): Generator<Bindings> {
    const [pattern, ...patternsLeft] = patterns;
    const [term, ...termsLeft] = terms;
    if (pattern === undefined || term === undefined) yield bound;
    else
      for (const next of this.#ways(pattern, term, bound))
        yield* this.#waysOfAll(patternsLeft, termsLeft, next);
  }
}

function* waysOfAtom(pattern: string, term: Term, bound: Bindings): Generator<Bindings> {
  if (pattern === '?') yield bound;
  else if (!isFree(pattern)) {
    if (pattern === term) yield bound;
  } else {
    const known = bound.get(pattern);
    if (known === undefined) yield new Map([...bound, [pattern, term]]);
    else if (same(known, term)) yield bound;
  }
}

/** A `?` may also stand for the operator. */
function sameOperator([one = '']: readonly Term[], [other = '']: readonly Term[]): boolean {
  return one === '?' || same(one, other);
}

function same(one: Term, other: Term): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((part, index) => same(part, other[index] ?? ''));
}
