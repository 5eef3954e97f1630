/**
 * Suggests lemmas: remaining goals, generalized with variables for repeated terms and without destructors.
 */
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
} from '../terms';
import { type Checkpoint, type Rule, theoremOf } from './failure';
import { missedHypothesis, missingType } from './hypotheses';

/** Operators whose calls are not replaced by variables, because that would hide too much. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'NOT AND OR IF IMPLIES EQUAL IFF < <= > >= CONSP CAR CDR CONS LIST LIST* + - * QUOTE ATOM ENDP'.split(' '),
);

/** Arithmetic operators. In an equation with another function, a rule should rewrite the other side. */
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '*', '-', '/']);

/** Matches ACL2's names for the theorem, simplified but not split. */
const ITSELF = /^Goal'*$/;

/** Maximum calls in a goal. A larger one is not a useful lemma. */
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
    // Skip other cases of the same lemma.
    if (names.has(name)) return [];
    names.add(name);
    return [
      {
        kind: 'lemma' as const,
        goal: checkpoint.goal,
        text: `${checkpoint.goal}, generalized. It may be false or too weak.`,
        form: printTerm(['DEFTHM', name, lemma]),
      },
    ];
  });
};

/** Reports whether the lemma has content and is not only an induction step. */
function isLikely(lemma: Term, { underInduction }: Checkpoint): boolean {
  const { hypotheses } = conjectureOf(lemma);
  return hasContent(lemma) && !(underInduction && hypotheses.some((each) => isCall(each, 'EQUAL')));
}

/** Reports whether the conclusion calls a function of interest. */
function hasContent(lemma: Term): boolean {
  const { conclusion } = conjectureOf(lemma);
  return [...callsIn(conclusion)].some(([operator]) => !TRANSPARENT.has(operator));
}

/** Generalizes a conjecture: variables replace repeated terms and the parts of pairs. */
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

/** Excludes the sides of the conclusion: hardly anything is true of an arbitrary variable. */
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

/** Orients an equation from its larger to its smaller side, and from a function to arithmetic. */
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

/** Replaces x in `(consp x)`, `(car x)` and `(cdr x)` by a pair of two variables. */
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

/** Replaces the parts of the pair `variable` by variables. (CADR X) becomes the CAR of the second one. */
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

/** Substitutes terms that are equal to a variable. */
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

/** Keeps only hypotheses that share a variable with the conclusion. */
function relevant({ hypotheses, conclusion }: Conjecture): Conjecture {
  const variables = variablesOf(conclusion);
  return {
    conclusion,
    hypotheses: hypotheses.filter((hypothesis) =>
      [...variablesOf(hypothesis)].some((name) => variables.has(name)),
    ),
  };
}

/** Returns a letter that is not a variable of the term. */
function freshVariable(term: Term): string {
  const taken = variablesOf(term);
  const letters = [...'ABCDEFGHUVWYZ'];
  return letters.find((letter) => !taken.has(letter)) ?? `A${taken.size}`;
}

/** Returns a name in the style of the books: REV-OF-APP for REV applied to APP. */
function nameOf(lemma: Term): string {
  const { conclusion } = conjectureOf(lemma);
  const [operator, left = 'NIL', right = 'NIL'] = isCall(conclusion) ? conclusion : ['LEMMA'];
  const side = operator === 'EQUAL' || operator === 'IFF' ? (isCall(left) ? left : right) : conclusion;
  if (!isCall(side)) return 'A-LEMMA';
  const inner = side.slice(1).find((argument) => isCall(argument) && !TRANSPARENT.has(argument[0]));
  return isCall(inner) ? `${side[0]}-OF-${withoutPackage(inner[0])}` : `${side[0]}-LEMMA`;
}
