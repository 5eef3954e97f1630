/** The machine's memory in tool results, and what to do when it is short. Nothing is ended by itself. */
import { z } from 'zod';
import type { MemoryView } from '../../contract/memory';
import type { SessionView } from '../../contract/model';

const MIB = 1024 ** 2;

/** Sessions that a note names of each kind. */
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
  const left = `Memory: ${mib(memory.available_bytes)} of ${mib(memory.total_bytes)} available`;
  return `${left}, sessions take ${mib(memory.images_bytes)}, images kept ready ${mib(memory.ready_bytes)}`;
}

/** A sentence for whoever can end `sessions`, or none when memory is not short. */
export function memoryNotes(memory: MemoryView, sessions: readonly SessionView[], now: number): string[] {
  if (!memory.short) return [];
  const left = `Memory is short: ${mib(memory.availableBytes)} are available.`;
  if (sessions.length === 0) return [`${left} Nothing is ended by itself.`];
  const largest = sessions.toSorted((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0));
  const longest = sessions
    .filter(({ state }) => state === 'idle')
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
  const most = largest.map(({ id, memoryBytes }) => `${id} (${mib(memoryBytes ?? 0)})`);
  const idle = longest.map(({ id, lastUsedAt }) => `${id} (${minutes(now - lastUsedAt)})`);
  return [
    `${left} Your sessions that take most: ${named(most)}.${idle.length === 0 ? '' : ` Idle for longest: ${named(idle)}.`} \`close_session\` ends one; nothing is ended by itself.`,
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
