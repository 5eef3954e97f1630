/** Test runs with too many or too large results: the excess is counted, and the run continues. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { TestRun } from '../../electron/contract/report';
import { LispProject, system } from './loading-fixture';

/** A value and a condition that fail to print, in each framework's package. */
const UNPRINTABLE = `
(defclass broken () ())
(defmethod print-object ((x broken) s) (declare (ignorable s)) (error "no print for you"))
(define-condition mute (error) () (:report (lambda (c s) (declare (ignore c s)) (error "no words"))))
(defvar *broken* (make-instance 'broken))
`;

async function runOf(framework: string, tests: string, standIn = false): Promise<TestRun | undefined> {
  const source = standIn
    ? {
        [`${framework}.asd`]: system(framework, `(:file "${framework}")`),
        [`${framework}.lisp`]: readFileSync(
          path.join(import.meta.dirname, `../frameworks/${framework}.lisp`),
          'utf8',
        ),
      }
    : {};
  const project = await LispProject.start({
    ...source,
    'sums.asd': system('sums', '(:file "tests")', `:depends-on ("${framework}")`),
    'tests.lisp': `(defpackage :sums (:use :cl ${framework === 'fiasco' ? '' : `:${framework}`}))
${framework === 'fiasco' ? '(fiasco:define-test-package :sums-tests)\n(in-package :sums-tests)' : '(in-package :sums)'}
${UNPRINTABLE}${tests}`,
  });
  const { report, condition, stdout, stderr } = await project.runTests(':system "sums"');
  expect(condition?.message, stdout + stderr).toBeUndefined();
  return report?.runs[0];
}

const reasons = (run: TestRun | undefined) => run?.failures.map(({ reason }) => reason).join('\n');

it('FiveAM: the rest of thousands of failures is counted', async () => {
  const run = await runOf('fiveam', '(test many (dotimes (i 5000) (is (= i -1))))\n(test one (is (= 1 1)))');
  expect(run?.counts).toEqual({ passed: 1, failed: 5000, errors: 0, skipped: 0 });
  expect([run?.failures.length, run?.omitted]).toEqual([200, 4800]);
});

it.each([
  [
    'fiveam',
    `(test a (error 'mute)) (test b (is (eq 1 *broken*)) (is (= 1 1))) (test c (error "~S" *broken*)) (test d (is (= 1 1)))`,
    { passed: 2, failed: 1, errors: 2, skipped: 0 },
  ],
  [
    'fiasco',
    `(deftest a () (error 'mute)) (deftest b () (is (eq 1 *broken*)) (is (= 1 1))) (deftest d () (is (= 1 1)))`,
    { passed: 2, failed: 1, errors: 1, skipped: 0 },
  ],
  [
    'rt',
    `(rem-all-tests) (deftest a (error 'mute) 1) (deftest b *broken* 1) (deftest d 1 1)`,
    { passed: 1, failed: 1, errors: 1, skipped: 0 },
  ],
  [
    'sb-rt',
    `(rem-all-tests) (deftest a (error 'mute) 1) (deftest b *broken* 1) (deftest d 1 1)`,
    { passed: 1, failed: 1, errors: 1, skipped: 0 },
  ],
] as const)('%s: goes on where a value or a condition does not print', async (framework, tests, counts) => {
  const run = await runOf(framework, tests);
  expect(run?.counts, JSON.stringify(run)).toEqual(counts);
  expect(reasons(run)).toMatch(/MUTE/);
});

it.each([
  ['rove', `(deftest a (error 'mute)) (deftest b (ok (eq 1 *broken*))) (deftest d (ok (= 1 1)))`],
  [
    'parachute',
    `(define-test a (is eq 1 (error 'mute))) (define-test b (is eq 1 *broken*)) (define-test d (is = 1 1))`,
  ],
])('%s: goes on where a value or a condition does not print', async (framework, tests) => {
  const run = await runOf(framework, tests, true);
  expect(run?.counts, JSON.stringify(run)).toEqual({ passed: 1, failed: 1, errors: 1, skipped: 0 });
  expect(reasons(run)).toMatch(/MUTE/);
});
