/** Loading and testing in nbb: order, and the report of each problem with its location. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Image } from '../../electron/images/image';
import type { LoadTarget, TestTarget } from '../../electron/images/optional-groups';
import { evaluate, project, type Result, sharedByTests, start } from './nbb-fixture';

const shared = sharedByTests();

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const codeOf = (image: Image, code: string | undefined): Promise<Result> => evaluate(image, code ?? '');
const load = (image: Image, target: LoadTarget) => codeOf(image, image.loader?.loadCode(target));
const loadNamespaces = (image: Image, ...systems: string[]) => load(image, { systems });
const loadFile = (image: Image, name: string) => load(image, { file: path.join(project, name) });
const test = (image: Image, target: TestTarget = {}) => codeOf(image, image.loader?.testCode(target));

const ORDER = {
  'src/order/base.cljs': '(ns order.base)\n(defn answer [] 1)\n(defn gone [] 2)',
  'src/order/the_middle.cljc': '(ns order.the-middle (:require [order.base :as b]))\n(def kept (b/answer))',
  'src/order/top.cljs':
    '(ns order.top (:require [order.the-middle :refer [kept]] ["path" :as path]))\n(defn told [] kept)',
};

describe('namespaces', () => {
  it('are loaded after what they need, again when that was edited, and only then', async () => {
    const image = shared();
    write(ORDER);
    const first = await loadNamespaces(image, 'order.top');
    expect(first).toMatchObject({ outcome: 'ok', values: ['["order.base" "order.the-middle" "order.top"]'] });
    expect(first.report).toEqual({
      loaded: ['order.base', 'order.the-middle', 'order.top'],
      failures: [],
      runs: [],
    });
    const again = await loadNamespaces(image, 'order.top');
    expect(again.values).toEqual(['["order.top"]']);
    expect(again.report).toBeUndefined();
    write({ 'src/order/base.cljs': '(ns order.base)\n(defn answer [] 42)' });
    expect((await loadNamespaces(image, 'project')).values).toEqual([
      '["order.base" "order.the-middle" "order.top"]',
    ]);
    expect((await evaluate(image, "(order.top/told) (resolve 'order.base/gone)")).values).toEqual([
      '42',
      'nil',
    ]);
    expect((await loadNamespaces(image, 'project')).values).toEqual(['[]']);
    expect((await loadNamespaces(image)).values).toEqual(['[]']);
    expect(image.package).toBe('user');
  });

  it('keep what they make only where it is missing, when they are loaded again', async () => {
    const image = shared();
    const missing = (name: string) => `(some-> (resolve '${name}) deref number?)`;
    write({
      'src/standing.cljs': `(ns standing)
(defmacro once [n v] \`(when-not ${missing('~n')} (def ~n ~v)))
(once thing 1)
(when-not ${missing('other')} (def other 2))
(defonce third 3)
(def gone 4)`,
    });
    await loadNamespaces(image, 'standing');
    write({
      'src/standing.cljs': readFileSync(path.join(project, 'src/standing.cljs'), 'utf8').replace(
        /\(def gone.*/,
        '',
      ),
    });
    for (const _ of [1, 2]) expect((await loadNamespaces(image, 'standing')).outcome).toBe('ok');
    expect(
      (await evaluate(image, "[standing/thing standing/other standing/third (resolve 'standing/gone)]"))
        .values,
    ).toEqual(['[1 2 3 nil]']);
  });

  it('are found where nbb.edn says, and where their file is loaded from', async () => {
    onTestFinished(() => rmSync(path.join(project, 'nbb.edn')));
    write({
      'nbb.edn': '{:paths ["lib"]}',
      'lib/far/one.cljs': '(ns far.one) (def x 1)',
      'other/near/two.cljs': '(ns near.two (:require [near.three :as three])) (def y three/z)',
      'other/near/three.cljs': '(ns near.three) (def z 3)',
    });
    const image = await start();
    expect((await loadNamespaces(image, 'far.one')).values).toEqual(['["far.one"]']);
    expect((await loadFile(image, 'other/near/two.cljs')).report?.loaded).toEqual(['near.three', 'near.two']);
    expect((await evaluate(image, '[far.one/x near.two/y]')).values).toEqual(['[1 3]']);
  });

  it('are told to be missing where an nbb.edn that came later hides them, and what has changed is', async () => {
    const image = await start();
    expect(image.outdatedBy).toBeNull();
    onTestFinished(() => rmSync(path.join(project, 'nbb.edn')));
    write({ 'nbb.edn': '{:paths ["elsewhere"]}', 'elsewhere/late/one.cljs': '(ns late.one)' });
    expect(image.outdatedBy).toBe('nbb.edn is new');
    const { condition } = await loadNamespaces(image, 'late.one');
    expect(condition?.message).toMatch(/^There is no namespace late\.one on nbb's classpath\./);
    const fresh = await start();
    expect((await loadNamespaces(fresh, 'late.one')).report?.loaded).toEqual(['late.one']);
    rmSync(path.join(project, 'elsewhere'), { recursive: true });
    const none = await loadNamespaces(fresh, 'project');
    expect(none.condition?.message).toMatch(
      /^No folder of the project that is on nbb's classpath has a namespace/,
    );
  });

  it.each([
    [
      '(ns bad.one)\n\n(defn f [x]\n  (unknown x))',
      { message: 'Unable to resolve symbol: unknown', line: 4, column: 3 },
    ],
    ['(ns bad.one)\n(def x\n  [1 2)', { type: 'sci.error/parse', line: 3, column: 7 }],
    [
      '(ns bad.one)\n(throw (ex-info "no" {:a 1}))',
      { type: 'cljs.core.ExceptionInfo', message: 'no {:a 1}', line: 2 },
    ],
    [
      '(ns bad.one)\n(nbb.core/await (js/Promise.reject (js/RangeError. "far")))',
      { type: 'RangeError', message: 'far' },
    ],
  ])('that fail say where: %j', async (text, failure) => {
    const image = shared();
    write({ 'src/bad/one.cljs': text, 'src/bad/two.cljs': '(ns bad.two (:require bad.one))' });
    const failed = await loadNamespaces(image, 'bad.two');
    expect(failed.outcome).toBe('error');
    expect(failed.report?.failures).toMatchObject([
      { ...failure, file: path.join(project, 'src/bad/one.cljs') },
    ]);
    expect(failed.condition?.message).toBe('Not loaded: bad.one, and what needs them: bad.two');
    write({ 'src/bad/one.cljs': '(ns bad.one)' });
    expect((await loadNamespaces(image, 'bad.two')).values).toEqual(['["bad.one" "bad.two"]']);
  });

  it('that need each other, or do not exist, are told', async () => {
    const image = shared();
    write({ 'a/x.cljs': '(ns a.x (:require a.y))', 'a/y.cljs': '(ns a.y (:require [a.x :as x]))' });
    expect((await loadNamespaces(image, 'a.x')).condition?.message).toBe(
      'These namespaces need each other: a.x → a.y → a.x',
    );
    expect((await loadNamespaces(image, 'a.z')).condition?.message).toMatch(
      /^There is no namespace a\.z on nbb's classpath\. In the project there are: a\.x, a\.y, .*nbb\.edn/,
    );
    expect((await loadNamespaces(image, 'clojure.set')).outcome).toBe('ok');
  });
});

