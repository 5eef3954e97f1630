/**
 * Ways to prove a theorem that experts try: a known theorem in a hint, a warrant, arithmetic books, and a rule
 * that moves a function through another one. There are many, so each is offered only if ACL2 proves it.
 */
import { includeForm } from '../knowledge';
import {
  type Call,
  callsIn,
  conjectureOf,
  isCall,
  isConstant,
  isVariable,
  printTerm,
  sameTerm,
  type Term,
  termOf,
  variablesOf,
  withoutPackage,
} from '../terms';
import { type Failure, goalHint, type Theorem, theoremOf } from './failure';

/** A suggestion that is offered only if it is proved. `before`: forms that must be submitted first. */
export interface ProofIdea {
  kind: 'theory' | 'lemma' | 'hypothesis';
  goal: string | null;
  text: string;
  form: string;
  before: readonly string[];
}

/** Maximum ideas of a kind. */
const MOST = 6;

/**
 * Returns ideas that need no test on values, quickest first.
 * @param hasBooks whether system books can be included
 */
export function proofIdeas(failure: Failure, hasBooks: boolean): ProofIdea[] {
  const theorem = theoremOf(failure);
  if (theorem === null) return [];
  return [
    ...usesOfTheorems(failure, theorem),
    ...warrants(failure, theorem, hasBooks),
    ...(hasBooks ? arithmetic(failure, theorem) : []),
  ];
}

// Known theorems.

function usesOfTheorems({ usableTheorems, checkpoints }: Failure, theorem: Theorem): ProofIdea[] {
  const calls = [
    ...callsIn(theorem.conjecture),
    ...checkpoints.filter((each) => !each.underInduction).flatMap(({ term }) => [...callsIn(term)]),
  ];
  const known = variablesOf(theorem.conjecture);
  return usableTheorems.slice(0, MOST).flatMap(({ name, formula }) => {
    const instance = instanceOf(name, formula, calls, known);
    const form = theorem.with({ hints: goalHint(':USE', instance) });
    return form === null
      ? []
      : [idea('theory', null, `Use the known theorem ${printTerm(name)}.`, printTerm(form))];
  });
}

/**
 * Returns the theorem with terms of the goal for its variables: its conclusion, or a side of it, matches a call of
 * the goal, and then each hypothesis binds what is left. Otherwise the theorem itself.
 */
function instanceOf(name: string, formula: Term, calls: readonly Call[], known: ReadonlySet<string>): Term {
  const { hypotheses, conclusion } = conjectureOf(formula);
  const sides = [conclusion, ...(isCall(conclusion) ? conclusion.slice(1) : [])];
  const first = sides.find((side) => matched(side, calls, new Map()) !== null) ?? 'T';
  const bound = [first, ...hypotheses].reduce<ReadonlyMap<string, Term>>(
    (bindings, pattern) => matched(pattern, calls, bindings) ?? bindings,
    new Map(),
  );
  const isUsable = [...bound.values()].every((term) =>
    [...variablesOf(term)].every((each) => known.has(each)),
  );
  if (bound.size === 0 || !isUsable) return name;
  return [':INSTANCE', name, ...[...bound].map(([variable, term]) => [variable, term])];
}

/** Returns the bindings with which a call matches the pattern; null if none does. */
function matched(
  pattern: Term,
  calls: readonly Call[],
  bound: ReadonlyMap<string, Term>,
): ReadonlyMap<string, Term> | null {
  if (!isCall(pattern) || pattern[0] === 'NOT') return null;
  for (const call of calls) {
    const bindings = bindingsOf(pattern, call, new Map(bound));
    if (bindings !== null) return bindings;
  }
  return null;
}

/** Returns the terms that make the pattern equal to the term; null if there are none. */
function bindingsOf(pattern: Term, term: Term, bound: Map<string, Term>): Map<string, Term> | null {
  if (isVariable(pattern)) {
    const known = bound.get(pattern);
    if (known !== undefined) return sameTerm(known, term) ? bound : null;
    return bound.set(pattern, term);
  }
  if (typeof pattern === 'string' || typeof term === 'string' || isConstant(pattern))
    return sameTerm(pattern, term) ? bound : null;
  if (pattern.length !== term.length) return null;
  return pattern.every((part, at) =>
    at === 0 ? part === term[0] : bindingsOf(part, term[at] ?? 'NIL', bound) !== null,
  )
    ? bound
    : null;
}

