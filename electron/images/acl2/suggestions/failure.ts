/** A form that failed, as the rules of this folder look at it. They read and never evaluate: what they say is advice. */
import type { ProofFigures, Suggestion } from '../../../contract/proof';
import type { FormRecord } from '../records';
import { isCall, readTerm, type Term } from './term';

/** A function that occurs in a checkpoint; `clique` are the functions that call one another, where there are several. */
export interface GoalFunction {
  name: string;
  recursive: boolean;
  clique: readonly string[];
  disabled: boolean;
}

export interface Checkpoint {
  goal: string;
  term: Term;
  underInduction: boolean;
}

export interface Failure {
  /** What was submitted; null where it was too long to be told. */
  form: Term | null;
  checkpoints: readonly Checkpoint[];
  functions: readonly GoalFunction[];
  /** Books about arithmetic are included. */
  knowsArithmetic: boolean;
  /** Values for which the theorem is false; null where none were found. */
  counterexample: FormRecord['counterexample'];
  /** Checkpoints that are false for some values. */
  falseGoals: ReadonlySet<string>;
  figures: ProofFigures | null;
  gaveUp: string | null;
  /** What ACL2 printed, by itself and by its prover. */
  printed: string;
}

/** A rule looks for one kind of reason. */
export type Rule = (failure: Failure) => Suggestion[];

/** What ACL2 has for a goal that is the theorem as it was submitted. */
export const ITSELF = '<GOAL>';

export function failureOf(record: FormRecord, printed: { output: string; commentary: string }): Failure {
  const { top = [], induction = [], gaveUp = null } = record.checkpoints ?? {};
  const form = readTerm(record.form);
  const read = (underInduction: boolean) => (checkpoint: { goal: string; form: string }) => {
    const term = checkpoint.form === ITSELF ? theoremOf({ form })?.conjecture : readTerm(checkpoint.form);
    return term == null ? [] : [{ goal: checkpoint.goal, term, underInduction }];
  };
  return {
    form,
    checkpoints: [...top.flatMap(read(false)), ...induction.flatMap(read(true))],
    functions: (record.goal_functions ?? []).map(({ name, recursive_with, disabled }) => ({
      name,
      recursive: recursive_with.length > 0,
      clique: recursive_with.length > 1 ? recursive_with : [],
      disabled,
    })),
    knowsArithmetic: record.arithmetic,
    counterexample: record.counterexample,
    falseGoals: new Set(record.false_goals ?? []),
    figures: record.data,
    gaveUp,
    printed: `${printed.output}\n${printed.commentary}`,
  };
}

/** A theorem whose conjecture can be replaced in its form. */
export interface Theorem {
  form: readonly Term[];
  name: string | null;
  conjecture: Term;
  /** The form with another conjecture, or with hints. */
  with(change: { conjecture?: Term; hints?: Term }): Term | null;
}

const PLACES: ReadonlyMap<string, number> = new Map(Object.entries({ DEFTHM: 2, DEFTHMD: 2, THM: 1 }));

/** The theorem that was to be proved; null where it was something else, such as a definition. */
export function theoremOf({ form }: Pick<Failure, 'form'>): Theorem | null {
  if (form === null || !isCall(form)) return null;
  const place = PLACES.get(form[0]);
  const conjecture = place === undefined ? undefined : form[place];
  if (place === undefined || conjecture === undefined) return null;
  const name = place === 2 && typeof form[1] === 'string' ? form[1] : null;
  return {
    form,
    name,
    conjecture,
    with: ({ conjecture: other = conjecture, hints }) => {
      // Which of two sets of hints is meant only their author knows.
      if (hints !== undefined && form.includes(':HINTS')) return null;
      return form.with(place, other).concat(hints === undefined ? [] : [':HINTS', hints]);
    },
  };
}

/** Hints for the goal itself: `(("Goal" :in-theory (enable f)))`. */
export function goalHint(...hint: Term[]): Term {
  return [['"Goal"', ...hint]];
}
