/** Traces of evaluations in SBCL: the calls of the project's functions as they were made. */
import { expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

const TIDE = `(defpackage :tide (:use :cl)) (in-package :tide)
(defun node (n) (* n 2))
(defgeneric height (x))
(defmethod height ((x integer)) (if (plusp x) (+ (node x) (height (1- x))) 0))
(defmethod height ((x string)) (error "no height"))
(defun table (n) (ignore-errors (height "x")) (mapcar #'height (list n)) (values (height n) :end))
(defun many (n) (dotimes (i n) (node i)))
(defvar *seen* (list 1 2))
(defun change (list) (setf (car list) :changed) list)`;

it('has the calls in order with depth, arguments and values, and leaves the functions as they were', async () => {
  const sbcl = await startImage();
  await sbcl.evaluate(TIDE);
  const traced = await sbcl.evaluate('(table 1)', { trace: true });
  expect(traced.values).toEqual([['2', ':END']]);
  const tracer = sbcl.image.tracer;
  const { calls, others, functions } = (await tracer?.trace(2)) ?? {};
  expect(
    calls?.map(({ name, depth, arguments: given, values, left }) => [depth, name, given, values, left]),
  ).toEqual([
    [0, 'TIDE::TABLE', '1', '2 :END', false],
    [1, 'TIDE::HEIGHT', '"x"', null, true],
    [1, 'TIDE::HEIGHT', '1', '2', false],
    [2, 'TIDE::NODE', '1', '2', false],
    [2, 'TIDE::HEIGHT', '0', '0', false],
    [1, 'TIDE::HEIGHT', '1', '2', false],
    [2, 'TIDE::NODE', '1', '2', false],
    [2, 'TIDE::HEIGHT', '0', '0', false],
  ]);
  expect(others).toBe(0);
  expect(functions).toBe(5);
  await sbcl.evaluate('(table 1)');
  expect((await tracer?.trace(2))?.calls).toHaveLength(8);
  await expect(tracer?.trace(3)).rejects.toMatchObject({ code: 'unknown_evaluation' });
});

it('prints arguments as they were at the call, and its values can be inspected', async () => {
  const sbcl = await startImage();
  await sbcl.evaluate(TIDE);
  await sbcl.evaluate('(change *seen*)', { trace: true });
  const [call] = (await sbcl.image.tracer?.trace(2))?.calls ?? [];
  expect(call).toMatchObject({ arguments: '(1 2)', values: '(:CHANGED 2)' });
  const object = (await sbcl.image.tracer?.call(2, 0)) ?? 0;
  const inspected = await sbcl.image.inspector?.inspect({ start: { object }, path: [], offset: 0 });
  expect(inspected?.text).toContain('CHANGE');
});

it('records a bounded number of calls, and counts the others', async () => {
  const sbcl = await startImage();
  await sbcl.evaluate(TIDE);
  const traced = await sbcl.evaluate('(many 30000)', { trace: true });
  expect(traced.outcome).toBe('ok');
  const { calls = [], others = 0 } = (await sbcl.image.tracer?.trace(2)) ?? {};
  expect(calls.length + others).toBe(30_001);
  expect(others).toBeGreaterThan(20_000);
});
