/** What a symbol of a Swank server stands for: its own property lists, and the text of the server's `describe`. */
import type { Definition, SymbolDescription } from '../../contract/knowledge';
import { type Location, locationOf, placeOf } from './locations';
import type { SwankQuestions } from './questions';
import { elementsOf, LispSymbol, propertyOf, type Sexp, textOf } from './sexp';

/** Which kinds of definition an operator makes; each Lisp has names of its own for what it found. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  defun: ['function'],
  defgeneric: ['generic function'],
  defmethod: ['generic function'],
  defmacro: ['macro'],
  defvar: ['variable'],
  defparameter: ['variable'],
  defconstant: ['constant', 'variable'],
  defclass: ['class', 'type'],
  defstruct: ['structure', 'class', 'type'],
  'define-condition': ['class', 'type'],
  deftype: ['type'],
};

const CALLED = ['function', 'generic function', 'macro', 'special operator'];

const STATUS: Readonly<Record<string, string>> = {
  ':internal': 'internal',
  ':external': 'exported',
  ':inherited': 'inherited',
};

export function describedSymbol([text, home, status]: Sexp[]): Omit<SymbolDescription, 'definitions'> {
  const seen = status instanceof LispSymbol ? (STATUS[status.name] ?? status.name) : '';
  return { symbol: textOf(text) ?? '', status: `${seen} in ${textOf(home) || 'no package'}` };
}

/** Those of each kind, then places that belong to none of them, then what the server's `describe` prints. */
export async function definitionsOf(
  [text, , , facts, description]: Sexp[],
  arglist: string | undefined,
  found: readonly Sexp[],
  questions: SwankQuestions,
): Promise<Definition[]> {
  const name = textOf(text) ?? '';
  const places = await Promise.all(found.map((each) => placed(each, questions)));
  const definitions = kindsIn(facts).map((kind): Definition => {
    const place = places.find((each) => each.kinds.includes(kind) && each.definition.source !== undefined);
    return {
      kind,
      name,
      documentation: documentationIn(facts, kind),
      arglist: CALLED.includes(kind) ? arglistIn(arglist) : undefined,
      source: place?.definition.source,
    };
  });
  const kinds = definitions.map(({ kind }) => kind);
  const others = places.filter(
    (place) => !place.kinds.some((kind) => kinds.includes(kind)) || place.isMethod,
  );
  const printed = { kind: 'description', name, documentation: textOf(description) ?? '' };
  return [...definitions.map(withoutAbsent), ...others.map(({ definition }) => definition), printed];
}

/** The kinds in a property list such as (:designator "F" :function "Does." :setf :not-documented). */
export function kindsIn(facts: Sexp | undefined): string[] {
  return elementsOf(facts).flatMap((key, index) =>
    index % 2 === 0 && key instanceof LispSymbol && key.name !== ':designator'
      ? [key.name.slice(1).replaceAll('-', ' ')]
      : [],
  );
}

/** undefined where there is none. */
export function documentationIn(facts: Sexp | undefined, kind: string): string | undefined {
  return textOf(propertyOf(facts, kind.replaceAll(' ', '-')));
}

interface Placed {
  definition: Definition;
  kinds: readonly string[];
  isMethod: boolean;
}

async function placed(found: Sexp, questions: SwankQuestions): Promise<Placed> {
  const [name, where] = elementsOf(found);
  const text = textOf(name) ?? '';
  const location: Location = locationOf(where);
  const operator = /^\((\S+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  const source = await placeOf(location, questions);
  return {
    definition: withoutAbsent({
      kind: operator === 'defmethod' ? 'method' : 'definition',
      name: text,
      source,
    }),
    kinds: MAKERS[operator] ?? [],
    isMethod: operator === 'defmethod',
  };
}

/** `(f x y)` without the name. */
function arglistIn(text: string | undefined): string | undefined {
  return text?.replace(/^\(\S+?(?:\s+|(?=\)))/, '(');
}

function withoutAbsent(definition: Definition): Definition {
  return Object.fromEntries(
    Object.entries(definition).filter(([, value]) => value !== undefined),
  ) as Definition;
}
