/** The tool of cl-mcp-server that lists the methods specialized on a class, or on its superclasses. */

import { z } from 'zod';
import type { Finding } from '../../contract/knowledge';
import { NoteText, note } from '../../contract/note';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../../tools/arguments';
import type { Tool } from '../../tools/tool';
import { ClassQueries, isOfTheLanguage } from '../tools/class-queries';
import { packageArgument } from './session-tools';

const Arguments = z.strictObject({
  class: z.string().min(1).max(500),
  package: packageArgument,
  'include-inherited': z.boolean().optional().describe('Include superclasses, except those of the language'),
});

const Result = z.object({ methods: z.array(z.string()), notes: z.array(NoteText) });

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
      const query = new ClassQueries(session, where);
      const classNamed = await query.classNamed(name);
      const [ofLanguage, inheritedFrom] = partition(
        inherited ? (await query.superclassesOf(classNamed)).map((each) => each.name) : [],
        isOfTheLanguage,
      );
      const found = await Promise.all([name, ...inheritedFrom].map((each) => query.methodsOn(each)));
      const methods = [...new Set(found.flat().map(methodText))].sort();
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
