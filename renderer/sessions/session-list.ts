/** Which sessions the list shows, and in what order. Pure. */
import type { SessionView } from '../../electron/contract/model';
import type { SessionColumn, SessionSort } from '../view-state';

const ORDER: Readonly<Record<SessionColumn, (session: SessionView) => string | number>> = {
  state: ({ state }) => state,
  name: ({ name }) => name.toLowerCase(),
  engine: ({ engine }) => engine,
  client: ({ client }) => client,
  // Descending: first what rests on most.
  trust: ({ trust }) => trust?.length ?? -1,
  memory: ({ memoryBytes }) => memoryBytes ?? -1,
  // Ascending: first what works now, then what was used last.
  idle: (session) => (isIdle(session) ? -session.lastUsedAt : Number.NEGATIVE_INFINITY),
  // Ascending: the youngest first.
  age: ({ startedAt }) => -startedAt,
};

/** Sessions that have not ended and that contain every word of `filter`, sorted. */
export function listedSessions(
  sessions: Iterable<SessionView>,
  filter: string,
  { column, direction }: SessionSort,
): SessionView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const sign = direction === 'ascending' ? 1 : -1;
  const value = ORDER[column];
  return [...sessions]
    .filter((session) => session.state !== 'ended' && words.every((word) => wordsOf(session).includes(word)))
    .sort((a, b) => sign * compare(value(a), value(b)) || b.startedAt - a.startedAt);
}

/** The order that choosing `column` leads to: that of its own, and the other way round when it is chosen again. */
export function sortedBy(column: SessionColumn, before: SessionSort): SessionSort {
  const first = column === 'memory' || column === 'trust' ? 'descending' : 'ascending';
  if (before.column !== column) return { column, direction: first };
  return { column, direction: before.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Whether nothing runs in it or is held in its debugger. */
export function isIdle({ state }: SessionView): boolean {
  return state === 'idle' || state === 'lost' || state === 'asleep';
}

/** What a person would end first: those that take most memory, and those that have been idle for longest. */
export function worthEnding(
  sessions: Iterable<SessionView>,
  most: number,
): { largest: SessionView[]; longestIdle: SessionView[] } {
  const open = listedSessions(sessions, '', { column: 'memory', direction: 'descending' });
  // One that is asleep takes nothing.
  const idle = open
    .filter((session) => isIdle(session) && session.state !== 'asleep')
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
  const measured = open.filter(({ memoryBytes }) => memoryBytes !== null);
  return { largest: measured.slice(0, most), longestIdle: idle.slice(0, most) };
}

function wordsOf(session: SessionView): string {
  const { name, state, engine, client, id } = session;
  return [name, state, engine, session.package, client, id].join('\n').toLowerCase();
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
