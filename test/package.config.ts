/** The Debian package, made, installed and used; and the window's main tests once more, on what is installed. */
import { defineConfig } from '@playwright/test';

const results = `${import.meta.dirname}/../test-results`;

export default defineConfig<{ packaged: boolean }>({
  testDir: '.',
  outputDir: `${results}/package`,
  globalSetup: './package/whole-run.ts',
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // There is one package on a computer.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: `${results}/package.json` }]],
  use: { trace: { mode: 'retain-on-failure', screenshots: false } },
  projects: [
    { name: 'package', testMatch: 'package/**/*.spec.ts' },
    { name: 'window', testMatch: 'e2e/**/*.spec.ts', use: { packaged: true } },
  ],
});
