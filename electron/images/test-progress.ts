/** A test run while it runs: an image reports each test as it begins, and the results are known if the run ends early. */
import type { BegunTest, TestFailure, TestRun } from '../contract/report';
import type { TestsSoFar } from '../contract/tests';

/** Why a run ended before its last test. */
export type EarlyEnd = { kind: 'image lost' } | { kind: 'stopped' } | { kind: 'error'; message: string };

/** Maximum number of failures with details, as in a finished run. */
const MOST_FAILURES = 200;

/** The results of a test run while it runs, so that they are known if the run ends early. */
export class TestProgress {
  readonly #tests: string[] = [];
  readonly #failures: TestFailure[] = [];
  #newest: BegunTest | null = null;
  #since = 0;

  begin(begun: BegunTest): void {
    if (this.#newest?.framework !== begun.framework) this.finish();
    this.#newest = begun;
    this.#since = Date.now();
    this.#tests.push(begun.test);
    this.#failures.push(...begun.failures);
  }

  /** Called when the run has ended; its own report has all results. */
  finish(): void {
    this.#newest = null;
    this.#tests.length = 0;
    this.#failures.length = 0;
  }

  /** The results so far, with the test that runs; null if none does. */
  get soFar(): TestsSoFar | null {
    if (this.#newest === null) return null;
    const { framework, counts, test, planned } = this.#newest;
    const results = {
      framework,
      counts,
      tests: [...this.#tests],
      failures: this.#failures.slice(0, MOST_FAILURES),
    };
    return { ...results, planned, test, since: this.#since };
  }

  /** Returns the results of a run that ended early, with the test in which it ended as an error; null if none runs. */
  endedEarly(end: EarlyEnd): TestRun | null {
    if (this.#newest === null) return null;
    const { framework, counts, test, planned } = this.#newest;
    const notRun = Math.max(0, planned - this.#tests.length);
    const error: TestFailure = { test, kind: 'error', reason: reasonOf(end) };
    return {
      framework,
      tests: this.#tests,
      counts: counts && { ...counts, errors: counts.errors + 1 },
      failures: [error, ...this.#failures.slice(0, MOST_FAILURES)],
      endedIn: test,
      ...(notRun > 0 ? { notRun } : {}),
    };
  }
}

function reasonOf(end: EarlyEnd): string {
  switch (end.kind) {
    case 'image lost':
      return 'The image ended while this test ran.';
    case 'stopped':
      return 'The run was stopped in this test.';
    case 'error':
      return `The run ended in this test: ${end.message}`;
  }
}
