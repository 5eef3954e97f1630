import { appendFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Where what fails outside of the tests is noted, a JSON string a line: reporters' files do not tell of it. */
const errors = process.env.LISP_HARBOR_TEST_ERRORS;

/** Tests whose worker is theirs alone, because they start engines in it. */
const APART = ['integration', 'checklist', 'conformance', 'faults', 'books'];

const testsOf = (folder: string) => `test/${folder}/**/*.test.{ts,tsx}`;

/** Runs in Electron's own Node, so that native modules and the language level are those that ship. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    globalSetup: 'test/first-core.ts',
    pool: 'forks',
    maxWorkers: 2,
    unstubGlobals: true,
    unstubEnvs: true,
    // For what hangs. Several JVMs start in some tests, on machines of any speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine gets to it; vitest's own second is over before a busy one does.
    expect: { poll: { timeout: 20_000 } },
    onUnhandledError: ({ stack, message }) => {
      if (errors !== undefined) appendFileSync(errors, `${JSON.stringify(stack ?? message)}\n`);
    },
    projects: [
      // The files of a worker share what they import: loading it for each file takes longer than most files' tests.
      {
        extends: true,
        test: { name: 'shared', include: [testsOf('unit'), 'renderer/**/*.test.{ts,tsx}'], isolate: false },
      },
      { extends: true, test: { name: 'apart', include: APART.map(testsOf) } },
    ],
  },
});
