/** Lemma candidates: a goal that is left, made general as a person would: names for repeated terms, no destructors. */
import type { Checkpoint, Rule } from './failure';
import { theoremOf } from './failure';
import { missingType } from './hypotheses';
import { missedHypothesis } from './missed-hypothesis';
import {
  type Call,
  type Conjecture,
  callsIn,
  conjectureOf,
  isCall,
  isVariable,
  printTerm,
  replaced,
  sameConjecture,
  sameTerm,
  subterms,
  type Term,
  termOf,
  variablesOf,
  withoutPackage,
} from './term';

/** Operators whose calls get no name: it would hide too much. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'NOT AND OR IF IMPLIES EQUAL IFF < <= > >= CONSP CAR CDR CONS LIST LIST* + - * QUOTE ATOM ENDP'.split(' '),
);

/** Numbers are what other functions are told of: no rule should be about these where its other side has a function. */
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '*', '-', '/']);

/** What ACL2 calls the theorem, simplified and not split. */
const ITSELF = /^Goal'*$/;

/** Calls in a goal; nobody would state a larger one as a lemma. */
const MOST_CALLS = 60;

export const lemmaCandidates: Rule = (failure) => {
  const theorem = theoremOf(failure);
  const names = new Set<string>();
  return failure.checkpoints.flatMap((checkpoint) => {
    if (failure.falseGoals.has(checkpoint.goal) || missedHypothesis(checkpoint) !== null) return [];
    const same = theorem !== null && sameConjecture(theorem.conjecture, checkpoint.term);
    if (same || missingType(checkpoint) !== null || [...callsIn(checkpoint.term)].length > MOST_CALLS)
      return [];
    const lemma = asRewriteRule(generalized(checkpoint.term));
    if (!isLikely(lemma, checkpoint) || (theorem && sameConjecture(theorem.conjecture, lemma))) return [];
    if (ITSELF.test(checkpoint.goal) && sameConjecture(asRewriteRule(checkpoint.term), lemma)) return [];
    const name = nameOf(lemma);
    // Another case of the same says nothing new.
    if (names.has(name)) return [];
    names.add(name);
    return [
      {
        kind: 'lemma' as const,
        goal: checkpoint.goal,
        text: `${checkpoint.goal} made general; it may be false or too weak.`,
        form: printTerm(['DEFTHM', name, lemma]),
      },
    ];
  });
};

/** Whether it says something, and is not the mere step of an induction, which nobody needs by itself. */
function isLikely(lemma: Term, { underInduction }: Checkpoint): boolean {
  const { hypotheses } = conjectureOf(lemma);
  return hasContent(lemma) && !(underInduction && hypotheses.some((each) => isCall(each, 'EQUAL')));
}

/** A conclusion about nothing but a variable says nothing. */
function hasContent(lemma: Term): boolean {
  const { conclusion } = conjectureOf(lemma);
  return [...callsIn(conclusion)].some(([operator]) => !TRANSPARENT.has(operator));
}

/** The conjecture made general: variables stand for terms that occur twice and for the parts of pairs. */
export function generalized(term: Term): Term {
  const named = withoutDestructors(withRepeatedTermsNamed(term));
  return termOf(relevant(withoutEquations(conjectureOf(named))));
}

function withRepeatedTermsNamed(term: Term): Term {
  const [largest] = [...callsIn(term)]
    .filter((call) => isWorthAName(call, term))
    .sort((one, other) => printTerm(other).length - printTerm(one).length);
  return largest === undefined ? term : withRepeatedTermsNamed(replaced(term, largest, freshVariable(term)));
}

/** A side of the conclusion must stay what it is: of a mere variable hardly anything is true. */
function isWorthAName(call: Call, term: Term): boolean {
  const { conclusion } = conjectureOf(term);
  const sides = isCall(conclusion) ? [conclusion, ...conclusion.slice(1)] : [];
  return (
    !TRANSPARENT.has(call[0]) &&
    variablesOf(call).size > 0 &&
    occurrences(term, call) > 1 &&
    !sides.some((side) => sameTerm(side, call))
  );
}

