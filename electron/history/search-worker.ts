/**
 * The worker thread that brings the journal into the history, indexes it, and answers lists and searches, so
 * that none of this blocks an evaluation. It alone writes the index. It is a separate bundle entry.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { IndexReader } from './index/index-reader';
import type { IndexRequest, IndexResponse, SearchWorkerData } from './index/queries';
import { Ingest, type Ingested, Turns } from './ingest';

/** Maximum milliseconds that a transaction waits for the other thread. */
const BUSY_MS = 50;

const data = workerData as SearchWorkerData;
const reader = new IndexReader(data);
const turns = new Turns(data.turns);
const history = new Sqlite(data.file, { fileMustExist: true, timeout: BUSY_MS });
history.pragma('synchronous = normal');
history.pragma('foreign_keys = on');
const ingest = new Ingest(history);
let catchingUp = false;

parentPort?.on('message', async (question: IndexRequest | 'end') => {
  if (question === 'end') {
    reader.close();
    history.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await answered(question));
  await catchUpBackwards();
});

async function answered({ id, name, args, closed, journal }: IndexRequest): Promise<IndexResponse> {
  const ingested = journal === null ? undefined : broughtIn(journal);
  const { closed: justClosed = [], ...report } = ingested ?? {};
  const done = ingested === undefined ? {} : { ingested: ingested && (report as Omit<Ingested, 'closed'>) };
  try {
    return { id, value: await reader.answer(name, args, [...closed, ...justClosed]), ...done };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error), ...done };
  }
}

/** Returns null if the history cannot be written. */
function broughtIn({ end }: NonNullable<IndexRequest['journal']>): Ingested | null {
  try {
    return ingest.run(end, (transaction) => turns.around(transaction));
  } catch {
    // The other thread tries, and says what is wrong.
    return null;
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
