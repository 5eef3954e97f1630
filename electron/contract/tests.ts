/** Tests as the window shows them: those that the sources of a project define, and their latest results. */
import { z } from 'zod';
import { EngineName, Outcome } from './model';
import { TestRun } from './report';

/** A test as its source defines it. `name` includes the package or namespace, as the results of a run do. */
export const SourceTest = z.object({
  name: z.string(),
  /** The suite that was current in its file; null for none. */
  suite: z.string().nullable(),
  /** Relative to the project. */
  path: z.string(),
  line: z.int(),
  /** The beginning of its form. */
  form: z.string(),
});
export type SourceTest = z.infer<typeof SourceTest>;

/** The unit of a run: an ASDF system, a namespace, or an ACL2 book, which has no tests inside. */
export const TestedUnit = z.object({
  kind: z.enum(['system', 'namespace', 'book']),
  name: z.string(),
  /** The file that defines it, relative to the project. */
  path: z.string(),
  tests: z.array(SourceTest),
});
export type TestedUnit = z.infer<typeof TestedUnit>;

export const ProjectTests = z.object({
  units: z.array(TestedUnit),
  /** Another one after any change of a source file. */
  stamp: z.string(),
});
export type ProjectTests = z.infer<typeof ProjectTests>;

/** Which tests to run: all of a unit, or those named. Nothing: all that the session knows. */
export const TestChoice = z.object({
  system: z.string().min(1).max(500).optional(),
  path: z.string().min(1).max(4000).optional(),
  tests: z.array(z.string().min(1).max(500)).max(2_000).optional(),
});
export type TestChoice = z.infer<typeof TestChoice>;

/** The results of a run that has not ended. */
export const TestsSoFar = TestRun.pick({ framework: true, tests: true, counts: true, failures: true }).extend(
  {
    /** Number of tests of the run, as far as it is known. */
    planned: z.int(),
    /** The test that runs, and since when. */
    test: z.string(),
    since: z.number(),
  },
);
export type TestsSoFar = z.infer<typeof TestsSoFar>;

/** A past or running evaluation that ran tests of the project. */
export const RecordedRun = z.object({
  evaluation: z.int(),
  session: z.string(),
  engine: EngineName,
  client: z.string(),
  startedAt: z.number(),
  durationMs: z.number().nullable(),
  outcome: Outcome,
  runs: z.array(TestRun),
  /** Books that it certified, with their state. */
  books: z.array(z.object({ book: z.string(), state: z.string(), because: z.string().optional() })),
  /** Why it did not get to its tests; null if it did. */
  problem: z.string().nullable(),
});
export type RecordedRun = z.infer<typeof RecordedRun>;
