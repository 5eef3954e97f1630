/** Tests of real frameworks in SBCL images, reported as data. */
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../electron/contract/report';
import { type Files, LispProject, system } from './loading-fixture';

const TESTS = `(defpackage :sums/tests (:use :cl :fiveam))
(in-package :sums/tests)

(def-suite :sums)
(in-suite :sums)

(test adds
  (is (= 3 (sums:add 1 2)))
  (is (eql 5 (sums:add 1 1)))
  (is-true (oddp (sums:add 1 1)) "no odd sum of ~A" 'equals))

(test breaks
  (sums:add 1 :two))

(test skips
  (skip "not today"))
`;

const SUMS: Files = {
  'sums.asd': `${system('sums', '(:file "sums")', ':in-order-to ((asdf:test-op (asdf:test-op "sums/tests")))')}
${system('sums/tests', '(:file "tests")', ':depends-on ("sums" "fiveam")')}`,
  'sums.lisp':
    '(defpackage :sums (:use :cl) (:export #:add))\n(in-package :sums)\n(defun add (x y) (+ x y))\n',
  'tests.lisp': TESTS,
  'other-tests.asd': system('other-tests', '(:file "other")', ':depends-on ("fiveam")'),
  'other.lisp':
    '(defpackage :other-tests (:use :cl :fiveam))\n(in-package :other-tests)\n(test holds (is (= 1 1)))\n',
};

async function onlyRun(project: LispProject, keys: string): Promise<TestRun | undefined> {
  const { report, condition } = await project.runTests(keys);
  expect(condition, keys).toBeNull();
  expect(report?.runs, keys).toHaveLength(1);
  return report?.runs[0];
}

describe('FiveAM', () => {
  it('runs the tests of a system, of one suite, of one test, of a file, and all', async () => {
    const project = await LispProject.start(SUMS);
    const whole = { passed: 1, failed: 2, errors: 1, skipped: 1 };
    expect(await onlyRun(project, ':system "sums"')).toMatchObject({
      framework: 'fiveam',
      tests: ['SUMS/TESTS::ADDS', 'SUMS/TESTS::BREAKS', 'SUMS/TESTS::SKIPS'],
      counts: whole,
    });
    expect((await onlyRun(project, ':system "sums" :test "sums"'))?.counts).toEqual(whole);
    const one = await onlyRun(project, ':system "sums" :test "Adds"');
    expect(one).toMatchObject({ tests: ['SUMS/TESTS::ADDS'], counts: { passed: 1, failed: 2, errors: 0 } });
    await project.loadSystem('other-tests');
    expect((await onlyRun(project, ':file "other.lisp"'))?.tests).toEqual(['OTHER-TESTS::HOLDS']);
    expect((await onlyRun(project, ''))?.counts).toEqual({ ...whole, passed: 2 });
    const { outcome, condition } = await project.runTests(':system "sums" :test "nothing"');
    expect(outcome).toBe('error');
    expect(condition?.message).toMatch(/no test nothing.*ADDS.*BREAKS.*SKIPS/);
  });

  it('tells of each failure the form, both values, the reason and the line, as the files are now', async () => {
    const project = await LispProject.start(SUMS);
    const run = await onlyRun(project, ':system "sums"');
    const file = project.file('tests.lisp');
    expect(run?.failures).toEqual([
      {
        test: 'SUMS/TESTS::ADDS',
        kind: 'failed',
        form: '(EQL 5 (SUMS:ADD 1 1))',
        expected: '5',
        actual: '2',
        reason: '(SUMS:ADD 1 1) evaluated to 2 which is not EQL to 5',
        file,
        line: 7,
      },
      {
        test: 'SUMS/TESTS::ADDS',
        kind: 'failed',
        form: '(ODDP (SUMS:ADD 1 1))',
        reason: 'no odd sum of EQUALS',
        file,
        line: 7,
      },
      {
        test: 'SUMS/TESTS::BREAKS',
        kind: 'error',
        reason: expect.stringMatching(/^TYPE-ERROR: The value\n {2}:TWO/),
        file,
        line: 12,
      },
    ]);
    project.write({ 'tests.lisp': TESTS.replace('(eql 5', '(eql 2').replace('oddp', 'evenp') });
    expect((await onlyRun(project, ':system "sums"'))?.counts).toMatchObject({ passed: 3, failed: 0 });
    project.write({ 'tests.lisp': `${TESTS}(test torn (is (= 1 1)` });
    const { outcome, report } = await project.runTests(':system "sums"');
    expect(outcome).toBe('error');
    expect(report).toMatchObject({ runs: [], failures: [{ type: 'END-OF-FILE', file, line: 17 }] });
  });
});

describe.each(['rt', 'sb-rt'])('%s', (framework) => {
  it('tells expected and actual values, and errors', async () => {
    const project = await LispProject.start({
      'old.asd': system('old', '(:file "old")', `:depends-on ("${framework}")`),
      'old.lisp': `(defpackage :old (:use :cl :${framework}))
(in-package :old)
(deftest good (+ 1 2) 3)
(deftest bad (values 1 (list 2)) 1 (3))
(deftest worse (car 1) nil)
`,
    });
    const run = await onlyRun(project, ':system "old"');
    const file = project.file('old.lisp');
    expect(run).toEqual({
      framework,
      tests: ['OLD::GOOD', 'OLD::BAD', 'OLD::WORSE'],
      counts: { passed: 1, failed: 1, errors: 1, skipped: 0 },
      failures: [
        {
          test: 'OLD::BAD',
          kind: 'failed',
          form: '(VALUES 1 (LIST 2))',
          expected: '1, (3)',
          actual: '1, (2)',
          reason: 'The values differ.',
          file,
          line: 4,
        },
        {
          test: 'OLD::WORSE',
          kind: 'error',
          form: '(CAR 1)',
          expected: 'NIL',
          reason: expect.stringContaining('TYPE-ERROR'),
          file,
          line: 5,
        },
      ],
    });
  });
});

describe('a system of no framework that is known', () => {
  it('has its test-op performed, whose output tells', async () => {
    const project = await LispProject.start({
      'plain.asd': system('plain', '', ':perform (asdf:test-op (o c) (format t "~&all is well~%"))'),
      'sour.asd': system('sour', '', ':perform (asdf:test-op (o c) (error "2 tests failed"))'),
    });
    const plain = await project.runTests(':system "plain"');
    expect(plain.report?.runs).toEqual([
      { framework: 'test-op', tests: ['plain'], counts: null, failures: [] },
    ]);
    expect(plain.stdout).toContain('all is well');
    expect(plain.notes.join()).toContain('what it printed says');
    const sour = await project.runTests(':system "sour"');
    expect(sour).toMatchObject({ outcome: 'error', condition: { message: '2 tests failed' } });
  });
});
