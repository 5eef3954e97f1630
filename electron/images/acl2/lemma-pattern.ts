/**
 * Patterns of formulas: a term in which `?` stands for anything, and any other variable for the same thing each time. A
 * formula is found where the pattern matches a part of it, whichever side of an equality stands first.
 */
import { conjectureOf, isCall, isConstant, isVariable, plainText, type Term } from './suggestions/term';

/** What variables stand for, and how many parts of the pattern that stand for anything stand for no mere variable. */
interface Bindings {
  known: ReadonlyMap<string, Term>;
  special: number;
}

const NOTHING: Bindings = Object.freeze({ known: new Map(), special: 0 });

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

/** Places of a formula in which a pattern may be, the nearest to what was asked first: what a rule says or rewrites comes before
 * what it is rewritten to. */
export const PLACES = ['conclusion', 'other-side', 'part', 'hypothesis'] as const;

/** How a formula fits: `special` counts what it has in place of variables where the pattern would have anything. */
export interface Fit {
  place: (typeof PLACES)[number];
  special: number;
}

/** A side of which nothing is asked: there anything is as good as a variable. */
const WHATEVER = '??';

export class LemmaPattern {
  readonly #term: Term;

  /** @param term as it was read */
  constructor(term: Term) {
    this.#term = withOpenSides(comparable(term));
  }

  /** Names that each matching formula has in it, in capitals and without their packages. */
  get names(): string[] {
    return namesIn(this.#term);
  }

  /** null where no part of the formula fits, or where that takes too long to say. */
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

/** The same text for formulas that say the same in other variables, or with other names of the same functions. */
export function sameFormulas(formula: Term): string {
  return plainText(comparable(formula));
}

function withOpenSides(pattern: Term): Term {
  if (!isCall(pattern) || !EITHER_WAY.has(pattern[0])) return pattern;
  return pattern.map((operand) => (operand === '?' ? WHATEVER : operand));
}

/** An equation with its sides in each other's places; null for anything else. */
function turnedOf(term: Term): Term | null {
  if (!isCall(term) || term.length !== 3 || !EITHER_WAY.has(term[0])) return null;
  const [operator, left = '', right = ''] = term;
  return [operator, right, left];
}

/** What a rule with this conclusion rewrites. */
function targetsOf(conclusion: Term): Term[] {
  if (!isCall(conclusion)) return [];
  const [operator, target = ''] = conclusion;
  return EITHER_WAY.has(operator) || operator === 'NOT' ? [target] : [];
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
  const own = typeof operator === 'string' && !operator.startsWith('?') ? [operator] : [];
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

  /** How special the first of the terms is that the pattern matches with its sides as they stand; null where none is one. */
  isOne(terms: readonly Term[], pattern = this.#pattern): number | null {
    for (const term of terms) {
      const { value } = this.#ways(pattern, term, NOTHING, false).next();
      if (value) return value.special;
    }
    return null;
  }

  /** The same of any part of the term, and of sides in each other's places. */
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

  /** All in which the pattern is the term, as what its variables stand for then. */
  *#ways(pattern: Term, term: Term, bound: Bindings, mayTurn = true): Generator<Bindings, undefined> {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0) return;
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
    const [pattern, ...patternsLeft] = patterns;
    const [term, ...termsLeft] = terms;
    if (pattern === undefined || term === undefined) yield bound;
    else
      for (const next of this.#ways(pattern, term, bound))
        yield* this.#waysOfAll(patternsLeft, termsLeft, next);
  }
}

function* waysOfAtom(pattern: string, term: Term, bound: Bindings): Generator<Bindings, undefined> {
  const special = bound.special + (typeof term === 'string' && isVariable(term) ? 0 : 1);
  if (pattern === WHATEVER) yield bound;
  else if (pattern === '?') yield { ...bound, special };
  else if (!isFree(pattern)) {
    if (pattern === term) yield bound;
  } else {
    const known = bound.known.get(pattern);
    if (known === undefined) yield { known: new Map([...bound.known, [pattern, term]]), special };
    else if (same(known, term)) yield bound;
  }
}

/** A variable with a question mark may also stand for the operator. */
function sameOperator([one = '']: readonly Term[], [other = '']: readonly Term[]): boolean {
  return (typeof one === 'string' && one.startsWith('?')) || same(one, other);
}

function same(one: Term, other: Term): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((part, index) => same(part, other[index] ?? ''));
}