it('a file without a namespace is loaded into the one of the session, at its lines', async () => {
  const image = shared();
  write({ 'script.cljs': '(def loaded 1)\n\n(defn fails []\n  (throw (js/Error. "deep")))' });
  expect((await loadFile(image, 'script.cljs')).values).toEqual(['nil']);
  const { values, condition } = await evaluate(image, 'loaded (fails)');
  expect(values).toEqual(['1']);
  expect(condition?.frames.map(({ call }) => call)).toEqual([
    'user (script.cljs:4:3)',
    'user/fails (line 1, column 8)',
  ]);
});

const TESTS = `(ns shop.core-test
  (:require [cljs.test :refer [deftest is testing async use-fixtures]]
            [shop.core :as core]))
(use-fixtures :each {:before #(println "before")})
(deftest totals
  (testing "of two"
    (is (= 3 (core/total [1 2])))
    (is (= 4 (core/total [1 2])) "sums")))
(deftest throws
  (is (thrown? js/RangeError (core/total [])))
  (core/fails "out"))
(deftest later
  (async done
    (js/setTimeout (fn [] (is (= 1 2)) (is true) (done)) 5)))
`;
const EMPTY = `(ns shop.empty-test (:require [cljs.test :refer [async deftest is]]))
(deftest holds (is true))
(deftest forgot (= 1 2))
(deftest later (async done (js/setTimeout (fn [] (is true) (done)) 5)))
`;
const SHOP = {
  'src/shop/core.cljs':
    '(ns shop.core)\n(defn total [all] (reduce + all))\n(defn fails [x]\n  (throw (ex-info x {:x 1})))',
  'test/shop/core_test.cljs': TESTS,
};

