import { defineConfig } from 'vitest/config';

/** Runs in Electron's own Node, so that native modules and the language level are those that ship. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['{renderer,test/{unit,integration,checklist,conformance,faults,books}}/**/*.test.{ts,tsx}'],
    globalSetup: 'test/first-core.ts',
    pool: 'forks',
    maxWorkers: 2,
    // For what hangs. Several JVMs start in some tests, on machines of any speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine gets to it; vitest's own second is over before a busy one does.
    expect: { poll: { timeout: 20_000 } },
  },
});
