/**
 * Whether work grows in proportion to its input. Two inputs are compared, one twice as long as the other, by the time of the
 * processor that each takes in this thread: no clock of the wall, and no number of milliseconds, decides.
 */
import fc from 'fast-check';
import { SOAK } from '../rounds';
import { length, place, positionIn, type Recorded } from './mutated';

/** Something that is said again and again, in the middle of something else. */
export interface Repeated {
  before: string;
  again: string;
  after: string;
}

/** Characters of the longest input. */
const LONGEST = (SOAK ? 128 : 16) * 1024;

/** Microseconds that tell more about the work than about the machine. */
const TELLING = SOAK ? 10_000 : 4_000;

/** Twice for work in proportion, four times for its square; between them lies what the machine adds. */
const MOST_GROWTH = 3.2;

/** What a busy machine spoils may be measured again; a square is one each time. */
const ATTEMPTS = 4;

/** Words of the syntax, or a part of a recorded input, over and over; alone, or somewhere in such an input. */
export function repeated({ seeds, tokens }: Recorded): fc.Arbitrary<Repeated> {
  const words = fc.constantFrom(...tokens, ' ', '\n', '1', 'a', '"', '\\', '(', ')', '\u2028');
  const text = (maxLength: number, minLength = 0) =>
    fc.array(words, { minLength, maxLength }).map((parts) => parts.join(''));
  const alone = fc.record({ before: text(2), again: text(3, 1), after: text(2) });
  const inSeed = fc
    .tuple(fc.constantFrom(...seeds), place, length, text(2), fc.boolean())
    .map(([seed, part, own, put, isPut]) => {
      const at = positionIn(seed, part);
      const again = isPut ? put : seed.slice(at, at + own);
      return { before: seed.slice(0, at), again, after: seed.slice(at) };
    });
  return fc
    .oneof({ weight: 1, arbitrary: alone }, { weight: 2, arbitrary: inSeed })
    .filter(({ again }) => again !== '');
}

/**
 * @param read what is measured; its result and its refusals are no matter here
 * @throws Error that says how long which input took
 */
export async function takesTimeInProportion(
  { before, again, after }: Repeated,
  read: (text: string) => unknown,
): Promise<void> {
  const text = (times: number) => before + again.repeat(times) + after;
  let times = 16;
  while ((await timeOf(text(times), read)) < TELLING) {
    if (text(2 * times).length > LONGEST) return;
    times *= 2;
  }
  const told: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const half = await least(text(times / 2), read);
    const whole = await least(text(times), read);
    if (whole <= MOST_GROWTH * half) return;
    told.push(`${half} µs and ${whole} µs`);
  }
  const shown = JSON.stringify(`${before}…${again}…${after}`);
  throw new Error(`${shown}: ${times / 2} and ${times} times took ${told.join(', ')}`);
}

async function least(text: string, read: (text: string) => unknown): Promise<number> {
  let time = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < 3; measured += 1) time = Math.min(time, await timeOf(text, read));
  return time;
}

async function timeOf(text: string, read: (text: string) => unknown): Promise<number> {
  const before = threadTime();
  await read(text);
  return threadTime() - before;
}

/** Microseconds that this thread has had. */
function threadTime(): number {
  // Linux counts a thread up to now when the whole process is asked for, else up to its last tick.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