// Warrants: ACL2 evaluates (apply$ 'f …) only under the hypothesis (warrant f).

function warrants({ checkpoints }: Failure, theorem: Theorem, hasBooks: boolean): ProofIdea[] {
  const given = conjectureOf(theorem.conjecture);
  const names = new Set(checkpoints.flatMap(({ term }) => [...callsIn(term)].flatMap(warrantedBy)));
  const missing = [...names].filter(
    (name) => !printTerm(given.hypotheses).includes(printTerm(['WARRANT', name])),
  );
  if (missing.length === 0) return [];
  const hypotheses = [['WARRANT', ...missing], ...given.hypotheses];
  const form = theorem.with({ conjecture: termOf({ ...given, hypotheses }) });
  const text = `${printTerm(missing)} may be called through apply$ only under the hypothesis ${printTerm(['WARRANT', ...missing])}.`;
  if (form === null) return [];
  const defwarrants = missing.map((name) => printTerm(['DEFWARRANT', name]));
  return [
    idea('hypothesis', null, text, printTerm(form)),
    ...(hasBooks
      ? [idea('hypothesis', null, text, printTerm(form), [includeForm('projects/apply/top'), ...defwarrants])]
      : []),
  ];
}

function warrantedBy([operator, first]: Call): string[] {
  const [, named] = /^APPLY\$-WARRANT-(.+)$/.exec(withoutPackage(operator)) ?? [];
  if (named !== undefined) return [named];
  const isQuoted = typeof first === 'object' && first[0] === 'QUOTE' && typeof first[1] === 'string';
  return operator === 'APPLY$' && isQuoted ? [String(first[1])] : [];
}

// Arithmetic.

const ARITHMETIC: ReadonlySet<string> = new Set(
  '+ - * / < <= > >= EXPT FLOOR MOD REM TRUNCATE CEILING ROUND EVENP ODDP'.split(' '),
);

const PRODUCTS: ReadonlySet<string> = new Set(['*', '/', 'EXPT']);

/** Hints of arithmetic-5 that multiply inequalities. */
const NONLINEAR: Term = [['NONLINEARP-DEFAULT-HINT', 'STABLE-UNDER-SIMPLIFICATIONP', 'HIST', 'PSPV']];

function arithmetic({ checkpoints, knowsArithmetic }: Failure, theorem: Theorem): ProofIdea[] {
  const operators = new Set(
    checkpoints.flatMap(({ term }) => [...callsIn(term)].map(([operator]) => operator)),
  );
  if (![...operators].some((operator) => ARITHMETIC.has(operator))) return [];
  const books = knowsArithmetic ? [] : ['arithmetic/top', 'arithmetic-5/top'];
  const nonlinear = theorem.with({ hints: NONLINEAR });
  return [
    ...books.map((book) => {
      const text = 'The checkpoints are about arithmetic, about which ACL2 has few built-in rules.';
      return idea('theory', null, text, includeForm(book));
    }),
    ...(nonlinear !== null && [...operators].some((operator) => PRODUCTS.has(operator))
      ? [
          idea('theory', null, 'Nonlinear arithmetic multiplies inequalities.', printTerm(nonlinear), [
            includeForm('arithmetic-5/top'),
          ]),
        ]
      : []),
  ];
}

// Rules that move a function through another: (how-many e (merge2 x y)) is the sum of those of x and y.

