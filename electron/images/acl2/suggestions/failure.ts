/**
 * A failed form as input of the suggestion rules. Rules read forms and evaluate nothing; their results are
 * advice.
 */
import type { ProofFigures, Suggestion } from '../../../contract/proof';
import type { FormRecord } from '../records';
import { isCall, printTerm, readTerm, type Term } from '../terms';

/** A function in a checkpoint. `clique` lists mutually recursive functions, if there are several. */
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
  /** The submitted form; null if it was too long for the record. */
  form: Term | null;
  checkpoints: readonly Checkpoint[];
  functions: readonly GoalFunction[];
  /** Theorems of the session about functions of the checkpoints, which ACL2 does not apply by itself. */
  usableTheorems: readonly { name: string; formula: Term }[];
  /** Whether arithmetic books are included. */
  knowsArithmetic: boolean;
  /** Values that falsify the theorem; null if none were found. */
  counterexample: FormRecord['counterexample'];
  /** Names of checkpoints that are false for some values. */
  falseGoals: ReadonlySet<string>;
  figures: ProofFigures | null;
  gaveUp: string | null;
  /** Output of the form and of the prover. */
  printed: string;
}

/** A rule detects one kind of reason. */
export type Rule = (failure: Failure) => Suggestion[];

/** ACL2's abbreviation for a goal that is the submitted theorem. */
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
    usableTheorems: (record.remarks.usable_theorems ?? []).flatMap(({ name, formula }) => {
      const term = readTerm(formula);
      return term === null ? [] : [{ name, formula: term }];
    }),
    knowsArithmetic: record.arithmetic,
    counterexample: record.counterexample,
    falseGoals: new Set(record.false_goals ?? []),
    figures: record.data,
    gaveUp,
    printed: `${printed.output}\n${printed.commentary}`,
  };
}

/** A theorem whose conjecture can be replaced. */
export interface Theorem {
  form: readonly Term[];
  name: string | null;
  conjecture: Term;
  /** Returns the form with another conjecture, or with hints. */
  with(change: { conjecture?: Term; hints?: Term }): Term | null;
}

const PLACES: ReadonlyMap<string, number> = new Map(Object.entries({ DEFTHM: 2, DEFTHMD: 2, THM: 1 }));

/** Returns the theorem to be proved; null for other forms. */
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
      // The form has hints already; merging them is left to the user.
      if (hints !== undefined && form.includes(':HINTS')) return null;
      return form.with(place, other).concat(hints === undefined ? [] : [':HINTS', hints]);
    },
  };
}

/** Returns hints for the top goal: `(("Goal" :in-theory (enable f)))`. */
export function goalHint(...hint: Term[]): Term {
  return [['"Goal"', ...hint]];
}

/** Reports that the theorem is false for small values (resources/lisp/acl2/counterexamples.lisp). */
export const counterexample: Rule = ({ counterexample: found }) => {
  if (!found) return [];
  const values = found.bindings.map(({ variable, value }) => `${inSmall(variable)} = ${inSmall(value)}`);
  const where = values.length > 0 ? `for ${values.join(', ')}` : 'in general';
  const because = found.sides === null ? '' : `: its sides are ${found.sides.map(inSmall).join(' and ')}`;
  return [
    {
      kind: 'counterexample',
      goal: null,
      text: `The theorem is false ${where}${because} (found by testing).`,
      form: null,
    },
  ];
};

/** Returns the text in lower case; unchanged if it cannot be parsed. */
function inSmall(text: string): string {
  const term = readTerm(text);
  return term === null ? text : printTerm(term);
}