describe('tests', () => {
  it('are run with their fixtures, asynchronous ones to their end, and each failure has its place', async () => {
    const image = shared();
    write(SHOP);
    const result = await test(image, { system: 'shop.core' });
    expect(result).toMatchObject({ outcome: 'ok', stdout: 'before\nbefore\nbefore\n', stderr: '' });
    const file = path.join(project, 'test/shop/core_test.cljs');
    expect(result.report?.runs).toEqual([
      {
        framework: 'cljs.test',
        tests: ['shop.core-test/totals', 'shop.core-test/throws', 'shop.core-test/later'],
        counts: { passed: 2, failed: 3, errors: 1, skipped: 0 },
        failures: [
          {
            ...{ test: 'shop.core-test/totals', kind: 'failed', form: '(= 4 (core/total [1 2]))' },
            ...{ expected: '4', actual: '3', reason: 'of two: sums', file, line: 8 },
          },
          {
            ...{ test: 'shop.core-test/throws', kind: 'failed', actual: 'nil', reason: 'nothing was thrown' },
            ...{ form: '(thrown? js/RangeError (core/total []))', file, line: 10 },
          },
          {
            ...{ test: 'shop.core-test/throws', kind: 'error', file, line: 11 },
            actual: 'cljs.core.ExceptionInfo: out {:x 1} at src/shop/core.cljs:4:3',
            reason: 'Uncaught exception, not in assertion.',
          },
          {
            ...{ test: 'shop.core-test/later', kind: 'failed', form: '(= 1 2)', file, line: 14 },
            ...{ expected: '1', actual: '2', reason: '(not (= 1 2))' },
          },
        ],
      },
    ]);
  });

  it('are chosen by name, by file, all of the project, and those that were only evaluated', async () => {
    const image = shared();
    write(SHOP);
    const ran = async (target: TestTarget) => (await test(image, target)).report?.runs[0]?.tests;
    expect(await ran({ system: 'shop.core-test', test: 'later' })).toEqual(['shop.core-test/later']);
    expect(await ran({ file: path.join(project, 'test/shop/core_test.cljs') })).toHaveLength(3);
    await evaluate(image, '(ns mine (:require [cljs.test :as t])) (t/deftest quick (t/is (= 1 1)))');
    expect(await ran({})).toHaveLength(4);
    const unknown = await test(image, { system: 'mine', test: 'slow' });
    expect(unknown.condition?.message).toBe('There is no test slow. There are: mine/quick.');
    write({ 'src/shop/core.cljs': '(ns shop.core)\n(defn total [_] 4)\n(defn fails [_])' });
    const edited = await test(image, { test: 'totals' });
    expect(edited.report?.runs[0]?.failures).toMatchObject([{ expected: '3', actual: '4' }]);
  });

  it('that check nothing are named', async () => {
    const image = shared();
    write({ 'test/shop/empty_test.cljs': EMPTY });
    const [run] = (await test(image, { system: 'shop.empty-test' })).report?.runs ?? [];
    expect(run?.counts).toMatchObject({ passed: 2, failed: 0 });
    expect(run?.unchecked).toEqual(['shop.empty-test/forgot']);
  });

  it('that do not end cost themselves, by name, and endless values are printed in part', async () => {
    const image = shared();
    write({
      'test/shop/endless_test.cljs': `(ns shop.endless-test (:require [cljs.test :refer [async deftest is]]))
(deftest a-passes (is true))
(deftest b-never (async done (is true)))
(deftest c-infinite (is (= 42 (range))))
(deftest d-later (async done (js/setTimeout (fn [] (is true) (done)) 5)))`,
    });
    const [run] = (await test(image, { system: 'shop.endless-test', seconds: 1 })).report?.runs ?? [];
    expect(run?.counts).toEqual({ passed: 3, failed: 1, errors: 1, skipped: 0 });
    expect(run?.failures).toMatchObject([
      { test: 'shop.endless-test/b-never', kind: 'error', line: 3, reason: expect.stringContaining('1 s') },
      { test: 'shop.endless-test/c-infinite', expected: '42', actual: expect.stringMatching(/^\(0 1 2 /) },
    ]);
  });

  it('that end the image are named, with what came before', async () => {
    const image = await start();
    write({
      'test/shop/ending_test.cljs': `(ns shop.ending-test (:require [cljs.test :refer [deftest is]]))
(deftest a-fails (is (= 1 2)))
(deftest b-exits (js/process.exit 3))
(deftest c-passes (is true))`,
    });
    const { outcome, report } = await test(image, { system: 'shop.ending-test' });
    expect(outcome).toBe('crashed');
    expect(report?.runs[0]).toMatchObject({
      counts: { failed: 1, errors: 1 },
      endedIn: 'shop.ending-test/b-exits',
      notRun: 1,
    });
  });
});
