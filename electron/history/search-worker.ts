/**
 * The worker thread that answers lists and searches of the history, so that searching and indexing never
 * block an evaluation. It alone writes the index; it opens the history read-only. It is a separate bundle
 * entry.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from './index/index-reader';
import type { IndexRequest, IndexResponse, IndexThreadData } from './index/queries';

const reader = new IndexReader(workerData as IndexThreadData);
let catchingUp = false;

parentPort?.on('message', async (question: IndexRequest | 'end') => {
  if (question === 'end') {
    reader.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await answered(question));
  await catchUpBackwards();
});

async function answered({ id, name, args, closed }: IndexRequest): Promise<IndexResponse> {
  try {
    return { id, value: await reader.answer(name, args, closed) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Indexes rows from before the index existed, in small steps, so that requests are answered between them. */
async function catchUpBackwards(): Promise<void> {
  if (catchingUp) return;
  catchingUp = true;
  try {
    while (reader.catchUpBackwards()) await nextTurn();
  } finally {
    catchingUp = false;
  }
}
