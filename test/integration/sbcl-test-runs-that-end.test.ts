/** Test runs in which a test does its worst: it costs this test, by name, and never the run. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../electron/contract/report';
import { sampled } from '../rounds';
import { type Files, LispProject, system } from './loading-fixture';

/** How each framework writes a test that evaluates a form, and one that compares 42 with a form. */
const FRAMEWORKS = {
  fiveam: {
    use: '(:use :cl :fiveam)',
    runs: (name: string, form: string) => `(test ${name} ${form} (is (= 1 1)))`,
    compares: (name: string, form: string) => `(test ${name} (is (eql 42 ${form})))`,
  },
  fiasco: {
    use: null,
    runs: (name: string, form: string) => `(deftest ${name} () ${form} (is (= 1 1)))`,
    compares: (name: string, form: string) => `(deftest ${name} () (is (eql 42 ${form})))`,
  },
  rove: {
    use: '(:use :cl :rove)',
    runs: (name: string, form: string) => `(deftest ${name} ${form} (ok (= 1 1)))`,
    compares: (name: string, form: string) => `(deftest ${name} (ok (eql 42 ${form})))`,
  },
  parachute: {
    use: '(:use :cl :parachute)',
    runs: (name: string, form: string) => `(define-test ${name} ${form} (is = 1 1))`,
    compares: (name: string, form: string) => `(define-test ${name} (is eql 42 ${form}))`,
  },
  rt: {
    use: '(:use :cl :rt)',
    runs: (name: string, form: string) => `(deftest ${name} (progn ${form} 1) 1)`,
    compares: (name: string, form: string) => `(deftest ${name} ${form} 42)`,
  },
  'sb-rt': {
    use: '(:use :cl :sb-rt)',
    runs: (name: string, form: string) => `(deftest ${name} (progn ${form} 1) 1)`,
    compares: (name: string, form: string) => `(deftest ${name} ${form} 42)`,
  },
} as const;

type Framework = keyof typeof FRAMEWORKS;
const NAMES = Object.keys(FRAMEWORKS) as Framework[];

/** Values that no printer ends with, and one that is too long. */
const VALUES = {
  ring: '(let ((l (list 1 2))) (nconc l l))',
  parent: '(let* ((p (make-node)) (k (make-node :parent p))) (push k (node-kids p)) p)',
  vector: '(let ((v (vector nil))) (setf (svref v 0) v) v)',
  table: '(let ((h (make-hash-table))) (setf (gethash 1 h) h) (list h (alexandria-like h)))',
  long: '(make-list 300000 :initial-element "abcdefgh")',
  text: '(make-string 3000000 :initial-element #\\a)',
};

/** Forms after which a test is over, with a word of the reason. */
const ENDS = {
  endless: ['(spin 1)', 'SPIN'],
  deaf: ['(loop (ignore-errors (spin 2)))', 'SPIN'],
  exit: ['(sb-ext:exit :code 3 :abort t)', 'EXIT'],
  quit: ['(uiop:quit 3)', 'EXIT'],
  deep: ['(labels ((f (x) (1+ (f x)))) (f 1))', 'STACK'],
  // Octets, which the collector need not scan: the heap is full long before the test's limit, also on a busy machine.
  full: [
    "(let ((all (loop collect (make-array 8000000 :element-type '(unsigned-byte 8))))) (print (length all)))",
    'HEAP',
  ],
  stops: ['(break "here")', 'BREAK|here'],
  endlesserror: ['(error "bad ~S" (let ((l (list 1))) (nconc l l)))', 'bad #1='],
} as const;

