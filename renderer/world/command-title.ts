/** Commands of a logical world in words: a title for each, and its marks. Pure. */
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';

/** How many names a line has room for. */
const NAMED = 3;

/**
 * Kind and names of the command's own events, without those inside them: `DEFTHM APP-ASSOC`, `ENCAPSULATE F, G and 4 more`.
 * Its form if they have no names.
 */
export function titleOf({ events, text }: Pick<WorldCommand, 'events' | 'text'>): string {
  const own = events.filter(({ depth }) => depth === 0);
  const [first] = own;
  const names = own.flatMap((event) => event.names);
  if (!first || names.length === 0) return text.replace(/\s+/g, ' ');
  const rest = names.length - NAMED;
  const told = names.slice(0, NAMED).join(', ');
  return `${first.kind} ${told}${rest > 0 ? ` and ${rest} more` : ''}`.trimEnd();
}

/** What there is to know of the command besides its title: `program mode`, `guards verified`, `disabled`, `not proved`. */
export function marksOf({ events }: Pick<WorldCommand, 'events'>): string[] {
  return [...new Set(events.flatMap(marksOfEvent))];
}

function marksOfEvent({ skipped, marks, rules }: WorldEvent): string[] {
  return [
    ...(skipped ? ['not proved'] : []),
    ...(marks.some(({ mode }) => mode === 'program') ? ['program mode'] : []),
    ...(marks.some(({ guardsVerified }) => guardsVerified) ? ['guards verified'] : []),
    ...(rules === 'disabled' ? ['disabled'] : rules === 'partly' ? ['partly disabled'] : []),
  ];
}
