/**
 * Reports of an evaluation in addition to its values: costs, profiles, loaded systems, failures with places,
 * and test results.
 */
import { z } from 'zod';
import { FinalCheck, ProofReport } from './proof';

/** Cost of an evaluation, measured for the whole process, including its threads. */
export const Cost = z.object({
  realMs: z.number(),
  /** CPU time of all threads. */
  runMs: z.number(),
  gcMs: z.number(),
  /** Allocated bytes, including freed ones. */
  bytes: z.int(),
});
export type Cost = z.infer<typeof Cost>;

/** Measure of a sampling profiler: CPU time, or allocation. */
export const SamplingMode = z.enum(['cpu', 'alloc']);
export type SamplingMode = z.infer<typeof SamplingMode>;

/** Number of samples, and its share of all samples in percent with one decimal. */
export const SampleShare = z.object({ samples: z.int(), percent: z.number() });
export type SampleShare = z.infer<typeof SampleShare>;

export const SampledFunction = z.object({
  name: z.string(),
  /** Samples in the function itself. */
  self: SampleShare,
  /** Samples with the function on the stack. */
  total: SampleShare,
});
export type SampledFunction = z.infer<typeof SampledFunction>;

/** Result of a sampling profiler. */
export const SampledProfile = z.object({
  mode: SamplingMode,
  samples: z.int(),
  /** The functions with the most samples. */
  functions: z.array(SampledFunction),
  /** One line a stack, `outer;inner 12`, as flame graph tools read it; most samples first. */
  folded: z.string(),
  /** Stacks that `folded` omits, and their samples. */
  omitted: z.object({ stacks: z.int(), samples: z.int() }),
});
export type SampledProfile = z.infer<typeof SampledProfile>;

/** A place in a source file. Lines and columns count from 1, columns in characters. */
export const FormPlace = z.object({
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** The form there, printed. */
  source: z.string().optional(),
  /** The enclosing definitions, such as `DEFUN F`. */
  context: z.string().optional(),
});
export type FormPlace = z.infer<typeof FormPlace>;

/** Why a file could not be loaded: an error of the reader, the compiler, or a top-level form. */
export const LoadFailure = FormPlace.extend({ type: z.string(), message: z.string() });
export type LoadFailure = z.infer<typeof LoadFailure>;

/** A failed check (`failed`), or an error in a test (`error`). Values are printed. */
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

/**
 * One run of one test framework. Counts checks; `counts` is null if the framework reports none (ASDF's
 * test-op).
 */
export const TestRun = z.object({
  framework: z.string(),
  /** Names of the tests. */
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
  /** Tests that made no check, if the framework reports that; absent for none. */
  unchecked: z.array(z.string()).optional(),
  /** Number of failures that are not listed; absent for none. */
  omitted: z.number().int().optional(),
  /** Failing tests none of whose failures is listed; absent for none. */
  alsoFailed: z.array(z.string()).optional(),
  /** The test in which the run ended early; absent if it ran to its end. */
  endedIn: z.string().optional(),
  /** Number of tests that did not run because the run ended early; absent for none. */
  notRun: z.number().int().optional(),
});
export type TestRun = z.infer<typeof TestRun>;

/** The checks of all test runs of an evaluation. A run that reports none counts as nothing. */
export const TestTotals = z.object({ passed: z.int(), failed: z.int(), errors: z.int() });
export type TestTotals = z.infer<typeof TestTotals>;

/** Returns null if no tests ran. */
export function testTotals(runs: readonly TestRun[]): TestTotals | null {
  if (runs.length === 0) return null;
  const sum = (of: 'passed' | 'failed' | 'errors') =>
    runs.reduce((total, { counts }) => total + (counts?.[of] ?? 0), 0);
  return { passed: sum('passed'), failed: sum('failed'), errors: sum('errors') };
}

/** A test that begins, with the results since the last one: `counts` of the whole run, and new failures. */
export const BegunTest = TestRun.pick({ framework: true, counts: true, failures: true }).extend({
  test: z.string(),
  /** Number of tests of the run, as far as it is known. */
  planned: z.number().int(),
});
export type BegunTest = z.infer<typeof BegunTest>;

/**
 * A top-level form of evaluation `id` that a replay omitted or could not evaluate, in one line, with the
 * reason.
 */
export const MissingForm = z.object({ id: z.number().int(), form: z.string(), because: z.string() });
/** Used instead of a row id for a form from a checkpoint. */
export const FROM_CHECKPOINT = 0;
export type MissingForm = z.infer<typeof MissingForm>;

/**
 * Result of replaying earlier evaluations in a new image. `count` forms were replayed; `missing` has the
 * first of the others.
 */
export const Replay = z.object({
  count: z.number().int(),
  missing: z.array(MissingForm),
  missingCount: z.number().int(),
  /** An additional note about the replay, in one sentence. */
  note: z.string().optional(),
});
export type Replay = z.infer<typeof Replay>;

/**
 * Result of one item of a map: the values of the last form, or the condition. `outcome` is that of evaluation
 * `id`, or `waiting` before it exists.
 */
export const ItemResult = z.object({
  index: z.int(),
  outcome: z.enum(['ok', 'error', 'interrupted', 'crashed', 'refused', 'running', 'waiting']),
  id: z.int().optional(),
  values: z.array(z.string()).optional(),
  condition: z.object({ type: z.string(), message: z.string() }).optional(),
});
export type ItemResult = z.infer<typeof ItemResult>;

/** Report of an evaluation; a row without any of its members has no report. */
export const Report = z.object({
  /** Newly loaded systems. */
  loaded: z.array(z.string()),
  failures: z.array(LoadFailure),
  runs: z.array(TestRun),
  replay: Replay.optional(),
  profile: SampledProfile.optional(),
  /** Events and trust issues; present for every ACL2 evaluation. */
  proof: ProofReport.optional(),
  /** Present if everything was rebuilt and holds. */
  finalCheck: FinalCheck.optional(),
  /** Items of a map, in order. */
  items: z.array(ItemResult).optional(),
});
export type Report = z.infer<typeof Report>;
