/** Queries of an image about classes, and about methods that it prints. */

import { HarborError } from '../../contract/errors';
import type { Definition, Finding } from '../../contract/knowledge';
import type { Session } from '../../sessions/session/session';
import { elementsOf } from '../../source/reader';

/** Maximum number of uses of one class that are searched. */
const MAX_USES = 500;

/** A class without instances may have no precedence list yet, so superclasses are queried one by one. */
export class ClassQueries {
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
    const found = definitions.find(isClass);
    if (found) return found;
    throw new HarborError('bad_arguments', `${symbol} is not a class.`);
  }

  /** Returns the superclasses, the nearest first. */
  async superclassesOf(own: Definition): Promise<Definition[]> {
    const names = new Set(own.superclasses);
    const found: Definition[] = [];
    // Iteration over a set includes members that are added during it.
    for (const name of names) {
      const one = await this.classNamed(name);
      found.push(one);
      for (const above of one.superclasses ?? []) names.add(above);
    }
    return found;
  }

  /** Returns the methods that are specialized on a class. */
  async methodsOn(symbol: string): Promise<Finding[]> {
    const request = { kind: 'references', query: symbol, limit: MAX_USES, ...this.#within } as const;
    const { results } = await this.#session.ability('knowledge').find(request);
    return results.filter(({ kind }) => kind === 'specializes');
  }
}

export function isClass({ metaclass }: Definition): boolean {
  return metaclass !== undefined;
}

/** Reports whether every class inherits from it and the standard defines its protocol. */
export function isOfTheLanguage(name: string): boolean {
  return /^(?:SB-[A-Z]+::?.*|(?:COMMON-LISP:|CL:)?(?:T|STANDARD-OBJECT|STRUCTURE-OBJECT|CONDITION))$/.test(
    name,
  );
}

/** A method by the names that the image prints. */
export interface PrintedMethod {
  generic: string;
  qualifiers: readonly string[];
  specializers: readonly string[];
}

/** Parses `(METHOD AREA :AROUND (SQUARE))`; null for anything else. */
export function printedMethod(text: string): PrintedMethod | null {
  const [operator, generic, ...rest] = elementsOf(text, 'common-lisp') ?? [];
  const specializers = elementsOf(rest.at(-1) ?? '', 'common-lisp');
  if (operator !== 'METHOD' || generic === undefined || specializers === null) return null;
  return { generic, qualifiers: rest.slice(0, -1), specializers };
}
