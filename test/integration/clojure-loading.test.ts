/** Loading and testing in Clojure: order, and the report of each problem with its location. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadTarget, TestTarget } from '../../electron/images/optional-groups';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import type { Files } from './loading-fixture';

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) => {
    for (const folder of ['src', 'test']) mkdirSync(path.join(project, folder));
  });
}, STARTING_MS);
afterAll(() => image.end());

const write = (files: Files) => image.write(files);
const file = (name: string) => image.file(name);
const load = (target: LoadTarget) => image.load(target);
const loadNamespaces = (...systems: string[]) => load({ systems });
const test = (target?: TestTarget) => image.test(target);

describe('namespaces', () => {
  it('are loaded after what they need, again when that was edited, and only then', async () => {
    write({
      'src/order/base.clj': '(ns order.base)\n(defn answer [] 1)',
      'src/order/middle.cljc': '(ns order.middle (:require [order [base :as b]]))\n(def kept (b/answer))',
      'src/order/top.clj': '(ns order.top (:use order.middle))\n(defn told [] kept)',
      'src/order/other.clj': '(ns order.other (:require clojure.zip))',
    });
    const first = await loadNamespaces('order.top');
    expect(first).toMatchObject({ outcome: 'ok', values: [['["order.base" "order.middle" "order.top"]']] });
    expect(first.report).toEqual({
      loaded: ['order.base', 'order.middle', 'order.top'],
      failures: [],
      runs: [],
    });
    const again = await loadNamespaces('order.top');
    expect(again).toMatchObject({ values: [['["order.top"]']] });
    expect(again.report).toBeUndefined();
    write({ 'src/order/base.clj': '(ns order.base)\n(defn answer [] 42)' });
    const edited = await loadNamespaces('project');
    expect(edited.values).toEqual([['["order.base" "order.middle" "order.other" "order.top"]']]);
    expect(edited.report?.loaded).toEqual(['clojure.zip', 'order.other']);
    expect((await image.evaluate('(order.top/told)')).values).toEqual([['42']]);
    expect((await loadNamespaces('project')).values).toEqual([['[]']]);
    expect((await loadNamespaces()).values).toEqual([['[]']]);
  });

  it.each([
    [
      'the compiler refuses',
      '(ns bad.one)\n\n(defn f [x]\n  (let [y 1]\n    (+ y unknown)))',
      {
        type: 'java.lang.RuntimeException',
        message: 'Unable to resolve symbol: unknown in this context',
        ...{ line: 5, column: 5, source: '(+ y unknown)))', context: 'defn f' },
      },
    ],
    [
      'the reader refuses',
      '(ns bad.one)\n(def a 1)\n(defn f [x]\n  [1 2)',
      {
        type: 'java.lang.RuntimeException',
        message: 'Unmatched delimiter: )',
        ...{ line: 4, source: '[1 2)', context: 'defn f' },
      },
    ],
    [
      'a macro refuses',
      '(ns bad.one)\n(let [y] 1)',
      { message: expect.stringMatching(/even-number-of-forms/), line: 2, column: 1 },
    ],
    [
      'throws',
      '(ns bad.one)\n(throw (ex-info "on load" {:n 1}))',
      { type: 'clojure.lang.ExceptionInfo', message: 'on load {:n 1}', line: 2, column: 1 },
    ],
  ])('whose code %s fail at their line', async (_, code, expected) => {
    write({ 'src/bad/one.clj': code });
    const failed = await loadNamespaces('bad.one');
    expect(failed.outcome).toBe('error');
    expect(failed.report).toMatchObject({
      loaded: [],
      failures: [{ file: file('src/bad/one.clj'), ...expected }],
    });
    write({ 'src/bad/one.clj': '(ns bad.one)' });
    expect((await image.evaluate("(require 'bad.one)")).outcome).toBe('ok');
  });

  it('all tell their failures at once, and what needs one of them is left', async () => {
    write({
      'src/many/one.clj': '(ns many.one)\n(a)',
      'src/many/two.clj': '(ns many.two)\n(b)',
      'src/many/needs.clj': '(ns many.needs (:require many.one))',
      'src/many/good.clj': '(ns many.good)',
    });
    const { report, condition } = await loadNamespaces('project');
    expect(report?.loaded).toEqual(['many.good']);
    expect(report?.failures.map((failure) => [failure.file, failure.line])).toEqual([
      [file('src/many/one.clj'), 2],
      [file('src/many/two.clj'), 2],
    ]);
    expect(condition?.message).toContain('Not loaded: many.one, many.two, and what needs them: many.needs');
    write({ 'src/many/one.clj': '(ns many.one)', 'src/many/two.clj': '(ns many.two)' });
    expect((await loadNamespaces('project')).values).toEqual([['["many.one" "many.needs" "many.two"]']]);
  });

  it('that need each other, or are nowhere, are named', async () => {
    write({
      'src/circle/a.clj': '(ns circle.a (:require circle.b))',
      'src/circle/b.clj': '(ns circle.b (:require circle.a))',
    });
    expect((await loadNamespaces('circle.a')).condition?.message).toContain('circle.a → circle.b → circle.a');
    write({ 'src/circle/a.clj': '(ns circle.a)' });
    expect((await loadNamespaces('no.where')).condition?.message).toContain(
      'There is no namespace no.where on the classpath.',
    );
  });

  it('have warnings of the compiler with their places, apart from what they print', async () => {
    write({
      'src/warned.clj':
        '(ns warned)\n(defn get [x]\n  (.foo x))\n(binding [*out* *err*] (println "said"))\n(println "done")',
    });
    const { warnings, stderr, stdout, output } = await loadNamespaces('warned');
    expect(warnings).toEqual([
      {
        ...{ severity: 'warning', type: 'warning', form: 0 },
        message: expect.stringMatching(/^get already refers to: #'clojure.core\/get in namespace: warned/),
      },
      {
        ...{
          severity: 'note',
          type: 'reflection',
          form: 0,
          file: file('src/warned.clj'),
          line: 3,
          column: 3,
        },
        message: "reference to field foo can't be resolved.",
      },
    ]);
    expect({ stderr, stdout }).toEqual({ stderr: 'said\n', stdout: 'done\n' });
    expect(output.filter(([stream]) => stream === 'warnings').join()).toContain(
      '; NOTE: reference to field foo',
    );
  });
});

describe('a file', () => {
  it('is loaded wherever it is, and fails at its line', async () => {
    write({
      'scripts/one.clj': '(ns scripts.one)\n(def x 5)\n(inc x)',
      'scripts/two.clj': '(def y 1)\n(/ y 0)',
    });
    const loaded = await load({ file: file('scripts/one.clj') });
    expect(loaded).toMatchObject({ outcome: 'ok', package: 'user', values: [['"scripts.one"']] });
    expect(loaded.report).toBeUndefined();
    const failed = await load({ file: file('scripts/two.clj') });
    expect(failed.report?.failures).toEqual([
      {
        ...{ type: 'java.lang.ArithmeticException', message: 'Divide by zero' },
        ...{ file: file('scripts/two.clj'), line: 2, column: 1, source: '(/ y 0)', context: '/ y' },
      },
    ]);
  });
});

const TESTS = `(ns sums-test
  (:require [clojure.test :refer [deftest is testing use-fixtures]]
            [sums]))

(use-fixtures :once (fn [run] (println "once") (run)))

(deftest adds
  (is (= 3 (sums/add 1 2)))
  (testing "of two"
    (is (= 5 (sums/add 1 1)) "too small"))
  (is (odd? (sums/add 1 1))))

(deftest breaks
  (sums/add 1 :two))

(deftest throws
  (is (thrown? ArithmeticException (sums/add 1 1))))
`;

describe('tests', () => {
  beforeAll(() => {
    write({ 'src/sums.clj': '(ns sums)\n(defn add [a b] (+ a b))', 'test/sums_test.clj': TESTS });
  });

  const counts = { passed: 1, failed: 3, errors: 1, skipped: 0 };
  const tests = ['sums-test/adds', 'sums-test/breaks', 'sums-test/throws'];

  it.each<[string, TestTarget]>([
    ['of the namespace that they test', { system: 'sums' }],
    ['of a namespace', { system: 'sums-test' }],
    ['of the project', {}],
  ])('%s run, with their fixtures', async (_, target) => {
    const { outcome, report, stdout } = await test(target);
    expect({ outcome, stdout }).toEqual({ outcome: 'ok', stdout: 'once\n' });
    expect(report?.runs).toEqual([{ framework: 'clojure.test', tests, counts, failures: expect.any(Array) }]);
  });

  it('of a file run, or one of them', async () => {
    const one = await test({ file: file('test/sums_test.clj'), test: 'adds' });
    expect(one.report?.runs[0]).toMatchObject({
      tests: ['sums-test/adds'],
      counts: { passed: 1, failed: 2, errors: 0 },
    });
    const none = await test({ system: 'sums', test: 'nothing' });
    expect(none.condition?.message).toContain(`There is no test nothing. There are: ${tests.join(', ')}.`);
    expect((await test({ system: 'order.base' })).condition?.message).toContain('There are no tests here');
  });

  it('tell of each failure the form, both values, the reason and the line', async () => {
    const [run] = (await test({ system: 'sums' })).report?.runs ?? [];
    const place = { file: file('test/sums_test.clj') };
    expect(run?.failures).toEqual([
      {
        ...{ test: 'sums-test/adds', kind: 'failed', form: '(= 5 (sums/add 1 1))', ...place, line: 10 },
        ...{ expected: '5', actual: '2', reason: 'of two: too small' },
      },
      {
        ...{ test: 'sums-test/adds', kind: 'failed', form: '(odd? (sums/add 1 1))', ...place, line: 11 },
        ...{ actual: '(not (odd? 2))', reason: '(not (odd? 2))' },
      },
      {
        ...{ test: 'sums-test/breaks', kind: 'error', ...place, line: 14 },
        actual: expect.stringMatching(/^java\.lang\.ClassCastException: /),
        reason: 'Uncaught exception, not in assertion.',
      },
      {
        ...{ test: 'sums-test/throws', kind: 'failed', ...place, line: 17 },
        form: '(thrown? ArithmeticException (sums/add 1 1))',
        ...{ actual: 'nil', reason: 'nothing was thrown' },
      },
    ]);
  });

  it('load what was edited before, and do not run when it fails to load', async () => {
    write({ 'src/sums.clj': '(ns sums)\n(defn add [a b] (+ a b 1))' });
    expect((await test()).report?.runs[0]?.counts).toMatchObject({ passed: 1, failed: 3 });
    expect((await test({ test: 'sums-test/adds' })).report?.runs[0]?.failures[0]).toMatchObject({
      actual: '4',
    });
    write({ 'src/sums.clj': '(ns sums)\n(defn add [a b] (' });
    const broken = await test();
    expect(broken).toMatchObject({ outcome: 'error', report: { runs: [], failures: [{ line: 2 }] } });
    write({ 'src/sums.clj': '(ns sums)\n(defn add [a b] (+ a b))' });
  });

  it('that a file has lost do not run any more, nor those of a file that is gone', async () => {
    const lost = 'test/lost_test.clj';
    const defining = (...names: string[]) => {
      const tests = names.map((name) => `(deftest ${name} (is true))`).join('\n');
      write({ [lost]: `(ns lost-test (:require [clojure.test :refer [deftest is]]))\n${tests}\n` });
    };
    const ran = async (target: TestTarget) => (await test(target)).report?.runs[0]?.tests;
    defining('one', 'two', 'three');
    expect(await ran({ system: 'lost-test' })).toEqual(['lost-test/one', 'lost-test/two', 'lost-test/three']);
    await image.evaluate("(in-ns 'lost-test) (deftest typed (is true)) (in-ns 'user)");
    defining('one', 'three');
    const again = await test({ system: 'lost-test' });
    expect(again.report?.runs[0]?.tests).toEqual(expect.not.arrayContaining(['lost-test/two']));
    expect(again.notes).toEqual([expect.stringMatching(/test lost-test\/two does not any more/)]);
    expect(await ran({ file: file(lost) })).toEqual(expect.arrayContaining(['lost-test/typed']));
    defining('three');
    expect(await ran({ file: file(lost) })).not.toContain('lost-test/one');
    rmSync(file(lost));
    expect(await ran({})).not.toContain('lost-test/three');
  });

  it('that were evaluated run too', async () => {
    await image.evaluate(
      "(ns typed.tests (:require [clojure.test :refer :all])) (deftest one (is (= 1 1))) (in-ns 'user)",
    );
    expect((await test({ system: 'typed.tests' })).report?.runs[0]).toMatchObject({
      tests: ['typed.tests/one'],
      counts: { passed: 1, failed: 0 },
    });
  });
});
