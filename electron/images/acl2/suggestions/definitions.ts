/** The parts of a DEFUN form, and suggestions for its guard. */
import type { Suggestion } from '../../../contract/proof';
import { type Call, callsIn, isCall, isVariable, printTerm, type Term } from '../terms';
import type { Failure, Rule } from './failure';
import { missingType } from './hypotheses';

export interface Definition {
  name: string;
  formals: readonly string[];
  body: Term;
  /** Recursive calls in the body. */
  recursions: readonly Call[];
  /** Returns the value of an XARGS key in the declarations. */
  xarg(key: string): Term | undefined;
  /** Returns the form with this value for an XARGS key. */
  with(key: string, value: Term): Term;
  /** Returns the form with another body. */
  withBody(body: Term): Definition | null;
}

/** Returns null if the form is not a definition. */
export function definitionOf({ form }: Failure): Definition | null {
  if (form === null || !(isCall(form, 'DEFUN') || isCall(form, 'DEFUND'))) return null;
  return parts(form);
}

/**
 * Returns the definitions in a MUTUAL-RECURSION. Calls of any of the functions count as recursive. null for
 * other forms.
 */
export function mutualDefinitionsOf({ form }: Failure): readonly Definition[] | null {
  if (form === null || !isCall(form, 'MUTUAL-RECURSION')) return null;
  const definitions = form.slice(1).map((part) => (isCall(part) ? parts(part) : null));
  const known = definitions.filter((definition) => definition !== null);
  if (known.length < definitions.length || known.length === 0) return null;
  const names = new Set(known.map(({ name }) => name));
  return known.map((definition) => ({
    ...definition,
    recursions: [...callsIn(definition.body)].filter(([operator]) => names.has(operator)),
  }));
}

function parts(form: Call): Definition | null {
  const [operator, name, parameters, ...rest] = form;
  const body = rest.at(-1);
  if (typeof name !== 'string' || parameters === undefined || body === undefined) return null;
  const formals = typeof parameters === 'string' ? [] : parameters.filter(isVariable);
  return {
    name,
    formals,
    body,
    recursions: [...callsIn(body)].filter((call) => call[0] === name),
    xarg: (key) =>
      rest
        .slice(0, -1)
        .map((declaration) => givenFor(declaration, key))
        .find(isGiven),
    with: (key, value) => {
      const given = rest.slice(0, -1).some((declaration) => isGiven(givenFor(declaration, key)));
      const declarations = given
        ? rest.slice(0, -1).map((declaration) => withValue(declaration, key, value))
        : [['DECLARE', ['XARGS', key, value]], ...rest.slice(0, -1)];
      return [operator, name, parameters, ...declarations, body];
    },
    withBody: (other) => parts([operator, name, parameters, ...rest.slice(0, -1), other]),
  };
}

function isGiven(value: Term | undefined): value is Term {
  return value !== undefined;
}

/** Returns the value after `key` in a declaration. */
function givenFor(declaration: Term, key: string): Term | undefined {
  if (typeof declaration === 'string') return undefined;
  const at = declaration.indexOf(key);
  if (at >= 0) return declaration[at + 1];
  return declaration.map((part) => givenFor(part, key)).find(isGiven);
}

function withValue(declaration: Term, key: string, value: Term): Term {
  if (typeof declaration === 'string') return declaration;
  const at = declaration.indexOf(key);
  return at >= 0 ? declaration.with(at + 1, value) : declaration.map((part) => withValue(part, key, value));
}

/** Suggestions for a failed guard conjecture: a stronger guard, a lemma, or later guard verification. */
export const guardConjectures: Rule = (failure) => {
  const definition = definitionOf(failure);
  if (!definition || !/proof\s+of\s+the\s+guard\s+conjecture\s+for/.test(failure.printed)) return [];
  const goals = failure.checkpoints.filter(({ underInduction }) => !underInduction);
  const guards = goals.map(({ term }) => guardFor(term, definition.formals));
  const lemmas = goals.filter((_goal, at) => guards[at] === null);
  const later = definition.with(':VERIFY-GUARDS', 'NIL');
  return [
    ...strongerGuard(definition, distinct(guards)),
    ...lemmas.map(({ goal, term }) => ({
      kind: 'guard' as const,
      goal,
      text: `${goal} is required by the guards of the called functions. Prove it first as a lemma, or strengthen the guard of ${printTerm(definition.name)} so that it holds.`,
      form: printTerm(['DEFTHM', `${definition.name}-GUARD-LEMMA`, term]),
    })),
    {
      kind: 'guard',
      goal: null,
      text: `Postpone guard verification: admit the function without it, prove lemmas, then (verify-guards ${printTerm(definition.name)}).`,
      form: printTerm(later),
    },
  ];
};

/** Combines all types, followed by the existing guard: each conjunct is guarded by those before it. */
function strongerGuard(definition: Definition, types: readonly Term[]): Suggestion[] {
  if (types.length === 0) return [];
  const given = definition.xarg(':GUARD') ?? 'T';
  const parts = given === 'T' ? types : [...types, given];
  const guard = parts.length === 1 ? (parts[0] ?? 'T') : ['AND', ...parts];
  return [
    {
      kind: 'guard',
      goal: null,
      text: `The called functions require ${types.map(printTerm).join(' and ')}. A guard that states this may be sufficient.`,
      form: printTerm(definition.with(':GUARD', guard)),
    },
  ];
}

function distinct(types: readonly (Term | null)[]): Term[] {
  const given = types.filter((type) => type !== null);
  return [...new Map(given.map((type) => [printTerm(type), type])).values()];
}

/** Returns the type of one formal that the conjecture reduces to. */
function guardFor(conjecture: Term, formals: readonly string[]): Term | null {
  const type = missingType({ term: conjecture });
  if (type === null || !formals.includes(type[1])) return null;
  return type;
}
