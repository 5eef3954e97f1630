/** A DEFUN by its parts, and with other declarations. */
import type { Failure } from './failure';
import { type Call, callsIn, isCall, isVariable, type Term } from './term';

export interface Definition {
  name: string;
  formals: readonly string[];
  body: Term;
  /** Calls of itself. */
  recursions: readonly Call[];
  /** What its declarations give for a key of XARGS. */
  xarg(key: string): Term | undefined;
  /** The form with this for a key of XARGS, in place of what it has. */
  with(key: string, value: Term): Term;
  /** The form with another body. */
  withBody(body: Term): Definition | null;
}

/** null where something else was submitted. */
export function definitionOf({ form }: Failure): Definition | null {
  if (form === null || !(isCall(form, 'DEFUN') || isCall(form, 'DEFUND'))) return null;
  return parts(form);
}

/** The definitions of a MUTUAL-RECURSION, calls of whichever as their recursions; null where something else was submitted. */
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

/** The value after `key` in a declaration. */
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
