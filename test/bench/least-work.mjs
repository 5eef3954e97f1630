/**
 * What no server can leave out that keeps a history and evaluates in a process of its own: a transaction before the code
 * runs, which opens a row of an evaluation and one of a call, the way to SBCL and back, and a transaction that closes both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';

const READING = '(loop (prin1 (eval (read))) (terpri) (finish-output))';
const CODE = '(+ 1 2)';

/** @returns a function that does it once. It ends with its process */
export async function leastWork() {
  const sbcl = spawn('sbcl', ['--noinform', '--disable-debugger', '--no-userinit', '--eval', READING], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const history = newHistory();
  process.once('exit', () => sbcl.kill());
  const evaluate = async () => {
    const answer = once(sbcl.stdout, 'data');
    sbcl.stdin.write(`${CODE}\n`);
    return String(await answer).trim();
  };
  await evaluate();
  return async () => {
    const row = history.open();
    const value = await evaluate();
    history.close(row, value);
    return value;
  };
}

function newHistory() {
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-bench-least-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = new Sqlite(path.join(folder, 'history.db'));
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  database.exec(`
    create table evaluations (id integer primary key autoincrement, session text, code text, outcome text, forms text);
    create index evaluations_session on evaluations (session);
    create table calls (id integer primary key, tool text, outcome text)`);
  const opened = database.prepare(
    `insert into evaluations (session, code, outcome) values ('sbcl-1', ?, 'running')`,
  );
  const called = database.prepare(`insert into calls (tool) values ('eval')`);
  const closed = database.prepare(`update evaluations set outcome = 'ok', forms = ? where id = ?`);
  const answered = database.prepare(`update calls set outcome = 'ok' where id = ?`);
  return {
    open: database.transaction(() => ({
      call: called.run().lastInsertRowid,
      evaluation: opened.run(CODE).lastInsertRowid,
    })),
    close: database.transaction(({ call, evaluation }, value) => {
      closed.run(JSON.stringify([value]), evaluation);
      answered.run(call);
    }),
  };
}
