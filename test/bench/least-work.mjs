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

/**
 * @param atOnce how often it may be under way at once: each time in an SBCL of its own
 * @returns a function that does it once. It ends with its process
 */
export async function leastWork(atOnce = 1) {
  const lisps = Array.from({ length: atOnce }, startLisp);
  process.once('exit', () => {
    for (const lisp of lisps) lisp.kill();
  });
  const free = await Promise.all(lisps.map(evaluatorOf));
  const history = newHistory();
  return async () => {
    const evaluate = free.pop();
    if (evaluate === undefined) throw new Error(`More than ${atOnce} are under way.`);
    const row = history.open();
    const value = await evaluate();
    history.close(row, value);
    free.push(evaluate);
    return value;
  };
}

function startLisp() {
  return spawn('sbcl', ['--noinform', '--disable-debugger', '--no-userinit', '--eval', READING], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** @param {ReturnType<typeof startLisp>} sbcl */
async function evaluatorOf(sbcl) {
  const evaluate = async () => {
    const answer = once(sbcl.stdout, 'data');
    sbcl.stdin.write(`${CODE}\n`);
    return String(await answer).trim();
  };
  await evaluate();
  return evaluate;
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
