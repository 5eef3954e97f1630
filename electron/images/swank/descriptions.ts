/** What a symbol of a Swank server stands for: its own property lists, and the text of the server's `describe`. */
import type { Definition, SymbolDescription } from '../../contract/knowledge';
import { type Location, locationOf, placeOf } from './locations';
import type { SwankQuestions } from './questions';
import { elementsOf, LispSymbol, type Sexp, textOf } from './sexp';

/** Which kinds of definition an operator makes; each Lisp has names of its own for what it found. */
const MAKERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
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
  }),
);

const CALLED = ['function', 'generic function', 'macro', 'special operator'];

const STATUS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ':internal': 'internal',
    ':external': 'exported',
    ':inherited': 'inherited',
  }),
);

export function describedSymbol([text, home, status]: Sexp[]): Omit<SymbolDescription, 'definitions'> {
  const seen = status instanceof LispSymbol ? (STATUS.get(status.name) ?? status.name) : '';
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
  const kinds = documentedKinds(facts);
  const sources = sourcesOf(places);
  const definitions = [...kinds].map(
    ([kind, documentation]): Definition => ({
      kind,
      name,
      documentation,
      arglist: CALLED.includes(kind) ? arglistIn(arglist) : undefined,
      source: sources.get(kind),
    }),
  );
  const others = places.filter((place) => !place.kinds.some((kind) => kinds.has(kind)) || place.isMethod);
  const printed = { kind: 'description', name, documentation: textOf(description) ?? '' };
  return [...definitions.map(withoutAbsent), ...others.map(({ definition }) => definition), printed];
}

/**
 * What a symbol stands for, by a property list such as (:designator "F" :function "Does." :setf :not-documented), each with
 * its documentation, which is undefined where there is none.
 */
export function documentedKinds(facts: Sexp | undefined): ReadonlyMap<string, string | undefined> {
  const elements = elementsOf(facts);
  const kinds = new Map<string, string | undefined>();
  for (let at = 0; at < elements.length; at += 2) {
    const key = elements[at];
    if (!(key instanceof LispSymbol) || key.name === ':designator') continue;
    const kind = key.name.slice(1).replaceAll('-', ' ');
    if (!kinds.has(kind)) kinds.set(kind, textOf(elements[at + 1]));
  }
  return kinds;
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
    kinds: MAKERS.get(operator) ?? [],
    isMethod: operator === 'defmethod',
  };
}

/** `(f x y)` without the name. */
function arglistIn(text: string | undefined): string | undefined {
  return text?.replace(/^\(\S+?(?:\s+|(?=\)))/, '(');
}

/** The first place of each kind. */
function sourcesOf(places: readonly Placed[]): ReadonlyMap<string, Definition['source']> {
  const sources = new Map<string, Definition['source']>();
  for (const { kinds, definition } of places)
    for (const kind of kinds)
      if (definition.source !== undefined && !sources.has(kind)) sources.set(kind, definition.source);
  return sources;
}

function withoutAbsent(definition: Definition): Definition {
  return Object.fromEntries(
    Object.entries(definition).filter(([, value]) => value !== undefined),
  ) as Definition;
}
