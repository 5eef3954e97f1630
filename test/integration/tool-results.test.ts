/** What tools answer, through a started harbor: bounded, the same facts in text and data, and no error where none is. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { missingFacts } from '../facts';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { system, writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  client = await harbor.client();
  writeFiles(harbor.project, LOADED);
});
afterAll(() => harbor.stop());

/** Something of everything that loading and testing tell. */
const LOADED = {
  'faulty.asd': system('faulty', '(:file "faulty")'),
  'faulty.lisp': '(defun f (x) (+ 1 "two") (g x))\n(defun g (x) (let ((a b c)) x))\n',
  'torn.lisp': '(defun h () (foo:bar 1))\n',
  'old.asd': system('old', '(:file "old")', ':depends-on ("rt")'),
  'old.lisp':
    '(defpackage :old (:use :cl :rt))\n(in-package :old)\n(deftest bad (car 1) 2)\n(deftest off 1 2)\n',
  'plain.asd': system('plain', ''),
};

const FORM = { path: 'faulty.lisp', form_type: 'defun', form_name: 'f' };

const PROFILED = `(defun fill-up () (loop repeat 100000 collect (make-array 50)))
  (length (loop repeat 5 append (fill-up)))`;

const open = async (engine: string): Promise<string> =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

interface Output {
  output: string;
  next_offset: number | null;
  outcome: string;
  job?: string;
}

const output = (job: string | undefined, offset = 0) =>
  call<Output>(client, 'job', { job, action: 'output', offset });

interface ValuesPage {
  evaluation: { values: string; next_offset: number | null };
}

/** All values of an evaluation, by page. */
async function valuesOf(id: number): Promise<string> {
  let all = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const page: { structured: ValuesPage; text: string } = await call(client, 'history', { id, offset });
    const { values, next_offset: next } = page.structured.evaluation;
    expect(page.text.startsWith(values)).toBe(true);
    expect(page.text).toContain(next === null ? '; end of the values' : `; more from offset ${next}, of `);
    all += values;
    offset = next;
  }
  return all;
}

/** Ten images are started for it, and one is saved: on a busy machine that takes a minute. */
const ALL_TOOLS_MS = 180_000;

/** One call of every tool, or more where results differ in kind. */
async function results(): Promise<[string, Record<string, unknown>][]> {
  const session = await open('sbcl');
  const early = await evaluate(client, '(progn (print :in) (finish-output) (loop (sleep 1)))', {
    session,
    wait_ms: 20,
  });
  const { job } = early.structured;
  await expect.poll(async () => (await output(job)).structured.output, PATIENT).toContain(':IN');
  const failing =
    '(warn "w") (format t "out") (format *error-output* "err") (restart-case (error "e") (go-on (x) x))';
  const failed = await evaluate(client, failing);
  const held = await open('sbcl');
  await call(client, 'eval', { code: '(let ((x 1)) (car x))', session: held, on_error: 'debug' });
  const profiled = await evaluate(client, PROFILED, { profile: 'cpu' });
  return [
    ['open_session', { engine: 'nbb', name: 'second' }],
    ['images', {}],
    ['images', { session }],
    ['images', { session: await open('nbb') }],
    ['eval', { code: failing }],
    ['eval', { code: PROFILED, profile: 'alloc' }],
    ['eval', { code: '(values 1 "two")' }],
    ['eval', { code: '(make-string 30000 :initial-element #\\a)' }],
    ['eval', { code: '(loop (sleep 1))', wait_ms: 1, session: await open('sbcl') }],
    ['job', { job, action: 'status' }],
    ['job', { job, action: 'wait', wait_ms: 1 }],
    ['job', { job, action: 'output' }],
    ['job', { job, action: 'cancel' }],
    ['job', { job, action: 'output', offset: 2 }],
    ['debug', { session: held, action: 'show' }],
    ['debug', { session: held, action: 'frame', frame: 0 }],
    ['debug', { session: held, action: 'abort' }],
    ['load', { system: 'faulty' }],
    ['load', { path: 'torn.lisp' }],
    ['run_tests', { system: 'old' }],
    ['run_tests', { system: 'plain' }],
    ['load', {}],
    ['inspect', { code: '(list 1 "two" (make-hash-table))' }],
    ['describe', { symbol: 'mapcar' }],
    ['find', { query: 'mapc', kind: 'apropos' }],
    ['find', { query: 'defun', kind: 'text', path: 'faulty.lisp' }],
    ['read_file', { path: 'faulty.lisp' }],
    ['read_file', { path: 'faulty.lisp', limit: 5 }],
    ['edit_form', { ...FORM, operation: 'patch', old_text: '(g x)', new_text: '(g 1)' }],
    ['edit_form', { ...FORM, operation: 'delete', dry_run: true }],
    ['write_file', { path: 'new.lisp', content: '(' }],
    ['eval', { code: '(values 1 2)', try: true }],
    ['checkpoint', { action: 'save', name: 'kept' }],
    ['checkpoint', { action: 'list' }],
    ['checkpoint', { action: 'restore', name: 'kept' }],
    ['checkpoint', { action: 'branch', replay: true }],
    ['history', { limit: 3 }],
    ['history', { id: failed.structured.id }],
    ['history', { id: profiled.structured.id }],
    ['history', { outcome: 'refused' }],
    ['close_session', { session }],
  ];
}

