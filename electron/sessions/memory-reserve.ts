/** Whether there is memory for more images: how much there is, when that is called short, and when none is left. */
import { HarborError } from '../contract/errors';
import type { MachineMemory } from '../launchers/machine-memory';

const MIB = 1024 ** 2;

/** What the smallest image takes for itself alone: with less, no start can succeed. */
const LEAST_BYTES = 24 * MIB;

export interface MemoryOptions {
  read: () => MachineMemory;
  /** Memory is short when less is available, in MiB. */
  reserveMiB: () => number;
}

export class Memory {
  readonly #options: MemoryOptions;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  read(): MachineMemory & { short: boolean } {
    const machine = this.#options.read();
    return { ...machine, short: machine.availableBytes < this.#options.reserveMiB() * MIB };
  }

  /** @throws HarborError `memory_short` when no image can start */
  requireRoomForOne(): void {
    const { availableBytes, swapBytes } = this.#options.read();
    if (availableBytes + swapBytes >= LEAST_BYTES) return;
    throw new HarborError(
      'memory_short',
      `No image can start: ${Math.floor(availableBytes / MIB)} MiB of memory are left, and the smallest takes ${LEAST_BYTES / MIB}. End a session (\`images\` lists yours with what each takes) or another program, then ask again.`,
    );
  }
}