async function start(framework: Framework, tests: readonly string[]): Promise<LispProject> {
  const { use } = FRAMEWORKS[framework];
  const isStandIn = framework === 'rove' || framework === 'parachute';
  const standIn: Files = isStandIn
    ? {
        [`${framework}.asd`]: system(framework, `(:file "${framework}")`),
        [`${framework}.lisp`]: readFileSync(
          path.join(import.meta.dirname, `../frameworks/${framework}.lisp`),
          'utf8',
        ),
      }
    : {};
  return LispProject.start({
    ...standIn,
    'sums.asd': system('sums', '(:file "tests")', `:depends-on ("${framework}")`),
    'tests.lisp': `${use === null ? '(fiasco:define-test-package :sums)' : `(defpackage :sums ${use})`}
(in-package :sums)
${framework.endsWith('rt') ? '(rem-all-tests)' : ''}
(defstruct node parent kids)
(defun alexandria-like (h) (list h h))
(defun spin (n) (loop (sleep 0.001) (incf n)))
${tests.join('\n')}
`,
  });
}

const runOf = async (project: LispProject, keys = ''): Promise<TestRun | undefined> =>
  (await project.runTests(`:system "sums" ${keys}`)).report?.runs[0];

const namesIn = (run: TestRun | undefined) => run?.failures.map(({ test }) => test.replace(/^.*::/, ''));

describe.each(sampled('frameworks of tests that end', NAMES, 3))('%s', (framework) => {
  const { runs, compares } = FRAMEWORKS[framework];

  it('prints circular and long values in part', async () => {
    const values = Object.entries(VALUES).map(([name, form]) => compares(`v-${name}`, form));
    const project = await start(framework, [runs('a1', '1'), ...values, runs('z9', '1')]);
    const run = await runOf(project);
    expect(run?.counts, JSON.stringify(run).slice(0, 3000)).toEqual({
      passed: 2,
      failed: values.length,
      errors: 0,
      skipped: 0,
    });
    expect(namesIn(run)).toEqual(Object.keys(VALUES).map((name) => `V-${name.toUpperCase()}`));
    for (const { actual, expected } of run?.failures ?? []) {
      expect([expected, actual]).toContain('42');
      expect(`${actual}${expected}`.length).toBeLessThan(4200);
    }
    expect(JSON.stringify(run?.failures[0])).toContain('#1=');
  });

  it('ends a test that would end or stop the run, and goes on', async () => {
    const ends = Object.entries(ENDS).map(([name, [form]]) => runs(name, form));
    const project = await start(framework, [runs('a1', '1'), ...ends, runs('z9', '1')]);
    const run = await runOf(project, ':seconds 1');
    expect(namesIn(run), JSON.stringify(run).slice(0, 3000)).toEqual(
      Object.keys(ENDS).map((name) => name.toUpperCase()),
    );
    expect(run?.counts).toEqual({ passed: 2, failed: 0, errors: ends.length, skipped: 0 });
    Object.values(ENDS).forEach(([, word], place) => {
      expect(run?.failures[place]?.reason).toMatch(new RegExp(word));
    });
    // The session goes on.
    expect((await project.evaluate('(+ 1 1)')).values).toEqual([['2']]);
  });

  it('names the test in which the image ended, and what came before', async () => {
    const tests = [
      runs('a1', '1'),
      compares('a2', '1'),
      runs(
        'dies',
        '(sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) 3)',
      ),
      runs('z9', '1'),
    ];
    const project = await start(framework, tests);
    const { outcome, report } = await project.runTests(':system "sums"');
    expect(outcome).toBe('crashed');
    const run = report?.runs[0];
    expect(run?.counts).toMatchObject({ passed: 1, failed: 1, errors: 1 });
    expect(namesIn(run)).toEqual(['DIES', 'A2']);
    expect([run?.endedIn?.replace(/^.*::/, ''), run?.notRun]).toEqual(['DIES', 1]);
  });
});

it('every failing test is named, however many', async () => {
  const tests = Array.from({ length: 300 }, (_, n) => `(test t${n} (is (= 1 2)))`);
  const run = await runOf(await start('fiveam', tests));
  const named = [
    ...(namesIn(run) ?? []),
    ...(run?.alsoFailed ?? []).map((name) => name.replace(/^.*::/, '')),
  ];
  expect(named).toEqual(tests.map((_, n) => `T${n}`));
});
