/** Commands of a logical world in words: a title for each, and its marks. Pure. */
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';
import type { Words } from '../../electron/words/words';

/** How many names a line has room for. */
const NAMED = 3;

/**
 * Kind and names of the command's own events, without those inside them: `DEFTHM APP-ASSOC`, `ENCAPSULATE F, G and 4 more`.
 * Its form if they have no names.
 */
export function titleOf({ events, text }: Pick<WorldCommand, 'events' | 'text'>, { world }: Words): string {
  const own = events.filter(({ depth }) => depth === 0);
  const [first] = own;
  const names = own.flatMap((event) => event.names);
  if (!first || names.length === 0) return text.replace(/\s+/g, ' ');
  const rest = names.length - NAMED;
  const told = names.slice(0, NAMED).join(', ');
  return `${first.kind} ${told}${rest > 0 ? world.andMore(rest) : ''}`.trimEnd();
}

/** What there is to know of the command besides its title: `program mode`, `guards verified`, `disabled`, `not proved`. */
export function marksOf({ events }: Pick<WorldCommand, 'events'>, words: Words): string[] {
  return [...new Set(events.flatMap((event) => marksOfEvent(event, words)))];
}

function marksOfEvent({ skipped, marks, rules }: WorldEvent, { world: { marks: told } }: Words): string[] {
  return [
    ...(skipped ? [told.notProved] : []),
    ...(marks.some(({ mode }) => mode === 'program') ? [told.programMode] : []),
    ...(marks.some(({ guardsVerified }) => guardsVerified) ? [told.guardsVerified] : []),
    ...(rules === 'disabled' ? [told.disabled] : rules === 'partly' ? [told.partlyDisabled] : []),
  ];
}
