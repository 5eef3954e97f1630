/**
 * Tests of Fiasco, Rove and Parachute in SBCL images, reported as data; and definitions that a reloaded file
 * lost. Fiasco is the real one; the other two are minimal mocks in `test/frameworks`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../electron/contract/report';
import { type Files, LispProject, system } from './loading-fixture';

const standIn = (name: string): Files => ({
  [`${name}.asd`]: system(name, `(:file "${name}")`),
  [`${name}.lisp`]: readFileSync(path.join(import.meta.dirname, `../frameworks/${name}.lisp`), 'utf8'),
});

async function run(project: LispProject, keys: string): Promise<TestRun | undefined> {
  const { report, condition, stdout, stderr } = await project.runTests(keys);
  expect(condition?.message, stdout + stderr).toBeUndefined();
  return report?.runs[0];
}

describe('FiveAM', () => {
  it('fails tests that wait for each other, and runs the others', async () => {
    const project = await LispProject.start({
      'rings.asd': system('rings', '(:file "tests")', ':depends-on ("fiveam")'),
      'tests.lisp': `(defpackage :rings (:use :cl :fiveam))
(in-package :rings)
(test (one :depends-on two) (is (= 1 1)))
(test (two :depends-on one) (is (= 2 2)))
(test alone (is (= 3 3)))
`,
    });
    const told = await run(project, ':system "rings"');
    expect(told?.counts).toMatchObject({ passed: 1, errors: 1 });
    expect(told?.failures).toMatchObject([
      { test: 'RINGS::ONE', kind: 'error', reason: expect.stringContaining('circle'), line: 3 },
    ]);
  });

  it('names a test that is nearly called so first, suites among them, and no more than a dozen', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `(test number-${n} (is (= ${n} ${n})))`);
    const project = await LispProject.start({
      'many.asd': system('many', '(:file "tests")', ':depends-on ("fiveam")'),
      'tests.lisp': `(defpackage :many (:use :cl :fiveam))
(in-package :many)
${names.join('\n')}
(def-suite areas)
(in-suite areas)
(test circle (is (= 1 1)))
`,
    });
    const missing = async (name: string) =>
      (await project.runTests(`:system "many" :test "${name}"`)).condition?.message ?? '';
    expect(await missing('circel')).toMatch(
      /^There is no test circel\. There are: MANY::CIRCLE, .* and \d+ more\.$/,
    );
    expect(await missing('area')).toMatch(/There are: MANY::AREAS, /);
    expect((await missing('nothing-like-it')).length).toBeLessThan(400);
  });
});

describe('Fiasco', () => {
  const FILES: Files = {
    'sums.asd': system('sums', '(:file "tests")', ':depends-on ("fiasco")'),
    'tests.lisp': `(fiasco:define-test-package :sums-tests)
(in-package :sums-tests)
(defun add (x y) (+ x y))
(deftest adds ()
  (is (= 3 (add 1 2)))
  (is (= (add 1 1) 5))
  (is (evenp (add 1 2)) "~A is odd" 3))
(deftest breaks () (add 1 :two))
(deftest skips () (skip) (is nil))
(deftest awaits () (with-expected-failures (is nil)))
(deftest of-one (n) (is n))
`,
  };

  it('tells each failure with its form, its values and its line', async () => {
    const project = await LispProject.start(FILES);
    const file = project.file('tests.lisp');
    expect(await run(project, ':system "sums"')).toEqual({
      framework: 'fiasco',
      tests: ['SUMS-TESTS::ADDS', 'SUMS-TESTS::BREAKS', 'SUMS-TESTS::SKIPS', 'SUMS-TESTS::AWAITS'],
      counts: { passed: 1, failed: 2, errors: 1, skipped: 2 },
      failures: [
        {
          test: 'SUMS-TESTS::ADDS',
          kind: 'failed',
          form: '(FIASCO:IS (= (SUMS-TESTS::ADD 1 1) 5))',
          expected: '5',
          actual: '2',
          reason: 'Binary predicate (= X Y) failed. x: (SUMS-TESTS::ADD 1 1) => 2 y: 5 => 5',
          file,
          line: 4,
        },
        {
          test: 'SUMS-TESTS::ADDS',
          kind: 'failed',
          form: '(FIASCO:IS (EVENP (SUMS-TESTS::ADD 1 2)) "~A is odd" 3)',
          reason: '3 is odd',
          file,
          line: 4,
        },
        {
          test: 'SUMS-TESTS::BREAKS',
          kind: 'error',
          reason: expect.stringContaining('TYPE-ERROR'),
          file,
          line: 8,
        },
      ],
    });
    expect((await run(project, ':test "sums-tests"'))?.counts?.failed).toBe(2);
    expect((await run(project, ':test "breaks" :framework "fiasco"'))?.counts?.errors).toBe(1);
  });
});

describe('Rove', () => {
  it('runs its tests between their hooks, and tells values and errors', async () => {
    const project = await LispProject.start({
      ...standIn('rove'),
      'sums.asd': system('sums', '(:file "tests")', ':depends-on ("rove")'),
      'tests.lisp': `(defpackage :sums-tests (:use :cl :rove))
(in-package :sums-tests)
(defvar *told* nil)
(setup (push :setup *told*))
(defhook clean :before (push :before *told*))
(teardown (print (reverse *told*)))
(deftest adds
  (ok (= (+ 1 2) 3))
  (testing "wrongly" (ok (= (+ 1 1) 5))))
(deftest breaks (parse-integer "one"))
(deftest skips (skip "not today"))
`,
    });
    const { report, stdout } = await project.runTests(':system "sums"');
    const file = project.file('tests.lisp');
    expect(stdout).toContain('(:SETUP :BEFORE :BEFORE :BEFORE)');
    expect(report?.runs).toEqual([
      {
        framework: 'rove',
        tests: ['SUMS-TESTS::ADDS', 'SUMS-TESTS::BREAKS', 'SUMS-TESTS::SKIPS'],
        counts: { passed: 1, failed: 1, errors: 1, skipped: 1 },
        failures: [
          {
            test: 'SUMS-TESTS::ADDS',
            kind: 'failed',
            form: '(= (+ 1 1) 5)',
            expected: '5',
            actual: '2',
            reason: 'Expect (= (+ 1 1) 5) to be true.',
            file,
            line: 7,
          },
          {
            test: 'SUMS-TESTS::BREAKS',
            kind: 'error',
            reason: expect.stringContaining('PARSE-ERROR'),
            file,
            line: 10,
          },
        ],
      },
    ]);
  });
});

describe('Parachute', () => {
  it('counts nested tests once, and tells values, errors in a check and beside checks', async () => {
    const project = await LispProject.start({
      ...standIn('parachute'),
      'sums.asd': system('sums', '(:file "tests")', ':depends-on ("parachute")'),
      'tests.lisp': `(defpackage :sums-tests (:use :cl :parachute))
(in-package :sums-tests)
(define-test sums (true (oddp 1)))
(define-test adds :parent sums
  (is = 3 (+ 1 2))
  (is = 5 (+ 1 1))
  (is = 1 (parse-integer "one")))
(define-test breaks (parse-integer "one"))
(define-test skips (skip "not today"))
`,
    });
    const file = project.file('tests.lisp');
    expect(await run(project, ':system "sums"')).toEqual({
      framework: 'parachute',
      tests: ['SUMS-TESTS::SUMS', 'SUMS-TESTS::ADDS', 'SUMS-TESTS::BREAKS', 'SUMS-TESTS::SKIPS'],
      counts: { passed: 2, failed: 1, errors: 2, skipped: 1 },
      failures: [
        {
          test: 'SUMS-TESTS::ADDS',
          kind: 'failed',
          form: '(PARACHUTE:IS = 5 (+ 1 1))',
          expected: '5',
          actual: '2',
          reason: 'The value is not as expected.',
          file,
          line: 4,
        },
        expect.objectContaining({
          kind: 'error',
          form: '(PARACHUTE:IS = 1 (PARSE-INTEGER "one"))',
          reason: expect.stringContaining('PARSE-ERROR'),
        }),
        {
          test: 'SUMS-TESTS::BREAKS',
          kind: 'error',
          reason: expect.stringMatching(/^.*PARSE-ERROR: .*one/),
          file,
          line: 8,
        },
      ],
    });
    expect((await run(project, ':test "adds"'))?.counts).toMatchObject({ passed: 1, failed: 1, errors: 1 });
  });
});

describe('a test that its file has lost', () => {
  const IN: Record<string, (name: string) => string> = {
    fiveam: (name) => `(fiveam:test ${name} (fiveam:is (= 1 1)))`,
    fiasco: (name) => `(fiasco:deftest ${name} () (fiasco:is (= 1 1)))`,
    rt: (name) => `(rt:deftest ${name} (+ 1 1) 2)`,
    'sb-rt': (name) => `(sb-rt:deftest ${name} (+ 1 1) 2)`,
    rove: (name) => `(rove:deftest ${name} (rove:ok (= 1 1)))`,
    parachute: (name) => `(parachute:define-test ${name} (parachute:is = 1 1))`,
  };

  it.each(Object.entries(IN))(
    'does not run any more in %s, and what a person evaluated does',
    async (framework, test) => {
      const head = `(defpackage :lost (:use :cl))\n(in-package :lost)\n`;
      const project = await LispProject.start({
        ...standIn('rove'),
        ...standIn('parachute'),
        'lost.asd': system('lost', '(:file "lost")', `:depends-on ("${framework}")`),
        'lost.lisp': `${head}${test('stays')}\n${test('goes')}\n`,
      });
      await project.loadSystem('lost');
      await project.evaluate(`(cl:in-package :lost) ${test('typed')}`);
      expect((await run(project, ':system "lost"'))?.tests).toEqual([
        'LOST::STAYS',
        'LOST::GOES',
        'LOST::TYPED',
      ]);
      project.write({ 'lost.lisp': `${head}${test('stays')}\n` });
      const { report, notes } = await project.runTests(':system "lost"');
      expect(report?.runs[0]?.tests).toEqual(['LOST::STAYS', 'LOST::TYPED']);
      expect(notes.join()).toContain('defined the test LOST::GOES does not any more');
    },
  );
});
