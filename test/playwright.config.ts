/** End-to-end tests, and rows of the checklist that only a window can fulfil: the real app in real Electron, each on a screen of its worker's because it owns its focus. */
import { defineConfig } from '@playwright/test';

const results = `${import.meta.dirname}/../test-results`;

export default defineConfig({
  testDir: '.',
  testMatch: '{e2e,checklist}/**/*.spec.ts',
  outputDir: `${results}/e2e`,
  // On a machine that does much else the longest take a minute and a half.
  timeout: 180_000,
  // A busy machine takes this long to build SBCL's core, which the first session of all waits for.
  expect: { timeout: 30_000 },
  // More than the two cores that the tests are to do with: each waits half of its time. Elsewhere than on Linux there is one screen.
  workers: process.platform === 'linux' ? 3 : 1,
  // Each test starts an app of its own, so that the tests of a long file need not wait for each other.
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: `${results}/e2e.json` }]],
  // A run of failed files alone is traced (resources/setup/test-runs.mjs): recording takes a twentieth of the time of all.
  use: { trace: 'off' },
});
