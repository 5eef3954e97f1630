/** What loading, testing and profiling tell beside the values of an evaluation: systems, failures with their places, test results. */
import { z } from 'zod';
import { SampledProfile } from './cost';
import { FinalCheck } from './final-check';
import { ProofReport } from './proof';

/** A place in a source file and what stands there. Lines and columns count from 1, columns in characters. */
export const FormPlace = z.object({
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** The form there, printed. */
  source: z.string().optional(),
  /** The definitions around it, such as `DEFUN F`. */
  context: z.string().optional(),
});
export type FormPlace = z.infer<typeof FormPlace>;

/** Why something could not be loaded: an error of the reader, of the compiler, or of a top-level form. */
export const LoadFailure = FormPlace.extend({ type: z.string(), message: z.string() });
export type LoadFailure = z.infer<typeof LoadFailure>;

/** A check that did not hold (`failed`), or code of a test that signalled (`error`). Values are printed. */
export const TestFailure = z.object({
  test: z.string(),
  kind: z.enum(['failed', 'error']),
  form: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  reason: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
});
export type TestFailure = z.infer<typeof TestFailure>;

/** One run of one framework. It counts checks; `counts` is null where the framework tells none (ASDF's test-op). */
export const TestRun = z.object({
  framework: z.string(),
  /** The tests that were run, as they are named. */
  tests: z.array(z.string()),
  counts: z
    .object({
      passed: z.number().int(),
      failed: z.number().int(),
      errors: z.number().int(),
      skipped: z.number().int(),
    })
    .nullable(),
  failures: z.array(TestFailure),
  /** Tests of these that ended without a check, where the framework tells that; absent for none. */
  unchecked: z.array(z.string()).optional(),
  /** Failures that are counted and not listed; absent for none. */
  omitted: z.number().int().optional(),
});
export type TestRun = z.infer<typeof TestRun>;

/** A top-level form of evaluation `id` that a replay left out or could not evaluate, in one line, and why. */
export const MissingForm = z.object({ id: z.number().int(), form: z.string(), because: z.string() });
/** In place of the row's id where a checkpoint held the form. */
export const FROM_CHECKPOINT = 0;
export type MissingForm = z.infer<typeof MissingForm>;

/** What evaluating again what an earlier image had evaluated came to. `count` forms came back; of the others the first
 * ones are told. */
export const Replay = z.object({
  count: z.number().int(),
  missing: z.array(MissingForm),
  missingCount: z.number().int(),
  /** What else is to be known of how it was done, in a sentence. */
  note: z.string().optional(),
});
export type Replay = z.infer<typeof Replay>;

/** What an evaluation loaded, tested and replayed, and its CPU or allocation profile where one was asked for. A row with nothing of that has no report. */
export const Report = z.object({
  /** Systems that were not loaded before. */
  loaded: z.array(z.string()),
  failures: z.array(LoadFailure),
  runs: z.array(TestRun),
  replay: Replay.optional(),
  profile: SampledProfile.optional(),
  /** What a prover says of events and of trust; there in every evaluation of ACL2. */
  proof: ProofReport.optional(),
  /** There when all of it was rebuilt and holds. */
  finalCheck: FinalCheck.optional(),
});
export type Report = z.infer<typeof Report>;
