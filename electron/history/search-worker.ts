/**
 * A thread that answers lists and searches of the history, so that neither finding nor indexing stalls an evaluation. It
 * alone writes the index; of the history it can write nothing. A bundle entry of its own.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from './index/index-reader';
import type { Answer, IndexThreadData, Question } from './index/questions';

const reader = new IndexReader(workerData as IndexThreadData);
let catchingUp = false;

parentPort?.on('message', async (question: Question | 'end') => {
  if (question === 'end') {
    reader.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await answered(question));
  await catchUpBackwards();
});

async function answered({ id, name, args, closed }: Question): Promise<Answer> {
  try {
    return { id, value: await reader.answer(name, args, closed) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What an index lacks that was begun late, in small pieces, so that questions have their turn. */
async function catchUpBackwards(): Promise<void> {
  if (catchingUp) return;
  catchingUp = true;
  try {
    while (reader.catchUpBackwards()) await nextTurn();
  } finally {
    catchingUp = false;
  }
}