describe('every fact of a result', () => {
  it(
    'is in its text as well as in its data',
    async () => {
      const named = new Set<string>();
      for (const [name, args] of await results()) {
        const { structured, text } = await call(client, name, args);
        expect([name, args, missingFacts(structured, text, args)]).toEqual([name, args, []]);
        named.add(name);
      }
      const { tools } = await client.listTools();
      expect([...named].sort()).toEqual(tools.map((tool) => tool.name).sort());
    },
    ALL_TOOLS_MS,
  );
});

describe('a result is bounded', () => {
  it.each([
    ['sbcl', '(make-string 60000 :initial-element #\\v)', '(progn (print 1) 1)'],
    ['nbb', '(apply str (repeat 60000 "v"))', '(do (println 1) 1)'],
  ])('for a value of %s, and says how to read the rest', async (engine, code) => {
    const session = await open(engine);
    const { structured, text, isError } = await evaluate(client, code, { session });
    expect(structured).toMatchObject({ truncated: true, outcome: 'ok' });
    expect(structured.values[0]).toMatch(/^"v{19999}… 40002 more characters$/);
    expect(structured.notes.join()).toContain(`\`history\` with id ${structured.id}`);
    expect(text.length).toBeLessThan(25_000);
    expect(isError).toBe(false);
    const { evaluation } = (
      await call<{ evaluation: { values: string[]; truncated?: boolean } }>(client, 'history', {
        id: structured.id,
      })
    ).structured;
    expect(evaluation.values).toEqual([`"${'v'.repeat(60_000)}"`]);
    expect(evaluation.truncated).toBeUndefined();
    const small = await evaluate(client, code, { session, max_chars: 100 });
    expect(small.structured.values[0]).toMatch(/^"v{99}… 59902 more characters$/);
    const large = await evaluate(client, code, { session, max_chars: 70_000 });
    expect(large.structured.values).toEqual(evaluation.values);
    expect(large.structured.truncated).toBeUndefined();
  });

  it('for output, also of a single evaluation', async () => {
    const session = await open('sbcl');
    const code = '(dotimes (line 50000) (format t "line ~d~%" line))';
    const { id } = (await evaluate(client, code, { session, max_chars: 300 })).structured;
    const kept = await call(client, 'history', { id });
    expect(kept.text.length).toBeLessThan(70_000);
    expect(kept.text).toContain(`\`job\` job-${id} with action output pages`);
  });

  it.each([
    ['sbcl', '(make-string 1000000 :initial-element #\\v)'],
    ['nbb', '(apply str (repeat 1000000 "v"))'],
  ])('for a value of a megabyte in %s, all pages of which can be read', async (engine, code) => {
    const session = await open(engine);
    const { structured, text } = await evaluate(client, `${code} 1 ${code}`, { session });
    expect(structured.values[0]).toMatch(/^"v{19999}… 980002 more characters$/);
    expect(structured.notes.join()).toContain(
      `\`history\` with id ${structured.id} and offset pages through the values.`,
    );
    expect(text.length).toBeLessThan(50_000);
    const large = await evaluate(client, code, { session, max_chars: 80_000 });
    expect(large.structured.values[0]).toMatch(/^"v{79999}… 920002 more characters$/);
    const value = `"${'v'.repeat(1_000_000)}"`;
    expect((await valuesOf(structured.id)) === `${value}\n1\n${value}`).toBe(true);
  });

  it('for many forms together', async () => {
    const code = Array.from({ length: 30 }, (_, n) => `(make-string 10000 :initial-element #\\v) ${n}`);
    const { structured, text } = await evaluate(client, code.join('\n'), { session: await open('sbcl') });
    expect(structured).toMatchObject({ truncated: true, values: ['29'] });
    expect(structured.notes.join('\n')).toMatch(/forms before the last are omitted/);
    expect(text.length).toBeLessThan(120_000);
  });
});

describe('a job', () => {
  it('has a next offset while it runs, and none afterwards', async () => {
    const session = await open('sbcl');
    const code = '(progn (princ "first") (finish-output) (loop until (probe-file "go")) (princ "second"))';
    const { job, outcome } = (await evaluate(client, code, { session, wait_ms: 20 })).structured;
    expect(outcome).toBe('running');
    await expect.poll(async () => (await output(job)).structured.output, PATIENT).toBe('first');
    const running = await output(job, 5);
    expect(running.structured).toMatchObject({ output: '', next_offset: 5, outcome: 'running', job });
    expect(running.text).toMatch(/more from offset 5[\s\S]*running as job-/);
    await evaluate(client, '(close (open "go" :direction :output))', { session: await open('sbcl') });
    await call(client, 'job', { job, action: 'wait', wait_ms: 20_000 });
    const ended = await output(job, 5);
    expect(ended.structured).toMatchObject({ output: 'second', next_offset: null, outcome: 'ok' });
    expect(ended.structured).not.toHaveProperty('job');
    expect(ended.text).toMatch(/end of the output\s+=> "second"/);
  });

  it('that is cancelled is no error, also before it starts', async () => {
    const session = await open('sbcl');
    const jobs: (string | undefined)[] = [];
    for (const code of ['(loop (sleep 0.1))', '(print 1)']) {
      const { structured } = await evaluate(client, code, { session, wait_ms: 20 });
      jobs.push(structured.job);
    }
    const waiting = await call<{ outcome: string }>(client, 'job', { job: jobs[1], action: 'cancel' });
    expect(waiting).toMatchObject({ isError: false, structured: { outcome: 'interrupted' } });
    expect(waiting.text).toContain('cancelled before it began');
    const running = await call<{ outcome: string }>(client, 'job', { job: jobs[0], action: 'cancel' });
    expect(running).toMatchObject({ isError: false, structured: { outcome: 'interrupted' } });
    const status = await call(client, 'job', { job: jobs[0], action: 'status' });
    expect(status.isError).toBe(true);
  });

  it('that ignores interrupts says so until its image is ended', async () => {
    const session = await open('sbcl');
    const code = '(sb-sys:without-interrupts (loop (sleep 0.1)))';
    const told = await evaluate(client, code, { session, limit_ms: 1, wait_ms: 500 });
    expect(told.text).toContain('interrupted and has not stopped yet');
    const ended = await call(client, 'job', { job: told.structured.job, action: 'wait', wait_ms: 60_000 });
    expect(ended.structured).toMatchObject({ outcome: 'interrupted' });
    expect(ended.text).toContain('Lisp Harbor ended it');
  });

  it('is limited from its start, not while it is queued', async () => {
    const session = await open('sbcl');
    const file = '(loop until (probe-file "turn"))';
    const { structured: running } = await evaluate(client, file, { session, wait_ms: 20 });
    const { structured: waits } = await evaluate(client, '(+ 1 1)', {
      session,
      wait_ms: 20,
      limit_ms: 2_000,
    });
    const long = await call(client, 'job', { job: waits.job, action: 'wait', wait_ms: 2_500 });
    expect(long.structured).toMatchObject({ outcome: 'running' });
    await evaluate(client, '(with-open-file (out "turn" :direction :output) (print 1 out))', {
      session: await open('sbcl'),
    });
    for (const { job } of [running, waits]) {
      const ended = await call(client, 'job', { job, action: 'wait', wait_ms: 60_000 });
      expect(ended.structured).toMatchObject({ outcome: 'ok' });
    }
  });

  it('that failed before it was cancelled stays failed', async () => {
    const { id } = (await evaluate(client, '(car 1)')).structured;
    const cancelled = await call(client, 'job', { job: `job-${id}`, action: 'cancel' });
    expect(cancelled).toMatchObject({ isError: true, structured: { outcome: 'error' } });
  });
});

describe('the history', () => {
  it('shows a client its own evaluations in other projects, and no others', async () => {
    const folders = { data: temporaryFolder('data'), project: temporaryFolder('project') };
    const first = await StartedHarbor.start(folders);
    const mine = (await evaluate(await first.client(), '(list :from :elsewhere)')).structured.id;
    await first.stop();
    const second = await StartedHarbor.start({ data: folders.data, project: temporaryFolder('project') });
    const again = await second.client();
    interface Page {
      rows: { id: number; project: string }[];
    }
    for (const query of [{}, { query: ':elsewhere' }]) {
      const page = await call<Page>(again, 'history', query);
      expect(page.structured.rows).toMatchObject([{ id: mine, project: folders.project }]);
    }
    const whole = await call(again, 'history', { id: mine });
    expect(whole.structured).toMatchObject({ evaluation: { id: mine, values: ['(:FROM :ELSEWHERE)'] } });
    const other = await second.otherClient('reader');
    expect((await call<Page>(other, 'history')).structured.rows).toEqual([]);
    expect((await call(other, 'history', { id: mine })).text).toMatch(/^unknown_evaluation/);
    await second.stop();
  });
});
