/** Failures as ACL2 tells them, made of what a test tells of one, and what is suggested. */
import type { Failure } from '../../electron/images/acl2/suggestions/failure';
import { suggestionsOf } from '../../electron/images/acl2/suggestions/suggestions';
import { readTerm, type Term } from '../../electron/images/acl2/terms';

export interface Told {
  form: string;
  top?: string[];
  induction?: string[];
  recursive?: string[];
  disabled?: string[];
  clique?: string[];
  falseFor?: Failure['counterexample'];
  falseGoals?: string[];
  arithmetic?: boolean;
  gaveUp?: string;
  printed?: string;
  steps?: number;
}

/** Of values that are not told. */
export const FALSE: NonNullable<Failure['counterexample']> = { bindings: [], sides: null, types: [] };

export function failure(told: Told): Failure {
  const { form, top = [], induction = [], recursive = [], disabled = [], clique = [] } = told;
  const checkpoint = (underInduction: boolean) => (text: string, at: number) => ({
    goal: `${underInduction ? 'Subgoal *1/' : 'Subgoal '}${at + 1}`,
    term: readTerm(text) as Term,
    underInduction,
  });
  const names = [...new Set([...recursive, ...disabled, ...clique])];
  return {
    form: readTerm(form),
    checkpoints: [...top.map(checkpoint(false)), ...induction.map(checkpoint(true))],
    functions: names.map((name) => ({
      name,
      recursive: recursive.includes(name) || clique.includes(name),
      clique: clique.includes(name) ? clique : [],
      disabled: disabled.includes(name),
    })),
    usableTheorems: [],
    figures: {
      steps: told.steps ?? 10,
      milliseconds: 0,
      rules: [],
      hintEvents: [],
      splitterRules: [],
      warnings: [],
      abortCauses: [],
    },
    knowsArithmetic: told.arithmetic ?? false,
    counterexample: told.falseFor ?? null,
    falseGoals: new Set(told.falseGoals),
    gaveUp: told.gaveUp ?? null,
    printed: told.printed ?? '',
  };
}

/** Each as its kind and its form, or the beginning of its text where it has none. */
export function suggested(told: Told): string[] {
  return suggestionsOf(failure(told)).map(({ kind, form, text }) => `${kind}: ${form ?? text.slice(0, 40)}`);
}
