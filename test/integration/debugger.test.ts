/** The debugger of a started harbor: an evaluation is held, looked at, and goes on by each kind of restart. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { DebuggedSession } from './debugger-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const OUTER = `
(defun outer (x &optional (y 2))
  (let ((z (list x y)))
    (catch :tag (values (+ 1 (inner z))))))`;
const INNER = `
(defun inner (z)
  (restart-case (error "bad ~S" z)
    (use-value (value) :report "Use a value." value)
    (add (a b) (+ a b))
    (seven () 7)
    (computed (value) :interactive (lambda () (list 41)) value)))`;

/** A session held in (outer 1), at level 1. */
async function held() {
  const session = await DebuggedSession.open(client);
  await session.evaluate(INNER + OUTER);
  return { session, evaluation: await session.hold('(outer 1)') };
}

describe('an evaluation with on_error: debug', () => {
  it('is held: it answers at once, with the restarts and the job', async () => {
    const { session, evaluation } = await held();
    expect(evaluation).toMatchObject({ outcome: 'debugger', job: `job-${evaluation.id}` });
    expect(evaluation.condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'bad (1 2)', level: 1 });
    expect(evaluation.condition?.restarts).toEqual([
      { index: 0, name: 'USE-VALUE', description: 'Use a value.', arguments: ['value'] },
      { index: 1, name: 'ADD', description: 'ADD', arguments: ['values'] },
      { index: 2, name: 'SEVEN', description: 'SEVEN', arguments: [] },
      { index: 3, name: 'COMPUTED', description: 'COMPUTED', arguments: ['value'] },
      { index: 4, name: 'ABORT', description: 'Return to the top level.', arguments: [] },
    ]);
    expect(evaluation.condition?.frames.map(({ call: text }) => text)).toEqual([
      '(INNER (1 2))',
      '(OUTER 1 2)',
    ]);
    expect(await session.state()).toBe('debugger');
    const row = await call<{ evaluation: { outcome: string } }>(client, 'history', { id: evaluation.id });
    expect(row.structured.evaluation.outcome).toBe('debugger');
  });

  it('says in the text what the data says', async () => {
    const session = await DebuggedSession.open(client);
    const { text, isError } = await session.evaluate('(error "x")', { on_error: 'debug' });
    expect(text).toMatch(/\[SIMPLE-ERROR\][\s\S]*0: \[ABORT\] Return to the top level/);
    expect(text).toMatch(/suspended at debugger level 1 as job-\d+[\s\S]*; note: `debug` shows/);
    expect(isError).toBe(false);
  });

  it('is an ordinary one where nothing errs', async () => {
    const session = await DebuggedSession.open(client);
    expect(await session.hold('(+ 1 2)')).toMatchObject({ outcome: 'ok', values: ['3'] });
  });

  it('reports as ever where it asks for that', async () => {
    const session = await DebuggedSession.open(client);
    const { structured } = await session.evaluate('(error "x")', { on_error: 'report' });
    expect(structured.outcome).toBe('error');
    expect(await session.state()).toBe('idle');
  });

  it.each([
    ['(break "here")', 'SIMPLE-CONDITION'],
    ["(invoke-debugger (make-condition 'warning))", 'WARNING'],
    ['(sb-sys:without-interrupts (error "deaf"))', 'SIMPLE-ERROR'],
    ['(read-from-string "(")', 'END-OF-FILE'],
  ])('holds %s', async (code, type) => {
    const session = await DebuggedSession.open(client);
    const evaluation = await session.hold(code);
    expect(evaluation).toMatchObject({ outcome: 'debugger', condition: { type } });
    expect((await session.debug('abort')).structured.state).toBe('idle');
    expect(await session.values('(+ 1 2)')).toEqual(['3']);
  });

  it('is never held where the stack is full', async () => {
    const session = await DebuggedSession.open(client);
    const evaluation = await session.hold('(labels ((f (n) (+ 1 (f n)))) (f 1))');
    expect(evaluation.outcome).toBe('error');
    expect(evaluation.notes.join()).toMatch(/was not held.*no room to go on/);
    expect(await session.values('(+ 1 2)')).toEqual(['3']);
  });
});

