/** Locals of a frame that have one name: shown from the innermost outwards, and evaluated under the names that are shown. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** What the innermost frame that has `call` shows of locals, and evaluates. */
async function held(definition: string, call: string) {
  const session = await DebuggedSession.open(client);
  await session.evaluate(`(defun halt () (error "stop")) ${definition}`);
  await session.hold(call);
  const shown = (await session.debug('show')).structured.debugger.frames;
  const frame = shown.findIndex(({ call: text }) => !text.startsWith('(HALT') && !text.startsWith('(ERROR'));
  const { locals } = (await session.debug('frame', { frame })).structured.frame;
  const inFrame = async (code: string) =>
    (await session.debug('eval', { frame, code })).structured.evaluation;
  return { session, locals: locals.map(({ name, value }) => `${name} = ${value}`), inFrame };
}

it('an argument that a method assigns has its latest value, and the first one under a number', async () => {
  const { locals, inFrame } = await held(
    `(defmethod mt ((a integer) (b integer) &key c) (when (> b 3) (setf b 10)) (list (error "stop") b a c))`,
    '(mt 1 5 :c 3)',
  );
  expect(locals).toEqual(['B = 10', 'B#1 = 5']);
  expect(await inFrame('b')).toMatchObject({ outcome: 'ok', values: ['10'], warnings: [] });
  expect(await inFrame('(list b b#1)')).toMatchObject({ outcome: 'ok', values: ['(10 5)'], warnings: [] });
  expect(await inFrame('(setf b 11)')).toMatchObject({ values: ['11'] });
  expect(await inFrame('(list b b#1)')).toMatchObject({ values: ['(11 5)'] });
});

it.each([
  [
    '(defun f (b) (let ((b (list b 2))) (let ((b (list b 3))) (list (halt) b))))',
    '(f 1)',
    '(((1 2) 3) (1 2) 1)',
  ],
  ['(defmethod f ((b t)) (setf b 3) (let ((b (list b))) (list (halt) b)))', '(f 1)', '((3) 3 1)'],
  ['(defun f (&key (b 1)) (let* ((b (list b 1)) (b (list b 2))) (halt) b))', '(f)', '(((1 1) 2) (1 1) 1)'],
  [
    '(defun f (l) (dolist (b l) (let ((b (list b 1))) (dolist (b b) (halt) (print b)))))',
    "(f '(7))",
    '(7 (7 1) 7)',
  ],
])('bindings of one name are counted from the innermost: %s', async (definition, call, values) => {
  const { locals, inFrame } = await held(definition, call);
  expect(locals.filter((local) => local.startsWith('B')).map((local) => local.split(' = ')[0])).toEqual([
    'B',
    'B#1',
    'B#2',
  ]);
  expect(await inFrame('(list b b#1 b#2)')).toMatchObject({ values: [values], warnings: [] });
});

it('names of another package, and with bars', async () => {
  const { locals, inFrame } = await held(
    '(defpackage :crate (:use)) (defun f (crate::b |a b|) (let ((crate::b (list crate::b)) (|a b| (+ 2 |a b|))) (list (halt) crate::b |a b|)))',
    '(f 1 0)',
  );
  expect(locals.toSorted()).toEqual(['CRATE::B = (1)', 'CRATE::B#1 = 1', '|a b| = 2', '|a b|#1 = 0']);
  expect(await inFrame('(list crate::b crate::b#1 |a b| |a b|#1)')).toMatchObject({
    values: ['((1) 1 2 0)'],
  });
});

it('code for a frame gets no remarks of the compiler', async () => {
  const { inFrame } = await held('(defun f (b) (list (halt) b))', '(f 1)');
  expect(await inFrame('(locally (declare (optimize (speed 3))) (+ b b))')).toMatchObject({
    values: ['2'],
    warnings: [],
  });
});
