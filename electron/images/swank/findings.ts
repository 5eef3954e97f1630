/** What a Swank server finds: definitions with their places, uses of a name, names by a part of them. */
import { HarborError } from '../../contract/errors';
import type { Finding, Findings, FindRequest, NameGroup } from '../../contract/knowledge';
import { documentedKinds } from './descriptions';
import { locationOf, placeOf } from './locations';
import type { SwankQuestions } from './questions';
import { elementsOf, isSymbol, lispBoolean, lispCall, propertyOf, type Sexp, symbol, textOf } from './sexp';

/** Names asked for when only some kinds of them are wanted. */
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

/** Of a list of definitions and locations. `kind` is the operator in front, or the one given. */
export async function findingsOf(
  definitions: readonly Sexp[],
  limit: number,
  questions: SwankQuestions,
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

/** The first word of `(DEFUN F)`; implementations that say only the name get `definition`. */
function operatorIn(text: string): string {
  const [, operator = ''] = /^\((\S+)\s/.exec(text) ?? [];
  const name = operator.slice(operator.lastIndexOf(':') + 1).toLowerCase();
  return name.startsWith('def') ? name : 'definition';
}

/** @throws HarborError `not_supported` where the server's Lisp keeps no such record */
export async function referencesTo(
  { kind, query, limit }: FindRequest,
  packageName: string,
  questions: SwankQuestions,
): Promise<Findings> {
  const uses = USES[kind === 'callers' ? 'callers' : 'references'];
  const asked = uses.map(async (use) => ({
    use,
    found: await questions.ask(lispCall('swank:xref', symbol(use), query), { package: packageName }),
  }));
  const known = (await Promise.all(asked)).filter(({ found }) => !isSymbol(found, ':not-implemented'));
  if (known.length === 0)
    throw new HarborError('not_supported', `The Lisp of this server keeps no record of ${kind}.`);
  const all = await Promise.all(
    known.map(({ use, found }) => findingsOf(elementsOf(found), limit, questions, use.slice(1))),
  );
  const results = all.flatMap((findings) => findings.results).slice(0, limit);
  return { results, total: all.reduce((sum, { total }) => sum + total, 0) };
}

/** One finding for each symbol; `kind` names all that it stands for. */
export async function namesWith(
  { query, limit, external = false, in: searched, only }: FindRequest,
  packageName: string,
  questions: SwankQuestions,
): Promise<Findings> {
  const wanted = only?.flatMap((group) => GROUPS[group]);
  const [total, ...found] = elementsOf(
    await questions.ask(
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