describe('restart', () => {
  it.each([
    [{ restart: 2 }, '8', 'SEVEN'],
    [{ restart: 'seven' }, '8', 'SEVEN'],
    [{ restart: 'USE-VALUE', arguments: ['(* 2 20)'] }, '41', 'USE-VALUE with (* 2 20)'],
    [{ restart: 'add', arguments: ['40', '1'] }, '42', 'ADD with 40, 1'],
    [{ restart: 'computed' }, '42', 'COMPUTED'],
  ])('%j goes on and finishes the row', async (choice, value, told) => {
    const { session, evaluation } = await held();
    const { structured } = await session.debug('restart', choice);
    expect(structured).toMatchObject({ state: 'idle', level: 0 });
    expect(structured.evaluation).toMatchObject({ id: evaluation.id, outcome: 'ok', values: [value] });
    const notes = structured.evaluation.notes.join();
    for (const part of ['at debugger level 1 by SIMPLE-ERROR (bad (1 2))', `by ${told}.`])
      expect(notes).toContain(part);
    const finished = await session.job(evaluation, 'status');
    expect(finished.structured).toMatchObject({ outcome: 'ok', values: [value] });
    expect(finished.structured.condition).toBeUndefined();
  });

  it.each([
    ['unbound-here', { restart: 'store-value', arguments: ['5'] }, 'unbound-here', '5'],
    ['(no-such-function 1)', { restart: 'use-value', arguments: ["'list"] }, '1', '1'],
    ['(cerror "Go on." "stop") :went-on', { restart: 'continue' }, '1', '1'],
    ['(break) :went-on', { restart: 'CONTINUE' }, '1', '1'],
  ])('%s goes on by a restart of SBCL', async (code, choice, question, value) => {
    const session = await DebuggedSession.open(client);
    await session.hold(code);
    expect((await session.debug('restart', choice)).structured.evaluation.outcome).toBe('ok');
    expect(await session.values(question)).toEqual([value]);
  });

  it.each([
    [{ restart: 'use-value' }, /asks for value: give arguments/],
    [{ restart: 'use-value', arguments: ['(car 3)'] }, /TYPE-ERROR/],
    [{ restart: 'use-value', arguments: ['1', '2'] }, /invalid number of arguments/],
    [{ restart: 'use-value', arguments: ['(unfinished'] }, /invalid arguments/],
    [{ restart: 99 }, /There is no restart 99/],
    [{ restart: 'none-such' }, /There is no restart none-such/],
    [{}, /restart needs `restart`/],
  ])('%j is refused and the level stays held', async (choice, reason) => {
    const { session } = await held();
    const refused = await session.debug('restart', choice);
    expect(refused.text).toMatch(reason);
    expect(refused.isError).toBe(true);
    expect(await session.state()).toBe('debugger');
    const { structured } = await session.debug('restart', { restart: 'seven' });
    expect(structured.evaluation.notes.filter((note) => note.startsWith('It was held'))).toHaveLength(1);
  });

  it('that ends in another error holds the same evaluation anew', async () => {
    const { session, evaluation } = await held();
    const again = await session.debug('restart', { restart: 'use-value', arguments: [':no-number'] });
    expect(again.structured).toMatchObject({ state: 'debugger', level: 1 });
    expect(again.structured.evaluation).toMatchObject({
      id: evaluation.id,
      outcome: 'debugger',
      condition: { type: 'TYPE-ERROR', level: 1 },
    });
  });

  it('ABORT gives the evaluation up, with its condition', async () => {
    const { session, evaluation } = await held();
    const aborted = await session.debug('restart', { restart: 'abort' });
    expect(aborted.isError).toBe(false);
    expect(aborted.structured.evaluation).toMatchObject({
      id: evaluation.id,
      outcome: 'error',
      condition: { message: 'bad (1 2)' },
    });
    expect(await session.state()).toBe('idle');
  });

  it('goes on with output, warnings and later forms in the same row', async () => {
    const session = await DebuggedSession.open(client);
    const evaluation = await session.hold(
      '(print :before) (warn "w") (restart-case (error "x") (go-on () (print :after) 1)) (list :last)',
    );
    expect(evaluation).toMatchObject({ stdout: '\n:BEFORE ', warnings: [{ message: 'w' }] });
    expect(evaluation.forms).toHaveLength(2);
    await session.evaluate('(print :inside)', { level: 1 });
    const { structured } = await session.debug('restart', { restart: 'go-on' });
    expect(structured.evaluation).toMatchObject({ stdout: '\n:BEFORE \n:AFTER ', values: ['(:LAST)'] });
    expect(structured.evaluation.forms).toHaveLength(4);
  });

  it('RETURN-FROM-FRAME returns values from a frame', async () => {
    const { session } = await held();
    const { structured } = await session.debug('restart', {
      restart: 'RETURN-FROM-FRAME',
      frame: 1,
      arguments: ['(+ 70 (* x y) (length z) 3)'],
    });
    expect(structured.evaluation).toMatchObject({ outcome: 'ok', values: ['77'] });
  });

  it('RESTART-FRAME calls the function again, as it is defined now', async () => {
    const { session } = await held();
    await session.evaluate('(defun inner (z) (length z))', { level: 1 });
    const { structured } = await session.debug('restart', { restart: 'restart-frame', frame: 0 });
    expect(structured.evaluation).toMatchObject({ outcome: 'ok', values: ['3'] });
  });
});

