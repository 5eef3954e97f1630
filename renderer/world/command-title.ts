/** Titles and marks of the commands of a logical world. Pure. */
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';
import type { Words } from '../../electron/words/words';

/** Maximum number of names in a title. */
const NAMED = 3;

/**
 * Returns kind and names of the command's top-level events, as `DEFTHM APP-ASSOC` or `ENCAPSULATE F, G and 4
 * more`; the form if they have no names.
 */
export function titleOf({ events, text }: Pick<WorldCommand, 'events' | 'text'>, { world }: Words): string {
  const own = events.filter(({ depth }) => depth === 0);
  const [first] = own;
  const names = own.flatMap((event) => event.names);
  if (!first || names.length === 0) return text.replace(/\s+/g, ' ');
  const rest = names.length - NAMED;
  const shown = names.slice(0, NAMED).join(', ');
  return `${first.kind} ${shown}${rest > 0 ? world.andMore(rest) : ''}`.trimEnd();
}

/** Returns the properties of the command: `program mode`, `guards verified`, `disabled`, `not proved`. */
export function marksOf({ events }: Pick<WorldCommand, 'events'>, words: Words): string[] {
  return [...new Set(events.flatMap((event) => marksOfEvent(event, words)))];
}

function marksOfEvent({ skipped, marks, rules }: WorldEvent, { world: { marks: shown } }: Words): string[] {
  return [
    ...(skipped ? [shown.notProved] : []),
    ...(marks.some(({ mode }) => mode === 'program') ? [shown.programMode] : []),
    ...(marks.some(({ guardsVerified }) => guardsVerified) ? [shown.guardsVerified] : []),
    ...(rules === 'disabled' ? [shown.disabled] : rules === 'partly' ? [shown.partlyDisabled] : []),
  ];
}
