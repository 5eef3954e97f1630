/** Answers queries about names in a Swank server, as far as its requests allow. */

import { HarborError } from '../../contract/errors';
import type {
  Definition,
  Finding,
  Findings,
  FindRequest,
  NameGroup,
  NameRequest,
  SourcePlace,
  SymbolDescription,
} from '../../contract/knowledge';
import { mention, ours } from '../../contract/mention';
import type { OneForm } from '../../source/code';
import type { Knowledge } from '../optional-groups';
import type { SwankQueries } from './queries';
import {
  elementsOf,
  isNil,
  isSymbol,
  LispSymbol,
  lispBoolean,
  lispCall,
  propertyOf,
  type Sexp,
  symbol,
  textOf,
  textsOf,
} from './sexp';

const EXPANDERS = { once: 'macroexpand-1', full: 'swank/backend:macroexpand-all' } as const;

export class SwankKnowledge implements Knowledge {
  readonly #questions: SwankQueries;
  readonly #package: () => string;

  constructor(questions: SwankQueries, packageName: () => string) {
    this.#questions = questions;
    this.#package = packageName;
  }

  async describe(request: NameRequest): Promise<SymbolDescription> {
    const names = await this.#known(request);
    const arglist = await this.#query(request, 'swank:operator-arglist', request.symbol, this.#in(request));
    const places = await this.#places(request);
    return {
      ...describedSymbol(names),
      definitions: await definitionsOf(names, textOf(arglist), places, this.#questions),
    };
  }

  async disassemble(request: NameRequest): Promise<string> {
    await this.#known(request);
    return textOf(await this.#query(request, 'lisp-harbor.swank:disassembly', request.symbol)) ?? '';
  }

  async find(request: FindRequest): Promise<Findings> {
    const target = {
      symbol: request.query,
      ...(request.package === undefined ? {} : { package: request.package }),
    };
    switch (request.kind) {
      case 'definitions':
        await this.#known(target);
        return findingsOf(await this.#places(target), request.limit, this.#questions);
      case 'callers':
      case 'references':
        await this.#known(target);
        return referencesTo(request, this.#in(target), this.#questions);
      case 'apropos':
        return namesWith(request, this.#in(target), this.#questions);
      case 'completions': {
        const [names] = elementsOf(
          await this.#query(target, 'swank:simple-completions', request.query, this.#in(target)),
        );
        const texts = textsOf(names);
        const results = texts.slice(0, request.limit).map((text) => ({ kind: 'completion', text }));
        return { results, total: texts.length };
      }
      case 'unsaved':
        throw new HarborError(
          'not_supported',
          'A Swank server does not record which definitions are in no file. The history has what was evaluated here.',
        );
    }
  }

  /** Copies the expansion, because shared structure could be printed as #1=. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return `(copy-tree (${EXPANDERS[extent]} '${form}\n))`;
  }

  /** Looks the symbol up with resources/swank/names.lisp. @throws HarborError `unknown_symbol` */
  async #known(request: NameRequest): Promise<Sexp[]> {
    const names = await this.#query(request, 'lisp-harbor.swank:names-of', request.symbol);
    if (!isNil(names)) return elementsOf(names);
    throw new HarborError('unknown_symbol', `There is no symbol ${request.symbol} in ${this.#in(request)}.`, {
      mentions: [mention`Use ${ours('find', 'kind')} with kind apropos to search all packages.`],
    });
  }

  /**
   * Returns its definitions. Some Lisps fail for definitions that are in no file; then the error is the
   * answer.
   */
  async #places(request: NameRequest): Promise<Sexp[]> {
    try {
      return elementsOf(await this.#query(request, 'swank:find-definitions-for-emacs', request.symbol));
    } catch (error) {
      if (!(error instanceof HarborError && error.code === 'query_failed')) throw error;
      return [[request.symbol, [symbol(':error'), error.message]]];
    }
  }

  #in(request: NameRequest): string {
    return request.package ?? this.#package();
  }

  #query(request: NameRequest, name: string, ...args: Sexp[]): Promise<Sexp> {
    return this.#questions.query(lispCall(name, ...args), { package: this.#in(request) });
  }
}

/** Number of names to request if they are filtered by kind. */
const SIFTED = 2_000;

const GROUPS: Readonly<Record<NameGroup, readonly string[]>> = {
  function: ['function', 'generic function', 'special operator'],
  macro: ['macro', 'compiler macro', 'setf'],
  variable: ['variable', 'constant', 'symbol macro'],
  class: ['class', 'structure'],
  type: ['type'],
  theorem: ['theorem'],
};

const USES = {
  callers: [':callers'],
  references: [':references', ':binds', ':sets', ':macroexpands', ':specializes', ':calls'],
} as const;

/** Converts a list of definitions and locations to findings. `kind` defaults to the defining operator. */
export async function findingsOf(
  definitions: readonly Sexp[],
  limit: number,
  questions: SwankQueries,
  kind?: string,
): Promise<Findings> {
  const results = definitions.slice(0, limit).map(async (definition): Promise<Finding> => {
    const [name, location] = elementsOf(definition);
    const text = textOf(name) ?? '';
    const source = await placeOf(locationOf(location), questions);
    const found = { kind: kind ?? operatorIn(text), text };
    return source === undefined ? found : { ...found, source };
  });
  return { results: await Promise.all(results), total: definitions.length };
}

/** Returns the first word of `(DEFUN F)`; `definition` for implementations that return only the name. */
function operatorIn(text: string): string {
  const [, operator = ''] = /^\((\S+)\s/.exec(text) ?? [];
  const name = operator.slice(operator.lastIndexOf(':') + 1).toLowerCase();
  return name.startsWith('def') ? name : 'definition';
}

/** @throws HarborError `not_supported` if the server's Lisp does not record references */
async function referencesTo(
  { kind, query, limit }: FindRequest,
  packageName: string,
  questions: SwankQueries,
): Promise<Findings> {
  const uses = USES[kind === 'callers' ? 'callers' : 'references'];
  const target = uses.map(async (use) => ({
    use,
    found: await questions.query(lispCall('swank:xref', symbol(use), query), { package: packageName }),
  }));
  const known = (await Promise.all(target)).filter(({ found }) => !isSymbol(found, ':not-implemented'));
  if (known.length === 0)
    throw new HarborError('not_supported', `The Lisp of this server does not record ${kind}.`);
  const all = await Promise.all(
    known.map(({ use, found }) => findingsOf(elementsOf(found), limit, questions, use.slice(1))),
  );
  const results = all.flatMap((findings) => findings.results).slice(0, limit);
  return { results, total: all.reduce((sum, { total }) => sum + total, 0) };
}

/** Returns one finding per symbol; `kind` lists everything that it names. */
async function namesWith(
  { query, limit, external = false, in: searched, only }: FindRequest,
  packageName: string,
  questions: SwankQueries,
): Promise<Findings> {
  const wanted = only?.flatMap((group) => GROUPS[group]);
  const [total, ...found] = elementsOf(
    await questions.query(
      lispCall(
        'lisp-harbor.swank:apropos-page',
        query,
        lispBoolean(external),
        searched ?? [],
        wanted ? SIFTED : limit,
      ),
      { package: packageName },
    ),
  );
  const results = found
    .map(nameOf)
    .filter(({ kinds }) => !wanted || kinds.some((kind) => wanted.includes(kind)));
  return {
    results: results.slice(0, limit).map(({ finding }) => finding),
    total: wanted || typeof total !== 'number' ? results.length : total,
  };
}

function nameOf(facts: Sexp): { finding: Finding; kinds: string[] } {
  const documented = documentedKinds(facts);
  const kinds = [...documented.keys()];
  const text = textOf(propertyOf(facts, 'designator')) ?? '';
  const documentation = [...documented.values()].find((each) => each !== undefined);
  const finding = { kind: kinds.join(', '), text };
  return { finding: documentation === undefined ? finding : { ...finding, documentation }, kinds };
}

/** Kinds of definition per defining operator; each Lisp uses its own names for them. */
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

/**
 * Returns the definitions of each kind, then locations of no known kind, then the output of the server's
 * `describe`.
 */
export async function definitionsOf(
  [text, , , facts, description]: Sexp[],
  arglist: string | undefined,
  found: readonly Sexp[],
  questions: SwankQueries,
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
 * Parses what a symbol names from a property list such as (:designator "F" :function "Does." :setf
 * :not-documented) into kinds with their documentation; undefined if there is none.
 */
function documentedKinds(facts: Sexp | undefined): ReadonlyMap<string, string | undefined> {
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

async function placed(found: Sexp, questions: SwankQueries): Promise<Placed> {
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

/** Removes the name from `(f x y)`. */
function arglistIn(text: string | undefined): string | undefined {
  return text?.replace(/^\(\S+?(?:\s+|(?=\)))/, '(');
}

/** Returns the first location of each kind. */
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

/** A source location from Swank (`make-location` in swank/backend.lisp), before its line is known. */
interface Location {
  file: string | null;
  /** The source form, if the server knows it. */
  form: string | null;
  /** Character offset in the file, counted from 1. */
  position: number | null;
  line: number | null;
  /** Why there is no location. */
  problem: string | null;
}

const NOWHERE: Location = { file: null, form: null, position: null, line: null, problem: null };

export function locationOf(location: Sexp | undefined): Location {
  const [kind, ...rest] = elementsOf(location);
  if (isSymbol(kind, ':error'))
    return { ...NOWHERE, problem: textOf(rest[0]) ?? 'The server does not know the location.' };
  if (!isSymbol(kind, ':location')) return NOWHERE;
  const [buffer, position, hints] = rest;
  const [source, name, second] = elementsOf(buffer);
  const place = { ...NOWHERE, ...positionOf(position), form: textOf(propertyOf(hints, 'snippet')) ?? null };
  const text = textOf(name) ?? '';
  if (isSymbol(source, ':file')) return { ...place, file: text };
  if (isSymbol(source, ':buffer-and-file')) return { ...place, file: textOf(second) ?? text };
  if (isSymbol(source, ':source-form')) return { ...NOWHERE, form: text };
  return { ...place, position: null, problem: `It was read from ${text || 'a source that is not a file'}.` };
}

function positionOf(position: Sexp | undefined): { position: number | null; line: number | null } {
  const [kind, first, second] = elementsOf(position);
  const [from, more] = [first, second].map((value) => (typeof value === 'number' ? value : 0));
  if (isSymbol(kind, ':position')) return { position: from ?? null, line: null };
  if (isSymbol(kind, ':offset')) return { position: (from ?? 0) + (more ?? 0), line: null };
  return { position: null, line: isSymbol(kind, ':line') ? (from ?? null) : null };
}

/** Adds the line number, which the server computes because the file is on its host. */
async function placeOf(location: Location, questions: SwankQueries): Promise<SourcePlace | undefined> {
  const { file, position, problem } = location;
  if (file === null) return problem === null ? undefined : { note: problem };
  const line = location.line ?? (position === null ? null : await lineOf(file, position, questions));
  return line === null ? { file } : { file, line };
}

async function lineOf(file: string, position: number, questions: SwankQueries): Promise<number | null> {
  const line = await questions.query(lispCall('lisp-harbor.swank:line-of', file, position));
  return typeof line === 'number' ? line : null;
}
