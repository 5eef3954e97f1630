/** `npm run pictures`. Apart from the tests: a screen that does not draw must not keep them from their verdict. */
import { defineConfig } from '@playwright/test';

const results = `${import.meta.dirname}/../test-results`;

export default defineConfig({
  testDir: './pictures',
  outputDir: `${results}/pictures-failed`,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  retries: 0,
  reporter: 'list',
});
