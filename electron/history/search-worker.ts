/**
 * A thread that reads the history for searches, over a connection of its own that cannot write. It is told the SQL
 * and knows nothing of the schema. A bundle entry of its own; nothing is imported but SQLite.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { SearchAnswer, SearchQuestion } from './evaluation-search';

const { file } = workerData as { file: string };
const database = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });

parentPort?.on('message', ({ id, sql, parameters }: SearchQuestion) => {
  parentPort?.postMessage(answer(id, sql, parameters));
});

function answer(id: number, sql: string, parameters: (string | number)[]): SearchAnswer {
  try {
    return { id, rows: database.prepare(sql).all(...parameters) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
