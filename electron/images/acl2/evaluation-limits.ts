/** What one evaluation may take of the processor and of the heap; one that takes more is stopped and told why. */
import type { Usage } from '../../launchers/launcher';
import { cpuLimitNote, keepCpuLimit } from './cpu-limit';
import type { Acl2Evaluation } from './evaluation';
import { MEMORY_NOTE, type TimeSpent, watchMemory } from './memory-watch';

export interface LimitsOptions {
  heapBytes: number;
  usage: () => Promise<Usage | null>;
  /** Has the image tell what its time went into: `answered` is called then. */
  askTime: () => Promise<unknown>;
  stop: (evaluation: Acl2Evaluation, because: string) => Promise<void>;
}

export class EvaluationLimits {
  readonly #options: LimitsOptions;
  /** Settles with the next answer. */
  #timeSpent = Promise.withResolvers<TimeSpent>();

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /**
   * Until it settles.
   * @param cpuSeconds of the processor; undefined for as much as it takes
   * @param tellsTime whether the image can be asked what its time went into
   */
  keep(evaluation: Acl2Evaluation, cpuSeconds: number | undefined, tellsTime: boolean): void {
    if (cpuSeconds !== undefined) void this.#keepCpuLimit(evaluation, cpuSeconds);
    if (tellsTime) void this.#watchMemory(evaluation);
  }

  answered(spent: TimeSpent): void {
    this.#timeSpent.resolve(spent);
    this.#timeSpent = Promise.withResolvers<TimeSpent>();
  }

  #keepCpuLimit(evaluation: Acl2Evaluation, seconds: number): Promise<void> {
    const { usage, stop } = this.#options;
    const used = async () => (await usage())?.cpuSeconds ?? null;
    const spent = () => stop(evaluation, cpuLimitNote(seconds));
    return keepCpuLimit({ seconds, used, spent }, evaluation.settled);
  }

  #watchMemory(evaluation: Acl2Evaluation): Promise<void> {
    const { heapBytes, usage, askTime, stop } = this.#options;
    const memory = async () => (await usage())?.memoryBytes ?? null;
    const spent = async () => {
      await evaluation.begun.promise.then(askTime);
      return this.#timeSpent.promise;
    };
    const full = () => stop(evaluation, MEMORY_NOTE);
    return watchMemory({ heapBytes, memory, spent, full }, evaluation.settled);
  }
}
