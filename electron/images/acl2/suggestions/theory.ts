/** Suggestions about rules: disabled functions, looping or useless rules, and reached limits. */
import type { Suggestion } from '../../../contract/proof';
import { includeForm } from '../knowledge';
import { callsIn, conjectureOf, isCall, isConstant, printTerm, type Term } from '../terms';
import { goalHint, type Rule, theoremOf } from './failure';

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
      text: `${printTerm(name)} is disabled, and ${goal ?? 'a checkpoint'} contains it. Enable it, or prove a rule about it.`,
      form: form && printTerm(form),
    };
  });
};

/** Functions about which ACL2 has few rules of its own. */
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
      text: `${about.goal} contains ${printTerm(about.name)}, about which ACL2 has few built-in rules.`,
      form: includeForm('arithmetic-5/top'),
    },
  ];
};

/**
 * Reports whether each side of an equation contains a non-arithmetic term that the other side lacks, so that
 * arithmetic alone cannot prove it.
 */
function isEquationOfOthers(term: Term): boolean {
  const { conclusion } = conjectureOf(term);
  if (!isCall(conclusion, 'EQUAL')) return false;
  const [left, right] = conclusion.slice(1).map(counted);
  return left !== undefined && right !== undefined && hasMore(left, right) && hasMore(right, left);
}

function hasMore(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((each) => !other.has(each));
}

/** Returns the non-arithmetic terms as text. */
function counted(term: Term): Set<string> {
  if (isCall(term) && (ARITHMETIC.has(term[0]) || SUMS.has(term[0])))
    return new Set(term.slice(1).flatMap((part) => [...counted(part)]));
  return new Set(isConstant(term) ? [] : [printTerm(term)]);
}

const LOOP = /call depth limit|rewrite-stack-limit|Call stack|stack overflow|Control stack exhausted/i;

const ADVICE: readonly { sign: RegExp; text: string }[] = [
  {
    sign: /^ACL2 Warning \[Free\]/m,
    text: 'A rule generated from this would have free variables and rarely apply. Let its hypotheses bind them, or use :rule-classes nil if it is only needed in :use hints.',
  },
  {
    sign: /^ACL2 Warning \[Non-rec\]/m,
    text: 'The left-hand side of this rule contains a function that is expanded before the rule can match. Disable that function, or state the rule about its expansion.',
  },
];

export const rulesThatDoNotWork: Rule = ({ printed }) => [
  ...(LOOP.test(printed)
    ? [
        advice(
          'The rewriter looped: two rules may undo each other. Run (accumulated-persistence t) before the proof and (show-accumulated-persistence :useless) after it to find the busiest rules, and disable one of them.',
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
    text: `The proof stopped at ${what}, so the theorem is neither proved nor refuted. Before a longer run (${remedy}), look at the checkpoints: a growing proof has usually gone astray.`,
    form: null,
  };
}

function advice(text: string): Suggestion {
  return { kind: 'theory', goal: null, text, form: null };
}
