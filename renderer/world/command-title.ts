/** Commands of a logical world in words: what each brought, and what is to be known of that. Pure. */
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';

/** Names that a line has room for. */
const NAMED = 3;

/** Kind and names of what the command brought itself, not on the way: `DEFTHM APP-ASSOC`, `ENCAPSULATE F, G and 4 more`;
 * its form where it brought no names. */
export function titleOf({ events, text }: Pick<WorldCommand, 'events' | 'text'>): string {
  const own = events.filter(({ depth }) => depth === 0);
  const [first] = own;
  const names = own.flatMap((event) => event.names);
  if (!first || names.length === 0) return text.replace(/\s+/g, ' ');
  const rest = names.length - NAMED;
  const told = names.slice(0, NAMED).join(', ');
  return `${first.kind} ${told}${rest > 0 ? ` and ${rest} more` : ''}`.trimEnd();
}

/** What is to be known of the command beyond its name: `program mode`, `guards verified`, `disabled`, `not proved`. */
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
