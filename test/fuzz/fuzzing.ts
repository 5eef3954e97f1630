/**
 * Properties that must hold for whatever is read. In `npm test` the inputs are the same in each run; `npm run soak` takes a
 * minute for each parser with a seed that it prints. A failure tells its seed and path: with both in the environment, as
 * LISP_HARBOR_FUZZ_SEED and LISP_HARBOR_FUZZ_PATH, it comes again at once.
 */
import fc from 'fast-check';
import { it } from 'vitest';
import { SOAK } from '../rounds';

const { LISP_HARBOR_FUZZ_SEED, LISP_HARBOR_FUZZ_PATH } = process.env;

/** Of all properties of a parser together. */
const SOAK_MS = 60_000;

/** Any number: it is the same in each run. */
const USUAL_SEED = 17;

const seed = Number(LISP_HARBOR_FUZZ_SEED ?? (SOAK ? Math.trunc(Math.random() * 2 ** 31) : USUAL_SEED));

export interface Property<Input> {
  /** As the test is called. */
  what: string;
  inputs: fc.Arbitrary<Input>;
  /** Inputs that broke it once; they are tried first. */
  finds?: readonly Input[];
  /** How many inputs are tried in `npm test`. */
  usual: number;
  /** The part of the parser's minute that this property has in the soak; the whole unless given. */
  share?: number;
  /** Throws where the property does not hold. */
  holds: (input: Input) => void | Promise<void>;
}

/** A test of the property. */
export function fuzz<Input>({ what, inputs, finds = [], usual, share = 1, holds }: Property<Input>): void {
  const limits = SOAK
    ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: SOAK_MS * share }
    : { numRuns: usual + finds.length };
  it(
    `${what}${SOAK ? ` (seed ${seed})` : ''}`,
    async () => {
      await fc.assert(
        fc.asyncProperty(inputs, async (input) => holds(input)),
        {
          ...limits,
          seed,
          examples: finds.map((find): [Input] => [find]),
          ...(LISP_HARBOR_FUZZ_PATH === undefined ? {} : { path: LISP_HARBOR_FUZZ_PATH }),
        },
      );
    },
    10 * SOAK_MS,
  );
}
