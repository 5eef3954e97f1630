/**
 * Watches an evaluation from outside: processor time, memory, and the progress of the prover. An evaluation
 * that exceeds a limit is interrupted with a note.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { mention, ours } from '../../contract/mention';
import { type Note, note } from '../../contract/note';
import type { ProofProgress } from '../../contract/proof';
import type { Usage } from '../../launchers/launcher';

/** The properties of an evaluation that its limits need. */
export interface WatchedEvaluation {
  readonly id: number;
  readonly begun: { readonly promise: Promise<void> };
  readonly settled: Promise<unknown>;
  /** Adds `reason` to the notes of the outcome if the evaluation is interrupted. */
  setInterruptReason(reason: Note): void;
}

interface LimitsOptions {
  heapBytes: number;
  usage: () => Promise<Usage | null>;
  /** Requests the times of the image. It answers with a call of `receive`. */
  requestTimes: () => Promise<unknown>;
  stop: (evaluation: WatchedEvaluation, because: Note) => Promise<void>;
}

export class EvaluationLimits {
  readonly #options: LimitsOptions;
  /** Resolves with the next answer. */
  #timeSpent = Promise.withResolvers<TimeSpent>();

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /**
   * Watches `evaluation` until it settles.
   * @param cpuSeconds limit of processor time; undefined for none
   * @param reportsTimes whether the image answers requests for its times
   */
  watch(evaluation: WatchedEvaluation, cpuSeconds: number | undefined, reportsTimes: boolean): void {
    if (cpuSeconds !== undefined) void this.#watchCpuTime(evaluation, cpuSeconds);
    if (reportsTimes) void this.#watchMemory(evaluation);
  }

  receive(spent: TimeSpent): void {
    this.#timeSpent.resolve(spent);
    this.#timeSpent = Promise.withResolvers<TimeSpent>();
  }

  #watchCpuTime(evaluation: WatchedEvaluation, seconds: number): Promise<void> {
    const { usage, stop } = this.#options;
    const used = async () => (await usage())?.cpuSeconds ?? null;
    const onExceeded = () => stop(evaluation, cpuLimitNote(seconds));
    return watchCpuTime({ seconds, used, onExceeded }, evaluation.settled);
  }

  #watchMemory(evaluation: WatchedEvaluation): Promise<void> {
    const { heapBytes, usage, requestTimes, stop } = this.#options;
    const memory = async () => (await usage())?.memoryBytes ?? null;
    const timeSpent = async () => {
      await evaluation.begun.promise.then(requestTimes);
      return this.#timeSpent.promise;
    };
    const onFull = () => stop(evaluation, MEMORY_NOTE);
    return watchMemory({ heapBytes, memory, timeSpent, onFull }, evaluation.settled);
  }
}

/** Minimum milliseconds between two checks. */
const SHORTEST_PAUSE_MS = 50;

interface CpuLimit {
  seconds: number;
  /** Returns the processor time of the process in seconds; null if the process has ended. */
  used: () => Promise<number | null>;
  /** Called once when the limit is reached. */
  onExceeded: () => Promise<unknown>;
}

/**
 * Watches until `over` settles. The limit is enforced from outside because code in ACL2 could change any
 * clock there.
 */
async function watchCpuTime({ seconds, used, onExceeded }: CpuLimit, over: Promise<unknown>): Promise<void> {
  const begun = await used();
  const ended = over.then(() => true);
  for (;;) {
    const now = await used();
    if (begun === null || now === null) return;
    const remaining = seconds - (now - begun);
    if (remaining <= 0) break;
    const pause = delay(Math.max(SHORTEST_PAUSE_MS, remaining * 1_000), false, { ref: false });
    if (await Promise.race([ended, pause])) return;
  }
  await onExceeded();
}

function cpuLimitNote(seconds: number): Note {
  return note(
    'cpu_limit',
    `The evaluation was interrupted because it exceeded the session's limit of ${seconds} s of processor time. The session's state is kept.`,
    mention`${ours('open_session', 'limits')} takes another limit.`,
  );
}

/** Milliseconds of processor time since the start of the process: in the garbage collector, and in total. */
interface TimeSpent {
  collecting: number;
  running: number;
}

interface MemoryWatch {
  heapBytes: number;
  /** Returns the memory of the process in bytes; null if the process has ended. */
  memory: () => Promise<number | null>;
  /** Requests the times of the process. The answer may take long. */
  timeSpent: () => Promise<TimeSpent>;
  /** Called once when the process only collects garbage and frees no memory. */
  onFull: () => Promise<unknown>;
}

