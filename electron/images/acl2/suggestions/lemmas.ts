/** Lemma candidates: a goal that is left, made general as a person would: names for repeated terms, no destructors. */
import type { Rule } from './failure';
import { theoremOf } from './failure';
import { missingType } from './hypotheses';
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

/** What ACL2 calls the theorem, simplified and not split. */
const ITSELF = /^Goal'*$/;

/** Calls in a goal; nobody would state a larger one as a lemma. */
const MOST_CALLS = 60;

export const lemmaCandidates: Rule = (failure) => {
  const theorem = theoremOf(failure);
  return failure.checkpoints.flatMap((checkpoint) => {
    if (failure.falseGoals.has(checkpoint.goal)) return [];
    const same = theorem !== null && sameConjecture(theorem.conjecture, checkpoint.term);
    if (same || missingType(checkpoint) !== null || [...callsIn(checkpoint.term)].length > MOST_CALLS)
      return [];
    const lemma = asRewriteRule(generalized(checkpoint.term));
    if (!hasContent(lemma) || (theorem && sameConjecture(theorem.conjecture, lemma))) return [];
    if (ITSELF.test(checkpoint.goal) && sameConjecture(asRewriteRule(checkpoint.term), lemma)) return [];
    const form: Term = ['DEFTHM', nameOf(lemma), lemma];
    return [
      {
        kind: 'lemma' as const,
        goal: checkpoint.goal,
        text: `A lemma like this one, which ${checkpoint.goal} comes to, may let the proof go on. It may be false or too weak: try it with thm, and think of what makes it simpler and more general.`,
        form: printTerm(form),
      },
    ];
  });
};

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

/** An equation goes from its larger side to its smaller one. */
function asRewriteRule(term: Term): Term {
  const { hypotheses, conclusion } = conjectureOf(term);
  if (!isCall(conclusion, 'EQUAL')) return term;
  const [, left = 'NIL', right = 'NIL'] = conclusion;
  if (printTerm(right).length <= printTerm(left).length) return term;
  return termOf({ hypotheses, conclusion: ['EQUAL', right, left] });
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
  const taken = replaced(rest, ['CAR', variable], first);
  const second = freshVariable(['LIST', term, first]);
  const parts = replaced(taken, ['CDR', variable], second);
  return withoutDestructors(replaced(parts, variable, ['CONS', first, second]));
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
