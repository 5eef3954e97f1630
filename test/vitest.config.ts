import { appendFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** Where what fails outside of the tests is noted, a JSON string a line: reporters' files do not tell of it. */
const errors = process.env.LISP_HARBOR_TEST_ERRORS;

/** Folders of versions of SLIME, separated as those of PATH are: only then are there tests on them. */
const versions = process.env.SLIME_VERSIONS === undefined ? '' : ',versions';

/** A folder of programs that have a model behind them (`clients/programs.test.ts`): as above. */
const clients = process.env.CLIENT_PROGRAMS === undefined ? '' : ',clients';

/** Whether Neovim and Jupyter's own client are there (`editors/programs.test.ts`): as above. */
const editors = process.env.EDITOR_PROGRAMS === undefined ? '' : ',editors';

/** Runs in Electron's own Node, so that native modules and the language level are those that ship. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: [
      `{renderer,test/{unit,integration,checklist,conformance,faults,attacks,fuzz,books${versions}${clients}${editors}}}/**/*.test.{ts,tsx}`,
    ],
    globalSetup: ['test/run-folder.ts', 'test/first-core.ts'],
    pool: 'forks',
    // More than the two cores that the tests are to do with: each waits half of its time for engines that start or for a clock.
    maxWorkers: 4,
    // The files of a worker share what they import: loading it for each file takes longer than most files' tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
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
  },
});
