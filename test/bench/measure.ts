/** Measures cases by turns, so that a machine's moods fall on all alike, and says what that came to. */
import { loadavg } from 'node:os';
import type { Case } from './case.ts';
import { machineIsQuiet } from './quiet.ts';

export interface Row extends Pick<Case, 'id' | 'what' | 'against' | 'goal'> {
  samples: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** Beside the case named in `against`. */
  ratio?: number;
  /** The machine's load of the last minute, when it was measured. */
  load: number;
  /** null where nothing can be said: there is no goal, or others had the machine. */
  met: boolean | null;
}

/** With more to do than this the machine says nothing of a goal. */
export const HIGHEST_LOAD = 1.5;

export interface Rounds {
  /** How often each case runs. */
  rounds: number;
  /** Rounds before them, which do not count. */
  warmUp: number;
  /**
   * Whether a case begins when what the last one has left to do is done: a pool that fills up, sessions that end. Calls leave
   * so little that waiting would say more of what is asleep than of them.
   */
  apart: boolean;
}

export async function interleaved(cases: readonly Case[], { rounds, warmUp, apart }: Rounds): Promise<Row[]> {
  const times = new Map<string, number[]>(cases.map(({ id }) => [id, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const each of cases) {
      if (apart) await machineIsQuiet();
      const took = await once(each);
      if (round >= warmUp) times.get(each.id)?.push(took);
    }
  }
  const [load = 0] = loadavg();
  const medians = new Map([...times].map(([id, taken]) => [id, quantile(taken, 0.5)]));
  return cases.map((each) => rowOf(each, times.get(each.id) ?? [], medians, load));
}

async function once({ before, run, after }: Case): Promise<number> {
  await before?.();
  const began = performance.now();
  const own = await run();
  const took = typeof own === 'number' ? own : performance.now() - began;
  await after?.();
  return took;
}

function rowOf(
  { id, what, against, goal }: Case,
  times: readonly number[],
  medians: ReadonlyMap<string, number>,
  load: number,
): Row {
  const p50Ms = quantile(times, 0.5);
  const base = against === undefined ? undefined : medians.get(against);
  const ratio = base === undefined ? undefined : p50Ms / base;
  return {
    ...{ id, what, samples: times.length, p50Ms, load },
    ...{ p95Ms: quantile(times, 0.95), p99Ms: quantile(times, 0.99) },
    ...(against === undefined ? {} : { against }),
    ...(goal === undefined ? {} : { goal }),
    ...(ratio === undefined ? {} : { ratio }),
    met: isMet(goal, { p50Ms, load, ...(ratio === undefined ? {} : { ratio }) }),
  };
}

/** As `Row.met`. */
export function isMet(
  goal: Case['goal'],
  { p50Ms, ratio, load }: Pick<Row, 'p50Ms' | 'ratio' | 'load'>,
): boolean | null {
  if (goal === undefined || load > HIGHEST_LOAD) return null;
  if ('ms' in goal) return p50Ms <= goal.ms;
  return ratio === undefined ? null : ratio <= goal.times;
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
