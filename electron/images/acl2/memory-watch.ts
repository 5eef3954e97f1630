/**
 * Stops an evaluation that fills the memory of its image. GCL says that it is full only after minutes in which it does little but
 * collect, so it is asked what it spends its time on.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of processor time since the process began: in its collector, and altogether. */
export interface TimeSpent {
  collecting: number;
  running: number;
}

export interface MemoryWatch {
  heapBytes: number;
  /** Bytes that the process takes by now; null when it is gone. */
  memory: () => Promise<number | null>;
  /** Asks the process; it may take long to answer. */
  spent: () => Promise<TimeSpent>;
  /** Called once when nothing but collecting is done. */
  full: () => Promise<unknown>;
}

/** Milliseconds between two looks. */
const PAUSE_MS = 1_000;

/** The part of the memory below which collecting does no harm. */
const NEARLY_FULL = 0.7;

/** So much of the processor time of so many milliseconds goes into collecting when the memory is full: what still gets something
 * done collects less. */
const COLLECTING = 0.8;
const LOOKED_AT_MS = 3_000;

/** Watches from now on until `over` settles. */
export async function watchMemory(
  { heapBytes, memory, spent, full }: MemoryWatch,
  over: Promise<unknown>,
): Promise<void> {
  const ended = over.then(() => null);
  let begun: TimeSpent | null = null;
  while ((await Promise.race([ended, delay(PAUSE_MS, true, { ref: false })])) !== null) {
    const bytes = await memory();
    if (bytes === null) return;
    if (bytes < NEARLY_FULL * heapBytes) {
      begun = null;
      continue;
    }
    const now: TimeSpent | null = await Promise.race([ended, spent()]);
    if (now === null) return;
    begun ??= now;
    const running = now.running - begun.running;
    if (running < LOOKED_AT_MS) continue;
    if (now.collecting - begun.collecting >= COLLECTING * running) {
      await full();
      return;
    }
    begun = now;
  }
}

export const MEMORY_NOTE =
  'The evaluation was interrupted because its memory is full: ACL2 did little but collect what is not used any more. The session’s state is kept. `open_session` takes another limit (`heap_mib`).';
