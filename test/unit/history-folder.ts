/** Temporary folders for tests of the history. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
