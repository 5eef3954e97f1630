/** Filtering and sorting of the session list. Pure. */

import type { SessionView } from '../../electron/contract/model';
import type { SessionColumn, SessionSort } from '../view-state';

const ORDER: Readonly<Record<SessionColumn, (session: SessionView) => string | number>> = {
  state: ({ state }) => state,
  name: ({ name }) => name.toLowerCase(),
  engine: ({ engine }) => engine,
  client: ({ client }) => client,
  // Descending: the most open assumptions first.
  trust: ({ trust }) => trust?.length ?? -1,
  memory: ({ memoryBytes }) => memoryBytes ?? -1,
  // Ascending: running ones first, then the most recently used.
  idle: (session) => (isIdle(session) ? -session.lastUsedAt : Number.NEGATIVE_INFINITY),
  // Ascending: the youngest first.
  age: ({ startedAt }) => -startedAt,
};

/** Returns the open sessions that contain every word of `filter`, sorted. */
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

/**
 * Returns the sort order after a choice of `column`: the column's default order, reversed if it is chosen
 * again.
 */
export function sortedBy(column: SessionColumn, before: SessionSort): SessionSort {
  const first = column === 'memory' || column === 'trust' ? 'descending' : 'ascending';
  if (before.column !== column) return { column, direction: first };
  return { column, direction: before.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Reports whether the session is neither running nor suspended. */
export function isIdle({ state }: SessionView): boolean {
  return state === 'idle' || state === 'lost' || state === 'asleep';
}

/**
 * Returns the sessions that are the best candidates for ending: those with the most memory, and those idle
 * for longest.
 */
export function worthEnding(
  sessions: Iterable<SessionView>,
  most: number,
): { largest: SessionView[]; longestIdle: SessionView[] } {
  const open = listedSessions(sessions, '', { column: 'memory', direction: 'descending' });
  // A sleeping session uses no memory.
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

/**
 * Returns the `points` of an SVG polyline of the given size.
 * @param readings oldest first, at least two
 */
export function pointsOf(readings: readonly number[], width: number, height: number): string {
  const [least, most] = [Math.min(...readings), Math.max(...readings)];
  // Small changes are drawn as a flat line in the middle.
  const span = Math.max(most - least, most * 0.05, 1);
  const middle = (most + least) / 2;
  return readings
    .map((reading, index) => {
      const x = 1 + (index / (readings.length - 1)) * (width - 2);
      const y = height / 2 - ((reading - middle) / span) * (height - 3);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