/** An equation goes from its larger side to its smaller one, and from a function to arithmetic. */
function asRewriteRule(term: Term): Term {
  const { hypotheses, conclusion } = conjectureOf(term);
  if (!isCall(conclusion, 'EQUAL')) return term;
  const [, left = 'NIL', right = 'NIL'] = conclusion;
  const [leftCounts, rightCounts] = [isArithmetic(left), isArithmetic(right)];
  const isRule = leftCounts === rightCounts ? printTerm(right).length <= printTerm(left).length : rightCounts;
  return isRule ? term : termOf({ hypotheses, conclusion: ['EQUAL', right, left] });
}

function isArithmetic(term: Term): boolean {
  return isCall(term) && ARITHMETIC.has(term[0]);
}

function occurrences(term: Term, part: Term): number {
  return [...subterms(term)].filter((each) => sameTerm(each, part)).length;
}

/** `(consp x)` with `(car x)` and `(cdr x)`: x is the pair of two variables. */
function withoutDestructors(term: Term): Term {
  const { hypotheses, conclusion } = conjectureOf(term);
  const pair = hypotheses.find((hypothesis) => isCall(hypothesis, 'CONSP') && isVariable(hypothesis[1]));
  if (!isCall(pair)) return term;
  const variable = pair[1] as string;
  const rest = termOf({ hypotheses: hypotheses.filter((hypothesis) => hypothesis !== pair), conclusion });
  const first = freshVariable(term);
  const second = freshVariable(['LIST', term, first]);
  return withoutDestructors(partsNamed(rest, variable, first, second));
}

const PART = /^C([AD]*)([AD])R$/;

/** The term with names for the parts of the pair that `variable` is: of (CADR X) is left the CAR of the second one. */
function partsNamed(term: Term, variable: string, first: string, second: string): Term {
  if (term === variable) return ['CONS', first, second];
  if (typeof term === 'string' || term[0] === 'QUOTE') return term;
  const [operator, operand] = term;
  const part = operand === variable && typeof operator === 'string' ? PART.exec(operator) : null;
  if (!part) return term.map((each) => partsNamed(each, variable, first, second));
  const [, further, side] = part;
  const named = side === 'A' ? first : second;
  return further ? [`C${further}R`, named] : named;
}

/** What equals a variable takes its place. */
function withoutEquations(conjecture: Conjecture): Conjecture {
  for (const hypothesis of conjecture.hypotheses) {
    if (!isCall(hypothesis, 'EQUAL')) continue;
    const [, left = 'NIL', right = 'NIL'] = hypothesis;
    const [variable, value] = isVariable(right) ? [right, left] : [left, right];
    if (!isVariable(variable) || variablesOf(value).has(variable)) continue;
    const others = conjecture.hypotheses.filter((other) => other !== hypothesis);
    return withoutEquations({
      hypotheses: others.map((other) => replaced(other, variable, value)),
      conclusion: replaced(conjecture.conclusion, variable, value),
    });
  }
  return conjecture;
}

/** Only hypotheses that speak of something which the conclusion speaks of. */
function relevant({ hypotheses, conclusion }: Conjecture): Conjecture {
  const told = variablesOf(conclusion);
  return {
    conclusion,
    hypotheses: hypotheses.filter((hypothesis) =>
      [...variablesOf(hypothesis)].some((name) => told.has(name)),
    ),
  };
}

/** A letter that the term has no variable of. */
function freshVariable(term: Term): string {
  const taken = variablesOf(term);
  const letters = [...'ABCDEFGHUVWYZ'];
  return letters.find((letter) => !taken.has(letter)) ?? `A${taken.size}`;
}

/** As books name rules: REV-OF-APP for what REV does to APP. */
function nameOf(lemma: Term): string {
  const { conclusion } = conjectureOf(lemma);
  const [operator, left = 'NIL', right = 'NIL'] = isCall(conclusion) ? conclusion : ['LEMMA'];
  const side = operator === 'EQUAL' || operator === 'IFF' ? (isCall(left) ? left : right) : conclusion;
  if (!isCall(side)) return 'A-LEMMA';
  const inner = side.slice(1).find((argument) => isCall(argument) && !TRANSPARENT.has(argument[0]));
  return isCall(inner) ? `${side[0]}-OF-${withoutPackage(inner[0])}` : `${side[0]}-LEMMA`;
}
