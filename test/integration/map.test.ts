/** `eval` with `map`, and `lisp-harbor map`: code over items, on copies of the session. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemResult } from '../../electron/contract/report';
import { dataFolder } from '../../electron/host/data-folder';
import { call, evaluate, values, type WholeRecord } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';
import { typedHere } from '../typed-command';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({
    args: ['--engine', 'sbcl'],
    settings: { approvals: [{ client: 'denied', class: 'evaluate', answer: 'deny' }] },
  });
  client = await harbor.client();
}, 120_000);
afterAll(() => harbor.stop());

const file = (name: string) => path.join(harbor.project, name);

async function mapped(code: string, map: object, args: object = {}) {
  return evaluate(client, code, { map, ...args });
}

const items = ({ structured }: { structured: WholeRecord }): ItemResult[] => structured.items ?? [];

async function sessions(): Promise<{ session: string; name: string }[]> {
  return (await call<{ sessions: { session: string; name: string }[] }>(client, 'images')).structured
    .sessions;
}

describe('a map', () => {
  it('has the values in order, from copies with the state of the session, which stays as it is', async () => {
    await values(client, '(defvar *base* 1)');
    await values(client, '(setf *base* 100)');
    const result = await mapped('(incf *base* n)', { as: 'n', count: 5, most: 2 });
    expect(result.structured).toMatchObject({ outcome: 'ok', stdout: '' });
    const ended = items(result);
    expect(ended.map(({ index, outcome }) => [index, outcome])).toEqual(
      [0, 1, 2, 3, 4].map((n) => [n, 'ok']),
    );
    for (const { values: [value] = [] } of ended) expect(Number(value)).toBeGreaterThanOrEqual(100);
    expect(
      result.text
        .split('\n')
        .slice(0, 5)
        .map((line) => line.split(':')[0]),
    ).toEqual(['0', '1', '2', '3', '4']);
    expect(await values(client, '*base*')).toEqual(['100']);
    expect(await sessions()).toHaveLength(1);
    const listed = await call<{ checkpoints: unknown[] }>(client, 'checkpoint', { action: 'list' });
    expect(listed.structured.checkpoints).toEqual([]);
  });

  it('takes forms as items, and reports each failure beside the values', async () => {
    const result = await mapped('(/ 12 (length it))', { as: 'it', items: ['"abc"', '""', "'(1 2)"] });
    expect(result).toMatchObject({ isError: true, structured: { outcome: 'error' } });
    expect(items(result)).toMatchObject([
      { outcome: 'ok', values: ['4'] },
      { outcome: 'error', condition: { type: 'DIVISION-BY-ZERO' } },
      { outcome: 'ok', values: ['6'] },
    ]);
    expect(result.structured.condition?.message).toMatch(/1 of 3 .*: 1\./);
  });

  it('has a row for each item, under its own', async () => {
    const { structured } = await mapped('n', { as: 'n', count: 3 });
    const rows = new Sqlite(dataFolder(harbor.data).history, { readonly: true });
    const below = () =>
      rows.prepare('select kind, outcome from evaluations where parent = ?').all(structured.id);
    await expect.poll(below, PATIENT).toEqual(Array(3).fill({ kind: 'item', outcome: 'ok' }));
    rows.close();
    const [first] = structured.items ?? [];
    const whole = await call<{ evaluation: WholeRecord }>(client, 'history', { id: first?.id });
    expect(whole.structured.evaluation).toMatchObject({ outcome: 'ok', values: ['0'] });
    const own = await call<{ evaluation: WholeRecord }>(client, 'history', { id: structured.id });
    expect(own.structured.evaluation.items).toEqual(structured.items);
  });

  it('goes on in another image where one was lost, and repeats no item that had begun', async () => {
    const ran = file('ran');
    const dies = `(progn
      (with-open-file (out ${JSON.stringify(ran)} :direction :output :if-exists :append :if-does-not-exist :create)
        (format out "~a~%" n))
      (when (= n 1) (sb-ext:exit :code 3 :abort t))
      n)`;
    const once = await mapped(dies, { as: 'n', count: 4, most: 2 });
    expect(items(once).map(({ outcome }) => outcome)).toEqual(['ok', 'crashed', 'ok', 'ok']);
    const runs = () => readFileSync(ran, 'utf8').trim().split('\n').sort();
    expect(runs()).toEqual(['0', '1', '2', '3']);
    writeFileSync(ran, '');
    const again = await mapped(dies, { as: 'n', count: 4, most: 2, idempotent: true });
    expect(items(again).map(({ outcome }) => outcome)).toEqual(['ok', 'crashed', 'ok', 'ok']);
    expect(runs()).toEqual(['0', '1', '1', '1', '2', '3']);
  });

  it('is a job with what has ended; cancelling it cancels all items and keeps those', async () => {
    const code = `(if (= n 0) :quick (loop (unless (probe-file ${JSON.stringify(file(`began`))})
      (close (open ${JSON.stringify(file('began'))} :direction :output :if-exists nil))) (sleep 0.05)))`;
    const begun = await mapped(code, { as: 'n', count: 4, most: 2 }, { wait_ms: 0 });
    const { job } = begun.structured;
    const status = () => call<WholeRecord>(client, 'job', { job, action: 'status' });
    await expect.poll(async () => items(await status())[0]?.outcome, PATIENT).toBe('ok');
    await expect.poll(() => existsSync(file('began')), PATIENT).toBe(true);
    const output = await call<{ output: string }>(client, 'job', { job, action: 'output', offset: 0 });
    expect(output.structured.output).toBe('0: :QUICK\n');
    await call(client, 'job', { job, action: 'cancel' });
    const ended = await status();
    expect(ended.structured.outcome).toBe('interrupted');
    const outcomes = items(ended).map(({ outcome }) => outcome);
    expect(outcomes[0]).toBe('ok');
    expect(new Set(outcomes.slice(1))).toEqual(new Set(['interrupted', 'waiting']));
    expect(await sessions()).toHaveLength(1);
  });

  it('a copy whose session is closed ends; its item is interrupted and the others run elsewhere', async () => {
    const go = file('go');
    const code = `(loop until (or (> n 1) (probe-file ${JSON.stringify(go)})) do (sleep 0.02) finally (return n))`;
    const begun = await mapped(code, { as: 'n', count: 4, most: 2 }, { wait_ms: 0 });
    const copies = async () => (await sessions()).filter(({ name }) => name.startsWith('map '));
    await expect.poll(async () => (await copies()).length, PATIENT).toBe(2);
    const status = () => call<WholeRecord>(client, 'job', { job: begun.structured.job, action: 'status' });
    await expect
      .poll(async () => items(await status()).filter(({ outcome }) => outcome === 'running').length, PATIENT)
      .toBe(2);
    const [first] = await copies();
    await call(client, 'close_session', { session: first?.session });
    appendFileSync(go, '');
    const ended = await call<WholeRecord>(client, 'job', {
      job: begun.structured.job,
      action: 'wait',
      wait_ms: 60_000,
    });
    const outcomes = items(ended).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'interrupted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(3);
  });

  it('is confined like the session: no copy reads the data folder', async () => {
    const secret = JSON.stringify(path.join(harbor.data, 'bridge.secret'));
    const result = await mapped(`(with-open-file (in ${secret}) (read-line in))`, { as: 'n', count: 2 });
    expect(items(result).map(({ outcome }) => outcome)).toEqual(['error', 'error']);
  });

  it.each([
    [{ as: 'n' }, {}],
    [{ as: 'n', count: 1, items: ['1'] }, {}],
    [{ as: '1', count: 1 }, {}],
    [{ as: 'a b', count: 1 }, {}],
    [{ as: 'n', items: ['1', '1)) (print 2'] }, {}],
    [{ as: 'n', items: ['1 2'] }, {}],
    [{ as: 'n', items: [''] }, {}],
    [{ as: 'n', count: 1 }, { try: true }],
  ])('%j %j is refused, and nothing runs', async (map, args) => {
    await expect(mapped('n', map, args)).resolves.toMatchObject({
      isError: true,
      text: expect.stringMatching(/map|item/i),
    });
  });

  it('keeps the value of an item that ends with a comment, and of code that does', async () => {
    const result = await mapped('n ; the same', { as: 'n', items: ['7 ; seven'] });
    expect(items(result)).toMatchObject([{ values: ['7'] }]);
  });

  it('needs the approval of the call, which its items share', async () => {
    const denied = await harbor.otherClient('denied');
    const result = await evaluate(denied, 'n', { map: { as: 'n', count: 2 } });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/denies/) });
  });
});

it.each([
  ['acl2', '(* n n)', 'n', ['0', '1', '4']],
  ['acl2', '(thm (equal (+ *n* x) (+ x #.*n*)))', '*n*', null],
  ['clojure', '(* n n)', 'n', ['0', '1', '4']],
  ['nbb', '(* n n)', 'n', ['0', '1', '4']],
  ['ecl', '(* n n)', 'n', ['0', '1', '4']],
])(
  '%s evaluates %s over items',
  async (engine, code, as, expected) => {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    const result = await mapped(code, { as, count: 3, most: 1 }, { session: structured.session });
    expect(items(result).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    if (expected) expect(items(result).flatMap(({ values: each }) => each)).toEqual(expected);
  },
  120_000,
);

it('lisp-harbor map prints the values in order', async () => {
  const typed = (...words: string[]) =>
    typedHere(['map', ...words, '--data', harbor.data], { folder: harbor.project });
  expect(await typed('--as', 'n', '--count', '3', '(* n n)')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0: 0\n1: 1\n2: 4\n/),
  });
  expect(await typed('--as', 'it', '--items', '"ab"', '""', '(elt it 1)')).toMatchObject({ code: 1 });
  expect(await typed('--as', 'n', '(* n n)')).toMatchObject({ code: 1 });
});
