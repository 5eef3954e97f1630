/** The memory of this computer: whether it is short, and whether another image can start. */

import { HarborError } from '../contract/errors';
import { instead, mention, ours } from '../contract/mention';
import type { MachineMemory } from '../launchers/machine-memory';

const MIB = 1024 ** 2;

/** The memory that the smallest image needs. With less, no start can succeed. */
const LEAST_BYTES = 24 * MIB;

interface MemoryOptions {
  read: () => MachineMemory;
  /** Memory is short if less is available, in MiB. */
  reserveMiB: () => number;
}

/** Milliseconds for which a reading is reused for display. */
const FRESH_MS = 1_000;

export class Memory {
  readonly #options: MemoryOptions;
  #lastReading: { at: number; machine: MachineMemory } | null = null;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  read(): MachineMemory & { short: boolean } {
    const machine = this.#options.read();
    this.#lastReading = { at: performance.now(), machine };
    return this.#judged(machine);
  }

  /** Returns a reading that is at most one second old, for display. */
  recent(): MachineMemory & { short: boolean } {
    const reading = this.#lastReading;
    return reading && performance.now() - reading.at < FRESH_MS ? this.#judged(reading.machine) : this.read();
  }

  #judged(machine: MachineMemory): MachineMemory & { short: boolean } {
    return { ...machine, short: machine.availableBytes < this.#options.reserveMiB() * MIB };
  }

  /** @throws HarborError `memory_short` if no image can start */
  requireRoomForOne(): void {
    const { availableBytes, swapBytes } = this.#options.read();
    if (availableBytes + swapBytes >= LEAST_BYTES) return;
    const why = `No image can start: ${Math.floor(availableBytes / MIB)} MiB of memory are available, and the smallest image needs ${LEAST_BYTES / MIB}.`;
    throw new HarborError('memory_short', `${why} Close a session or another program, then try again.`, {
      mentions: [
        instead(
          mention`${why} Close a session (${ours('images')} lists yours with their memory) or another program, then try again.`,
        ),
      ],
    });
  }
}
