/** The tool of cl-mcp-server that lists the methods on a class: specialized on it, or on what it inherits from. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Definition, Finding } from '../../contract/knowledge';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../arguments';
import { noted, type Tool } from '../tool';
import { packageArgument } from './cl-mcp-server-arguments';

const Arguments = z.strictObject({
  class: z.string().min(1).max(500),
  package: packageArgument,
  'include-inherited': z.boolean().optional().describe('On its superclasses as well, the language’s apart'),
});

const Result = z.object({ methods: z.array(z.string()), notes: z.array(z.string()) });

/** Uses of one class that are looked at. */
const MOST_USES = 500;

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
      const asked = new Methods(session, where);
      const own = await asked.classNamed(name);
      const [left, inheritedFrom] = partition(
        inherited ? await asked.superclassesOf(own) : [],
        isOfTheLanguage,
      );
      const found = await Promise.all([name, ...inheritedFrom].map((each) => asked.on(each)));
      const methods = [...new Set(found.flat())].sort();
      const omitted =
        left.length === 0 ? [] : [`Methods on ${left.join(', ')} are left out: they are the language’s.`];
      const notes = [...about, ...omitted];
      return {
        structured: { methods, notes },
        text: methodsText(own.name, methods),
        asides: notes.map(noted),
        isError: false,
      };
    },
  };
}

/** What a session knows of classes and methods. A class without instances may have no precedence list yet, so superclasses
 * are asked for one after another. */
class Methods {
  readonly #session: Session;
  readonly #within: { package?: string };

  constructor(session: Session, where: string | undefined) {
    this.#session = session;
    this.#within = where === undefined ? {} : { package: where };
  }

  /** @throws HarborError `bad_arguments` for what is no class */
  async classNamed(name: string): Promise<Definition> {
    const { symbol, definitions } = await this.#session
      .ability('knowledge')
      .describe({ symbol: name, ...this.#within });
    const found = definitions.find(({ metaclass }) => metaclass !== undefined);
    if (found) return found;
    throw new HarborError('bad_arguments', `${symbol} is no class.`);
  }

  /** Names, the nearest first. */
  async superclassesOf(own: Definition): Promise<string[]> {
    const names = new Set(own.superclasses);
    // A set is walked through with what is added meanwhile.
    for (const name of names)
      for (const above of (await this.classNamed(name)).superclasses ?? []) names.add(above);
    return [...names];
  }

  async on(symbol: string): Promise<string[]> {
    const request = { kind: 'references', query: symbol, limit: MOST_USES, ...this.#within } as const;
    const { results } = await this.#session.ability('knowledge').find(request);
    return results.filter(({ kind }) => kind === 'specializes').map(methodText);
  }
}

/** Those from which every class inherits, which have the standard's own protocol. */
function isOfTheLanguage(name: string): boolean {
  return /^(?:SB-[A-Z]+::?.*|(?:COMMON-LISP:|CL:)?(?:T|STANDARD-OBJECT|STRUCTURE-OBJECT|CONDITION))$/.test(
    name,
  );
}

/** `(METHOD AREA :AROUND (SQUARE))` as `AREA :AROUND (SQUARE)`. */
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
