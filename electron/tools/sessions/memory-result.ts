/** Memory of the machine in tool results, with advice when it is short. No session is ended automatically. */

import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { Memory, MemoryView, SessionView } from '../../contract/model';
import { errorNote, type Note, note } from '../../contract/note';

import type { SleepingSession } from '../../sessions/recovery/sleeping-sessions';
import { Session } from '../../sessions/session/session';

const MIB = 1024 ** 2;

/** Maximum number of sessions that a note names of each kind. */
const NAMED = 3;

export const MemoryResult = z.object({
  total_bytes: z.number(),
  available_bytes: z.number(),
  images_bytes: z.number(),
  ready_images: z.int(),
  ready_bytes: z.number(),
  short: z.boolean(),
});
export type MemoryResult = z.infer<typeof MemoryResult>;

export function memoryResult({
  totalBytes,
  availableBytes,
  imagesBytes,
  ready,
  short,
}: MemoryView): MemoryResult {
  return {
    total_bytes: totalBytes,
    available_bytes: availableBytes,
    images_bytes: imagesBytes,
    ready_images: ready.images,
    ready_bytes: ready.bytes,
    short,
  };
}

export function memoryText(memory: MemoryResult): string {
  const available = `Memory: ${mib(memory.available_bytes)} of ${mib(memory.total_bytes)} available`;
  return `${available}, sessions take ${mib(memory.images_bytes)}, spare images ${mib(memory.ready_bytes)}`;
}

/** Returns a note for a client that can end `sessions`; none if memory is not short. */
export function memoryNotes(memory: MemoryView, sessions: readonly SessionView[], now: number): Note[] {
  if (!memory.short) return [];
  const available = `Memory is short: ${mib(memory.availableBytes)} are available.`;
  if (sessions.length === 0) return [note('memory_short', `${available} No session is ended automatically.`)];
  const largest = sessions.toSorted((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0));
  const longest = sessions
    .filter(({ state }) => state === 'idle')
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
  const most = largest.map(({ id, memoryBytes }) => `${id} (${mib(memoryBytes ?? 0)})`);
  const idle = longest.map(({ id, lastUsedAt }) => `${id} (${minutes(now - lastUsedAt)})`);
  return [
    note(
      'memory_short',
      `${available} Your largest sessions: ${named(most)}.${idle.length === 0 ? '' : ` Idle for longest: ${named(idle)}.`}`,
      mention`${ours('close_session')} ends one; none is ended automatically.`,
    ),
  ];
}

function named(all: readonly string[]): string {
  return all.slice(0, NAMED).join(', ');
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

function minutes(milliseconds: number): string {
  return `${Math.round(milliseconds / 60_000)} min`;
}

// Memory of a session's image by type of object.

/** Maximum number of object types listed separately. */
const TYPES = 20;

/** Returns the memory of the image, or a note why it is not available. */
export async function imageMemory(
  session: Session | SleepingSession,
): Promise<{ session_memory?: Memory; notes: Note[] }> {
  if (!(session instanceof Session))
    return { notes: [note('asleep', 'The session is asleep: it takes no memory.')] };
  try {
    return { session_memory: await session.ability('memory').read(TYPES), notes: [] };
  } catch (error) {
    return {
      notes: [
        error instanceof HarborError
          ? errorNote('no_memory', error)
          : note('no_memory', asFailure(error).message),
      ],
    };
  }
}

/** Returns how much of the heap and its spaces is used. */
export function heapText({ used, size, spaces }: Memory): string {
  return [
    `Memory: ${used} of ${size} bytes of the heap used, garbage included`,
    ...spaces.map(({ name, bytes }) => `- ${name} space: ${bytes} bytes`),
  ].join('\n');
}

/** Returns the use of the heap and its object types. */
export function imageMemoryText(memory: Memory): string {
  const { types, others, counted, complete } = memory;
  const all = complete ? 'all objects counted' : 'not complete: counting them all takes too long';
  return [
    heapText(memory),
    `Objects by type (${counted} bytes, ${all}):`,
    ...types.map(({ name, bytes, count }) => `- ${name}: ${bytes} bytes in ${count}`),
    `- ${others.types} other types: ${others.bytes} bytes in ${others.count}`,
  ].join('\n');
}
