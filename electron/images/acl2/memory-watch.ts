/**
 * Stops an evaluation that has no memory left. GCL says that it is full only after minutes in which it does little but collect, so
 * it is asked what it spends its time on. While memory fills it collects as much, each time a little more is needed; but then
 * something is gained.
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
  /** Called once when nothing but collecting is done, and for nothing. */
  full: () => Promise<unknown>;
}

/** Milliseconds between two looks. */
const PAUSE_MS = 1_000;

/** The part of the memory below which collecting does no harm. */
const WELL_FILLED = 0.5;

/** So much of the time goes into collecting when the memory is full: what still gets something done collects less. */
const COLLECTING = 0.9;

/** And by so much of itself the memory grows at most, below its limit, which GCL does not keep. */
const GROWS = 0.01;

/** Milliseconds of processor time that are looked at: of a few collections, which take the longer the more there is to look
 * through. */
const LOOKED_AT_MS = 3_000;
const LOOKED_AT_PER_BYTE = 4 / 1024 ** 2;

/** What was seen of a process, told look by look. Pure. */
export class Thrashing {
  readonly #heapBytes: number;
  #begun: (TimeSpent & { bytes: number }) | null = null;

  constructor(heapBytes: number) {
    this.#heapBytes = heapBytes;
  }

  /** Whether it matters what its time goes into while it takes so many bytes. */
  matters(bytes: number): boolean {
    if (bytes < WELL_FILLED * this.#heapBytes) this.#begun = null;
    return bytes >= WELL_FILLED * this.#heapBytes;
  }

  /** Whether it has done little but collect for some time, and gained nothing. */
  seen(bytes: number, now: TimeSpent): boolean {
    this.#begun ??= { ...now, bytes };
    const { collecting, running, bytes: before } = this.#begun;
    const took = now.running - running;
    if (took < Math.max(LOOKED_AT_MS, LOOKED_AT_PER_BYTE * bytes)) return false;
    this.#begun = { ...now, bytes };
    const gains = bytes < this.#heapBytes && bytes - before > GROWS * before;
    return now.collecting - collecting >= COLLECTING * took && !gains;
  }
}

/** Watches from now on until `over` settles. */
export async function watchMemory(
  { heapBytes, memory, spent, full }: MemoryWatch,
  over: Promise<unknown>,
): Promise<void> {
  const ended = over.then(() => null);
  const thrashing = new Thrashing(heapBytes);
  while ((await Promise.race([ended, delay(PAUSE_MS, true, { ref: false })])) !== null) {
    const bytes = await memory();
    if (bytes === null) return;
    if (!thrashing.matters(bytes)) continue;
    const now = await Promise.race([ended, spent()]);
    if (now === null) return;
    if (thrashing.seen(bytes, now)) {
      await full();
      return;
    }
  }
}

export const MEMORY_NOTE =
  'The evaluation was interrupted because its memory was full. The session’s state is kept. `open_session` takes another limit (`heap_mib`).';
