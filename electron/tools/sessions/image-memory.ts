/** What fills a session's memory, in tool results. */
import { asFailure } from '../../contract/errors';
import type { Memory } from '../../contract/memory';
import type { SleepingSession } from '../../sessions/recovery/sleeping-session';
import { Session } from '../../sessions/session/session';

/** Types of object that a result tells by themselves. */
const TYPES = 20;

/** The memory of its image, or a note that says why it is not told. */
export async function imageMemory(
  session: Session | SleepingSession,
): Promise<{ session_memory?: Memory; notes: string[] }> {
  if (!(session instanceof Session)) return { notes: ['The session is asleep: it takes no memory.'] };
  try {
    return { session_memory: await session.ability('memory').read(TYPES), notes: [] };
  } catch (error) {
    return { notes: [asFailure(error).message] };
  }
}

/** How much of the heap and of its spaces is used. */
export function heapText({ used, size, spaces }: Memory): string {
  return [
    `Memory: ${used} of ${size} bytes of the heap used, garbage included`,
    ...spaces.map(({ name, bytes }) => `- ${name} space: ${bytes} bytes`),
  ].join('\n');
}

/** The same, and which types of object are in it. */
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
