/** What cannot be written does not stop work: rows wait in memory, are shown from there, and are written in order. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { lock, MAY_MOUNT, onDisk, SmallDisk } from '../unwritable-history';

const WAITS = /history cannot be written.*queued in memory/i;

interface Rows {
  rows: { id: number; code: string; outcome: string; output: string; values: string[] }[];
  evaluation?: { id: number; code: string; values: string[]; stdout: string };
}

/** Works as an agent does while nothing can be written; answers the ids of what it evaluated. */
async function work(client: Client): Promise<number[]> {
  const opened = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl', name: 'waits' });
  expect(opened.isError, opened.text).toBe(false);
  const { session } = opened.structured;
  const ids: number[] = [];
  for (const number of [1, 2, 3]) {
    const code = `(progn (format t "printed-${number}") (list :needle ${number}))`;
    const { structured, isError, text } = await evaluate(client, code, { session });
    expect(isError, text).toBe(false);
    expect(structured).toMatchObject({ values: [`(:NEEDLE ${number})`], stdout: `printed-${number}` });
    expect(structured.notes.join('\n')).toMatch(WAITS);
    ids.push(structured.id);
  }
  const [first = 0, , last = 0] = ids;
  expect(ids).toEqual([first, first + 1, first + 2]);
  const newest = await call<Rows>(client, 'history', { session });
  expect(newest.structured.rows.map(({ id, outcome, output }) => [id, outcome, output])).toEqual(
    ids.toReversed().map((id, index) => [id, 'ok', `printed-${3 - index}`]),
  );
  const found = await call<Rows>(client, 'history', { session, query: 'needle 2' });
  expect(found.structured.rows.map(({ id }) => id)).toEqual([first + 1]);
  const whole = await call<Rows>(client, 'history', { id: last });
  expect(whole.structured.evaluation).toMatchObject({ values: ['(:NEEDLE 3)'], stdout: 'printed-3' });
  ids.push(await longWork(client, session));
  return ids;
}

/** A job that prints, is followed, and is cancelled. */
async function longWork(client: Client, session: string): Promise<number> {
  const { structured } = await evaluate(
    client,
    '(progn (princ "on its way") (finish-output) (loop (sleep 0.1)))',
    {
      session,
      wait_ms: 0,
    },
  );
  expect(structured.outcome).toBe('running');
  const job = { job: `job-${structured.id}` };
  const output = async () =>
    (await call<{ output: string }>(client, 'job', { ...job, action: 'output' })).structured.output;
  await expect.poll(output, PATIENT).toBe('on its way');
  const running = await call<Rows>(client, 'history', { session, outcome: 'running' });
  expect(running.structured.rows).toMatchObject([{ id: structured.id, output: 'on its way' }]);
  const cancelled = await call<{ outcome: string }>(client, 'job', { ...job, action: 'cancel' });
  expect(cancelled.structured.outcome).toBe('interrupted');
  return structured.id;
}

/** All of it lies in the database, in order, each with its output and its call, and can be found. */
async function expectWritten(client: Client, file: string, ids: readonly number[]): Promise<void> {
  const range = `between ${ids[0]} and ${ids.at(-1)}`;
  const rows = () => onDisk<number>(file, `select id from evaluations where id ${range} order by rowid`);
  await expect.poll(rows, PATIENT).toEqual(ids);
  const outcomes = `select outcome from evaluations where id ${range} order by id`;
  await expect.poll(() => onDisk(file, outcomes), PATIENT).toEqual(['ok', 'ok', 'ok', 'interrupted']);
  const output = `select group_concat(text, '|' order by evaluation) from output where evaluation ${range}`;
  await expect
    .poll(() => onDisk(file, output), PATIENT)
    .toEqual(['printed-1|printed-2|printed-3|on its way']);
  expect(onDisk(file, `select name from sessions where name = 'waits'`)).toEqual(['waits']);
  expect(onDisk(file, `select evaluation from calls where evaluation ${range} and tool = 'eval'`)).toEqual(
    ids,
  );
  const { structured, isError } = await evaluate(client, '(+ 1 2)');
  expect(isError).toBe(false);
  expect(structured.notes.join('\n')).not.toMatch(WAITS);
  const found = await call<Rows>(client, 'history', { query: 'needle 2' });
  expect(found.structured.rows.map(({ id }) => id)).toContain(ids[1]);
}

describe('a history that cannot be written', () => {
  it('because another program has locked it, waits and is written in order', async () => {
    const harbor = await StartedHarbor.start();
    onTestFinished(async () => void (await harbor.stop()));
    const client = await harbor.client();
    await evaluate(client, ':before');
    const file = path.join(harbor.data, 'history.db');
    const release = await lock(file);
    const ids = await work(client);
    expect(onDisk(file, `select code from evaluations where id >= ${ids[0]}`)).toEqual([]);
    const other = await harbor.stdioClient();
    expect((await evaluate(other, '(* 6 7)')).structured.values).toEqual(['42']);
    expect(log(harbor)).toMatch(/The history cannot be written: another program has locked it/);
    await release();
    await expectWritten(client, file, ids);
    expect(log(harbor)).toMatch(/queued records were written/);
  });

  it('lets a harbor start, and clients in', async () => {
    const data = temporaryFolder('data');
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    await (await StartedHarbor.start({ data })).stop();
    const file = path.join(data, 'history.db');
    const release = await lock(file);
    const harbor = await StartedHarbor.start({ data });
    onTestFinished(async () => void (await harbor.stop()));
    const client = await harbor.client();
    const { structured } = await evaluate(client, '(+ 1 2)');
    expect(structured.values).toEqual(['3']);
    await release();
    const rows = () => onDisk(file, `select id from evaluations where outcome = 'ok'`);
    await expect.poll(rows, PATIENT).toEqual([structured.id]);
  });

  it.runIf(MAY_MOUNT)('because the disk is full, waits and is written in order', async () => {
    const data = temporaryFolder('data');
    const disk = new SmallDisk(data);
    onTestFinished(() => {
      disk.remove();
      rmSync(data, { recursive: true, force: true });
    });
    const harbor = await StartedHarbor.start({ data });
    onTestFinished(async () => void (await harbor.stop()));
    const client = await harbor.client();
    await evaluate(client, ':before');
    disk.fill();
    await fillLog(client);
    const ids = await work(client);
    disk.makeRoom();
    await expectWritten(client, disk.history, ids);
  });
});

function log({ data }: StartedHarbor): string {
  const folder = path.join(data, 'log');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
}

/** SQLite has room left in the files that it has: evaluates until that is used up as well. */
async function fillLog(client: Client): Promise<void> {
  for (let tried = 0; tried < 200; tried += 1) {
    const { structured } = await evaluate(client, `(length "${'x'.repeat(200_000)}")`);
    if (structured.notes.some((note) => WAITS.test(note))) return;
  }
  throw new Error('The disk never filled up.');
}