describe('frame', () => {
  it('shows locals, where it is and what can be done to it', async () => {
    const { session } = await held();
    const { structured, text } = await session.debug('frame', { frame: 1 });
    expect(structured.frame).toEqual({
      index: 1,
      call: '(OUTER 1 2)',
      locals: [
        { name: 'X', value: '1' },
        { name: 'Y', value: '2' },
        { name: 'Z', value: '(1 2)', handle: expect.stringMatching(/^#o\d+$/) },
      ],
      source: { file: null, form: '(INNER Z)' },
      catches: [':TAG'],
      restarts: ['RETURN-FROM-FRAME', 'RESTART-FRAME'],
    });
    expect(text).toMatch(
      /1: \(OUTER 1 2\)\n {2}X = 1\n {2}Y = 2\n {2}Z = \(1 2\) {2}#o\d+\nruns \(INNER Z\)/,
    );
  });

  it('shows the locals of code that is no function', async () => {
    const session = await DebuggedSession.open(client);
    await session.hold('(let ((a (list 1))) (car (first a)))');
    const { structured } = await session.debug('frame');
    expect(structured.frame).toMatchObject({
      call: '(EVAL (LET (#) (CAR #)))',
      locals: [{ name: 'A', value: '(1)', handle: expect.any(String) }],
    });
    expect((await session.debug('eval', { code: '(push 2 a)' })).structured.evaluation.values).toEqual([
      '(2 1)',
    ]);
  });

  it('names the file that a function was loaded from', async () => {
    const session = await DebuggedSession.open(client);
    await session.evaluate(`
      (with-open-file (out "filed.lisp" :direction :output :if-exists :supersede)
        (write-line "(declaim (optimize (debug 3))) (defun filed (x) (list (car x) x))" out))
      (load "filed.lisp")`);
    await session.hold('(filed 7)');
    const { structured } = await session.debug('frame');
    expect(structured.frame).toMatchObject({
      call: '(FILED 7)',
      locals: [{ name: 'X', value: '7' }],
      source: { file: `${harbor.project}/filed.lisp`, form: '(CAR X)' },
    });
  });

  it('evaluates in it, sees and sets its locals, and is a row of the history', async () => {
    const { session } = await held();
    const inFrame = (code: string) => session.debug('eval', { code, frame: 1 });
    expect((await inFrame('(list x y)')).structured.evaluation.values).toEqual(['(1 2)']);
    await inFrame('(setf y 40)');
    expect((await inFrame('y')).structured.evaluation.values).toEqual(['40']);
    const wrong = await inFrame('(car y)');
    expect(wrong.isError).toBe(true);
    expect(wrong.structured).toMatchObject({ state: 'debugger', level: 1 });
    expect(wrong.structured.evaluation.condition?.type).toBe('TYPE-ERROR');
    const rows = await call<{ rows: { code: string; session: string }[] }>(client, 'history', {
      session: session.session,
      query: '(setf y 40)',
    });
    expect(rows.structured.rows).toHaveLength(1);
  });

  it('that is none is refused', async () => {
    const { session } = await held();
    expect((await session.debug('frame', { frame: 9 })).text).toMatch(/There is no frame 9; there are 2/);
    expect((await session.debug('eval', { frame: 9, code: '1' })).structured.evaluation).toMatchObject({
      outcome: 'refused',
      notes: [expect.stringMatching(/There is no frame 9/)],
    });
  });

  it('pages through a deep stack', async () => {
    const session = await DebuggedSession.open(client);
    await session.hold('(defun down (n) (if (zerop n) (error "deep") (1+ (down (1- n))))) (down 79)');
    const first = await session.debug('show');
    expect(first.structured.debugger).toMatchObject({ total: 80, next: 50 });
    const second = await session.debug('show', { offset: 50 });
    expect(second.structured.debugger.next).toBeNull();
    const calls = [first, second].flatMap(({ structured }) => structured.debugger.frames);
    expect(calls.map((frame) => frame.call)).toEqual(Array.from({ length: 80 }, (_, n) => `(DOWN ${n})`));
  });
});
