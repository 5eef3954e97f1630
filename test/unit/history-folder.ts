/** Temporary folders for tests of the history, and disks without room. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Writer } from '../../electron/history/writer';

/** A new folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets SQLite find its disk full from the next row on, until what this answers is called: that makes room and catches up. */
export function fillDisk(writer: Writer): () => void {
  const { database } = writer;
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages}`);
  // The pages that there are have room left.
  writer.attempt(() =>
    database.exec(`create table ballast (bytes); insert into ballast values (zeroblob(100000))`),
  );
  if (writer.waiting === null) throw new Error('The disk is not full.');
  return () => {
    database.pragma('max_page_count = 1000000');
    writer.catchUp();
    if (writer.waiting !== null) throw new Error(writer.waiting.because);
  };
}
