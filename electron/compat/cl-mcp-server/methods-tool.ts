/** The tool of cl-mcp-server that lists the methods specialized on a class, or on its superclasses. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Definition, Finding } from '../../contract/knowledge';
import { NoteText, note } from '../../contract/note';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../../tools/arguments';
import type { Tool } from '../../tools/tool';
import { packageArgument } from './session-tools';

const Arguments = z.strictObject({
  class: z.string().min(1).max(500),
  package: packageArgument,
  'include-inherited': z.boolean().optional().describe('Include superclasses, except those of the language'),
});

const Result = z.object({ methods: z.array(z.string()), notes: z.array(NoteText) });

/** Maximum number of uses of one class that are searched. */
const MAX_USES = 500;

export function findMethodsTool({ sessions }: { sessions: Sessions }): Tool<typeof Arguments, typeof Result> {
  return {
    name: 'find-methods',
    title: 'Methods on a class',
    description: 'The methods that are specialized on a class.',
    scope: 'read',
    args: Arguments,
    result: Result,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ class: name, package: where, 'include-inherited': inherited }, caller) {
      const { session, notes: about } = await sessionOf(undefined, caller, sessions);
      const query = new Methods(session, where);
      const classNamed = await query.classNamed(name);
      const [ofLanguage, inheritedFrom] = partition(
        inherited ? await query.superclassesOf(classNamed) : [],
        isOfTheLanguage,
      );
      const found = await Promise.all([name, ...inheritedFrom].map((each) => query.on(each)));
      const methods = [...new Set(found.flat())].sort();
      const omitted =
        ofLanguage.length === 0
          ? []
          : [
              note(
                'omitted',
                `Methods on ${ofLanguage.join(', ')} are omitted: they belong to the language.`,
              ),
            ];
      const notes = [...about, ...omitted];
      return {
        structured: { methods, notes },
        text: methodsText(classNamed.name, methods),
        asides: notes,
        isError: false,
      };
    },
  };
}

/**
 * Queries of classes and methods. A class without instances may have no precedence list yet, so superclasses
 * are queried one by one.
 */
class Methods {
  readonly #session: Session;
  readonly #within: { package?: string };

  constructor(session: Session, where: string | undefined) {
    this.#session = session;
    this.#within = where === undefined ? {} : { package: where };
  }

  /** @throws HarborError `bad_arguments` if the name is not that of a class */
  async classNamed(name: string): Promise<Definition> {
    const { symbol, definitions } = await this.#session
      .ability('knowledge')
      .describe({ symbol: name, ...this.#within });
    const found = definitions.find(({ metaclass }) => metaclass !== undefined);
    if (found) return found;
    throw new HarborError('bad_arguments', `${symbol} is not a class.`);
  }

  /** Returns names, the nearest first. */
  async superclassesOf(own: Definition): Promise<string[]> {
    const names = new Set(own.superclasses);
    // Iteration over a set includes members that are added during it.
    for (const name of names)
      for (const above of (await this.classNamed(name)).superclasses ?? []) names.add(above);
    return [...names];
  }

  async on(symbol: string): Promise<string[]> {
    const request = { kind: 'references', query: symbol, limit: MAX_USES, ...this.#within } as const;
    const { results } = await this.#session.ability('knowledge').find(request);
    return results.filter(({ kind }) => kind === 'specializes').map(methodText);
  }
}

/** Reports whether every class inherits from it and the standard defines its protocol. */
function isOfTheLanguage(name: string): boolean {
  return /^(?:SB-[A-Z]+::?.*|(?:COMMON-LISP:|CL:)?(?:T|STANDARD-OBJECT|STRUCTURE-OBJECT|CONDITION))$/.test(
    name,
  );
}

/** Returns `(METHOD AREA :AROUND (SQUARE))` as `AREA :AROUND (SQUARE)`. */
function methodText({ text }: Finding): string {
  return text.replace(/^\(METHOD ([\s\S]*)\)$/, '$1');
}

function methodsText(symbol: string, methods: readonly string[]): string {
  if (methods.length === 0) return `No methods specialized on ${symbol}`;
  const count = `${methods.length} ${methods.length === 1 ? 'method' : 'methods'}`;
  return `${count} specialized on ${symbol}:\n\n${methods.map((method) => `  ${method}`).join('\n')}`;
}

function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}
