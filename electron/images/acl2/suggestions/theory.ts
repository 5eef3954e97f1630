/** What may be wrong with the rules: disabled functions, rules that loop or hardly fire, a limit that was reached. */
import type { Suggestion } from '../../../contract/proof';
import type { Rule } from './failure';
import { goalHint, theoremOf } from './failure';
import { callsIn, conjectureOf, isCall, isConstant, printTerm, type Term } from './term';

export const disabledFunctions: Rule = (failure) => {
  const theorem = theoremOf(failure);
  const names = failure.functions.filter(({ disabled }) => disabled).map(({ name }) => name);
  return names.map((name) => {
    const form = theorem?.with({ hints: goalHint(':IN-THEORY', ['ENABLE', name]) }) ?? null;
    const goal = failure.checkpoints.find(({ term }) =>
      [...callsIn(term)].some(([each]) => each === name),
    )?.goal;
    return {
      kind: 'theory' as const,
      goal: goal ?? null,
      text: `${printTerm(name)} is disabled, and ${goal ?? 'a checkpoint'} is about it: enable it, or prove a rule about it.`,
      form: form && printTerm(form),
    };
  });
};

/** Of these ACL2 alone knows little. */
const ARITHMETIC: ReadonlySet<string> = new Set(
  'FLOOR MOD REM TRUNCATE CEILING ROUND EXPT NONNEGATIVE-INTEGER-QUOTIENT / *'.split(' '),
);

const SUMS: ReadonlySet<string> = new Set(['+', '-']);

export const missingArithmetic: Rule = ({ checkpoints, knowsArithmetic }) => {
  if (knowsArithmetic) return [];
  const about = checkpoints.flatMap(({ goal, term }) =>
    isEquationOfOthers(term)
      ? []
      : [...callsIn(term)].filter(([operator]) => ARITHMETIC.has(operator)).map(([name]) => ({ goal, name })),
  )[0];
  if (!about) return [];
  return [
    {
      kind: 'theory',
      goal: about.goal,
      text: `${about.goal} is about ${printTerm(about.name)}, of which ACL2 by itself knows little.`,
      form: '(include-book "arithmetic-5/top" :dir :system)',
    },
  ];
};

/** Whether each side of an equation counts with what the other has not: no arithmetic makes them equal. */
function isEquationOfOthers(term: Term): boolean {
  const { conclusion } = conjectureOf(term);
  if (!isCall(conclusion, 'EQUAL')) return false;
  const [left, right] = conclusion.slice(1).map(counted);
  return left !== undefined && right !== undefined && hasMore(left, right) && hasMore(right, left);
}

function hasMore(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((each) => !other.has(each));
}

/** What arithmetic takes as it is, as text. */
function counted(term: Term): Set<string> {
  if (isCall(term) && (ARITHMETIC.has(term[0]) || SUMS.has(term[0])))
    return new Set(term.slice(1).flatMap((part) => [...counted(part)]));
  return new Set(isConstant(term) ? [] : [printTerm(term)]);
}

const LOOP = /call depth limit|rewrite-stack-limit|Call stack|stack overflow|Control stack exhausted/i;

const ADVICE: readonly { sign: RegExp; text: string }[] = [
  {
    sign: /^ACL2 Warning \[Free\]/m,
    text: 'A rule made of this would have free variables, and hardly ever fire: let its hypotheses bind them, or give :rule-classes nil if it is only to be used by a :use hint.',
  },
  {
    sign: /^ACL2 Warning \[Non-rec\]/m,
    text: 'The left-hand side of this rule has a function that is opened before the rule could match: disable that function, or state the rule about what it opens to.',
  },
];

export const rulesThatDoNotWork: Rule = ({ printed }) => [
  ...(LOOP.test(printed)
    ? [
        advice(
          'Rewriting went round in circles: two rules may undo each other. (accumulated-persistence t) before the proof and (show-accumulated-persistence :useless) after it name those that work most; disable one of them.',
        ),
      ]
    : []),
  ...ADVICE.filter(({ sign }) => sign.test(printed)).map(({ text }) => advice(text)),
];

export const limitsReached: Rule = ({ figures }) => {
  if (figures?.steps != null && figures.steps < 0)
    return [
      limit(
        `the limit of ${-figures.steps} prover steps`,
        'with-prover-step-limit or (set-prover-step-limit nil)',
      ),
    ];
  return figures?.abortCauses.some((cause) => cause.includes('TIME'))
    ? [limit('its time limit', 'with-prover-time-limit')]
    : [];
};

function limit(what: string, remedy: string): Suggestion {
  return {
    kind: 'limit',
    goal: null,
    text: `The proof ended at ${what}, so nothing is known of the theorem. Before a longer run (${remedy}), look at the checkpoints: a proof that grows has mostly lost its way.`,
    form: null,
  };
}

function advice(text: string): Suggestion {
  return { kind: 'theory', goal: null, text, form: null };
}
