/**
 * A harbor that is killed again and again while agents work: no handle, no row and no edit that was acknowledged is lost.
 * Everything acknowledged before a kill must be there after it.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { rounds } from '../rounds';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const ROUNDS = rounds({ usual: 2, soak: 100 });
/** A JVM more or less is no other case, but seconds for each round. */
const ENGINES = {
  sbcl: rounds({ usual: 2, soak: 8 }),
  acl2: rounds({ usual: 1, soak: 4 }),
  nbb: rounds({ usual: 1, soak: 6 }),
  clojure: rounds({ usual: 0, soak: 2 }),
};
/** Milliseconds of a round until the kill: it comes before, while and after the calls are answered. */
const KILLED_WITHIN = 600;
const A_ROUND_MS = 60_000;

interface Worker {
  engine: keyof typeof ENGINES;
  session: string;
  /** Numbers whose definitions were acknowledged. */
  defined: number[];
}

const data = temporaryFolder('data');
const project = temporaryFolder('project');
const file = path.join(project, 'log.lisp');
const edits: number[] = [];
const rows: number[] = [];
let harbor: StartedHarbor;
let client: Client;

async function start(): Promise<void> {
  harbor = await StartedHarbor.start({ data, project });
  client = await harbor.client();
}

async function kill(): Promise<void> {
  const ended = once(harbor.child, 'exit');
  harbor.child.kill('SIGKILL');
  await ended;
  // What the client waits for will not come.
  await client.close();
}

const DEFINITION = {
  sbcl: (n: number) => `(defun f${n} () ${n})`,
  acl2: (n: number) => `(defun f${n} () ${n})`,
  nbb: (n: number) => `(defn f${n} [] ${n})`,
  clojure: (n: number) => `(defn f${n} [] ${n})`,
} as const;

/** Defines one thing more, and remembers it once that was answered. */
async function define(worker: Worker, n: number): Promise<void> {
  const { structured } = await evaluate(client, DEFINITION[worker.engine](n), { session: worker.session });
  if (structured.outcome !== 'ok') return;
  worker.defined.push(n);
  rows.push(structured.id);
}

async function edit(n: number): Promise<void> {
  const { isError } = await call(client, 'edit_form', {
    path: 'log.lisp',
    operation: 'insert_after',
    form_type: 'defun',
    form_name: 'log',
    content: `(defun edit-${n} () ${n})`,
  });
  if (!isError) edits.push(n);
}

/** All at once; those that the kill cuts off are not acknowledged. */
async function work(workers: readonly Worker[], round: number): Promise<void> {
  const calls = [
    ...workers.map((worker) => define(worker, round)),
    ...Array.from({ length: 4 }, (_, i) => edit(round * 10 + i)),
  ];
  await Promise.allSettled(calls);
}

beforeAll(async () => {
  writeFileSync(file, '(defun log () 0)\n');
  await start();
});
afterAll(() => harbor.stop());

it('loses nothing that it has acknowledged', { timeout: ROUNDS * A_ROUND_MS + 120_000 }, async () => {
  const workers: Worker[] = [];
  for (const [engine, count] of Object.entries(ENGINES))
    for (let i = 0; i < count; i += 1) {
      const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
      workers.push({ engine: engine as Worker['engine'], session: structured.session, defined: [] });
    }
  // On a slow machine every other round may be cut off before its first answer.
  await work(workers, 0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const working = work(workers, round);
    // Somewhere in the round, another place each time.
    await Promise.race([working, delay((round * 223) % KILLED_WITHIN)]);
    await kill();
    await working;
    await start();
    const { structured } = await call<{ sessions: { session: string }[] }>(client, 'images');
    const handles = structured.sessions.map(({ session }) => session);
    expect(handles).toEqual(expect.arrayContaining(workers.map(({ session }) => session)));
    const edited = readFileSync(file, 'utf8');
    expect(edits.filter((n) => !edited.includes(`(defun edit-${n} ()`))).toEqual([]);
  }
  // Else nothing was tried.
  expect(rows.length).toBeGreaterThan(0);
  expect(edits.length).toBeGreaterThan(0);
  for (const { session, defined } of workers) {
    const called = defined.map((n) => `(f${n})`).join(' ');
    const { structured } = await evaluate(client, `(list ${called})`, { session });
    expect(structured).toMatchObject({ session, outcome: 'ok' });
    const values = structured.values[0]?.match(/\d+/g) ?? [];
    expect(values.map(Number)).toEqual(defined);
  }
  for (const id of rows) {
    const { structured } = await call(client, 'history', { id });
    expect(structured.evaluation).toMatchObject({ id, outcome: 'ok' });
  }
});
