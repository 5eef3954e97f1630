/** End-to-end tests: the real app in real Electron, one at a time because each owns the screen's focus. */
import { defineConfig } from '@playwright/test';

const results = `${import.meta.dirname}/../test-results`;

export default defineConfig({
  testDir: './e2e',
  outputDir: `${results}/e2e`,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: `${results}/e2e.json` }]],
  use: { trace: 'retain-on-failure' },
});