/** Milliseconds between two checks. */
const PAUSE_MS = 1_000;

/** Fraction of the heap below which garbage collection is not a problem. */
const MIN_FILL = 0.5;

/**
 * Fraction of time in the garbage collector that means the heap is full. A process that still makes progress
 * collects less.
 */
const COLLECTING_SHARE = 0.9;

/** Maximum relative growth of memory in that case. GCL may exceed its limit slightly. */
const MAX_GROWTH = 0.01;

/**
 * Length of the observed interval in milliseconds of processor time. It covers several collections, which
 * take longer with more memory.
 */
const INTERVAL_MS = 3_000;
const INTERVAL_MS_PER_BYTE = 4 / 1024 ** 2;

/** Detects from a series of samples that a process spends its time in the garbage collector. Pure. */
export class Thrashing {
  readonly #heapBytes: number;
  #begun: (TimeSpent & { bytes: number }) | null = null;

  constructor(heapBytes: number) {
    this.#heapBytes = heapBytes;
  }

  /** Reports whether the times matter at this memory use. */
  isRelevant(bytes: number): boolean {
    if (bytes < MIN_FILL * this.#heapBytes) this.#begun = null;
    return bytes >= MIN_FILL * this.#heapBytes;
  }

  /**
   * Adds a sample. Reports whether the process has spent the interval in the garbage collector without
   * gaining memory.
   */
  isThrashing(bytes: number, now: TimeSpent): boolean {
    this.#begun ??= { ...now, bytes };
    const { collecting, running, bytes: before } = this.#begun;
    const took = now.running - running;
    if (took < Math.max(INTERVAL_MS, INTERVAL_MS_PER_BYTE * bytes)) return false;
    this.#begun = { ...now, bytes };
    const gains = bytes < this.#heapBytes && bytes - before > MAX_GROWTH * before;
    return now.collecting - collecting >= COLLECTING_SHARE * took && !gains;
  }
}

/**
 * Stops an evaluation when memory is exhausted. GCL reports exhaustion only after minutes of almost
 * continuous garbage collection, so the process reports how it spends its time. While memory fills up
 * normally, garbage collection takes as much time, but memory use still grows.
 */
async function watchMemory(
  { heapBytes, memory, timeSpent, onFull }: MemoryWatch,
  over: Promise<unknown>,
): Promise<void> {
  const ended = over.then(() => null);
  const thrashing = new Thrashing(heapBytes);
  while ((await Promise.race([ended, delay(PAUSE_MS, true, { ref: false })])) !== null) {
    const bytes = await memory();
    if (bytes === null) return;
    if (!thrashing.isRelevant(bytes)) continue;
    const now = await Promise.race([ended, timeSpent()]);
    if (now === null) return;
    if (thrashing.isThrashing(bytes, now)) {
      await onFull();
      return;
    }
  }
}

export const MEMORY_NOTE = note(
  'memory_limit',
  'The evaluation was interrupted because memory is exhausted. The session’s state is kept.',
  mention`${ours('open_session', 'limits')} takes another limit (\`heap_mib\`).`,
);

/** The part of the progress that the prover itself reports. */
type ProverState = Pick<ProofProgress, 'steps' | 'stack' | 'checkpoints'>;

/** Milliseconds to wait for the prover's answer. GCL handles a signal between two calls. */
const ANSWER_MS = 1_000;

/** The state where the prover reports nothing, as on SBCL. */
export const UNKNOWN_STATE: ProverState = { steps: null, stack: null, checkpoints: null };

/** Queries to the prover by signal. Concurrent queries share one signal. */
export class ProverQueries {
  #pending: Promise<ProverState> | null = null;
  #answer: ((state: ProverState) => void) | null = null;

  /**
   * @param send sends the signal
   * @param over settles when no answer can arrive any more
   */
  query(send: () => Promise<unknown>, over: Promise<unknown>): Promise<ProverState> {
    this.#pending ??= this.#query(send, over).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  receive({ steps, stack, checkpoints }: ProverState): void {
    this.#answer?.({ steps, stack, checkpoints });
  }

  async #query(send: () => Promise<unknown>, over: Promise<unknown>): Promise<ProverState> {
    const { promise, resolve } = Promise.withResolvers<ProverState>();
    this.#answer = resolve;
    const answered = send().then(() => promise);
    return Promise.race([
      answered,
      over.then(() => UNKNOWN_STATE),
      delay(ANSWER_MS, UNKNOWN_STATE, { ref: false }),
    ]);
  }
}
