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

/** Milliseconds for which figures are good enough that decide nothing. */
const FRESH_MS = 1_000;

export class Memory {
  readonly #options: MemoryOptions;
  #told: { at: number; machine: MachineMemory } | null = null;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  read(): MachineMemory & { short: boolean } {
    const machine = this.#options.read();
    this.#told = { at: performance.now(), machine };
    return this.#judged(machine);
  }

  /** As `read`, a second old at most: for who only wants to know. */
  told(): MachineMemory & { short: boolean } {
    const told = this.#told;
    return told && performance.now() - told.at < FRESH_MS ? this.#judged(told.machine) : this.read();
  }

  #judged(machine: MachineMemory): MachineMemory & { short: boolean } {
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