/** Returns candidates of rules, most of which are false: test them on values before ACL2 tries to prove them. */
export function throughRules(failure: Failure): ProofIdea[] {
  if (theoremOf(failure) === null) return [];
  const own = new Set(failure.functions.filter(({ recursive }) => recursive).map(({ name }) => name));
  const seen = new Set<string>();
  return failure.checkpoints.flatMap(({ goal, term }) =>
    [...callsIn(term)].flatMap((call) => {
      const left = nested(call, own);
      if (left === null || seen.has(printTerm(left.term))) return [];
      seen.add(printTerm(left.term));
      const name = `${withoutPackage(call[0])}-OF-${withoutPackage(left.inner[0])}`;
      const text = `${goal} contains ${printTerm(left.term)}, and no rule about it is known.`;
      return rightSides(left).map((right) => {
        const formula = right === 'T' ? left.term : ['EQUAL', left.term, right];
        return idea('lemma', goal, text, printTerm(['DEFTHM', name, formula]));
      });
    }),
  );
}

/** Types of elements, the narrower first. */
const ELEMENT_TYPES = ['NATP', 'INTEGERP', 'RATIONALP', 'CHARACTERP', 'STRINGP', 'SYMBOLP'];

/**
 * Returns candidates of rules about the elements of a list that satisfies a predicate, as the array of a stobj does.
 * Test them on values, as those of `throughRules`.
 */
export function elementRules({ checkpoints }: Failure): ProofIdea[] {
  const rules = new Map<string, ProofIdea[]>();
  for (const { goal, term } of checkpoints) {
    const { hypotheses } = conjectureOf(term);
    const lists = [...callsIn(term)].flatMap((call) => (isCall(call, 'NTH') ? call.slice(2) : []));
    for (const each of hypotheses)
      if (
        isCall(each) &&
        each.length === 2 &&
        each[0] !== 'NOT' &&
        lists.some((list) => sameTerm(list, each[1] ?? 'NIL'))
      )
        rules.set(each[0], elementRulesOf(each[0], goal));
  }
  return [...rules.values()].flat();
}

function elementRulesOf(predicate: string, goal: string): ProofIdea[] {
  const element: Term = ['NTH', 'I', 'X'];
  const hypotheses: Term[] = [
    [predicate, 'X'],
    ['NATP', 'I'],
    ['<', 'I', ['LEN', 'X']],
  ];
  const name = `${withoutPackage(predicate)}-OF-NTH`;
  const text = `${goal} is about an element of a list for which ${printTerm(predicate)} holds, and no rule says what its elements are.`;
  return ELEMENT_TYPES.map((type) => {
    const formula = termOf({ hypotheses, conclusion: [type, element] });
    const classes = [':REWRITE', ':TYPE-PRESCRIPTION'];
    return idea('lemma', goal, text, printTerm(['DEFTHM', name, formula, ':RULE-CLASSES', classes]));
  });
}

interface Nested {
  /** The outer call with variables for all but the inner call, and for the operands of that. */
  term: Call;
  inner: Call;
  /** The outer call, with another term in place of the inner one. */
  around(term: Term): Call;
}

/** Returns a call with one operand that is a call, both of functions in `own`; null for others. */
function nested(call: Call, own: ReadonlySet<string>): Nested | null {
  const place = call.findIndex((part, at) => at > 0 && isCall(part) && own.has(part[0]));
  const found = call[place];
  if (!own.has(call[0]) || !isCall(found)) return null;
  const names = 'XYZWUVABCDE';
  const inner: Call = [found[0], ...found.slice(1).map((_, at) => names[at] ?? `X${at}`)];
  const outer = call.slice(1).map((_, at) => `K${at + 1}`);
  const around = (term: Term): Call => [
    call[0],
    ...outer.with(place - 1, '').map((part) => (part === '' ? term : part)),
  ];
  return { term: around(inner), inner, around };
}

function rightSides({ inner, around, term }: Nested): Term[] {
  const operands = inner.slice(1);
  const [first = 'NIL', second] = operands.map(around);
  const turned: Term[] =
    term.length === 2 && inner.length === 2 ? [[inner[0], around(operands[0] ?? 'NIL')]] : [];
  if (second === undefined) return ['T', first, ...turned];
  return [
    'T',
    ...['+', 'AND', 'OR', 'APPEND'].map((operator) => [operator, first, second]),
    first,
    second,
    ...operands.slice(0, 2),
  ];
}

function idea(
  kind: ProofIdea['kind'],
  goal: string | null,
  text: string,
  form: string,
  before: readonly string[] = [],
): ProofIdea {
  return { kind, goal, text, form, before };
}
