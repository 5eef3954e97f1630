/**
 * An agent brings a project with a deps.edn to green, through MCP alone and confined: namespaces that need each other and a
 * library in a jar, with a function that is wrong and one that is missing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, AgentProject, agentOf, COMPILING_MS } from '../agent-project';
import { STARTING_MS } from '../nrepl-server';

const MONEY = `(ns shop.money
  "Amounts."
  (:require [nrepl.bencode :as bencode]))

(defn cents
  "The cents of an amount."
  [amount]
  (* 10 amount))

(defn packed [data]
  (let [out (java.io.ByteArrayOutputStream.)]
    (bencode/write-bencode out data)
    (str out)))
`;

const CART = `(ns shop.cart
  (:require [shop.money :as money]))

(def rate #?(:clj 2 :cljs 3))

(defmulti price :kind)
(defmethod price :book [{:keys [amount]}] (money/cents amount))
(defmethod price :default [_] 0)

(defn half [cents]
  (quott cents rate))
`;

const PROJECT = {
  'deps.edn': '{:paths ["src" "test"] :deps {nrepl/nrepl {:local/root "/usr/share/java/nrepl.jar"}}}\n',
  'src/shop/money.clj': MONEY,
  'src/shop/cart.cljc': CART,
  'test/shop/cart_test.clj': `(ns shop.cart-test
  (:require [clojure.test :refer [deftest is testing]]
            [shop.cart :as cart]
            [shop.money :as money]))

(deftest books
  (testing "a book"
    (is (= 200 (cart/price {:kind :book :amount 2})))))

(deftest packs
  (is (= "d1:ai1ee" (money/packed {"a" 1}))))

(deftest old
  (is (= 1 (cart/half 4))))
`,
};

let project: AgentProject;
let agent: Agent;

const inCart = (form_type: string, form_name: string) => ({
  path: 'src/shop/cart.cljc',
  form_type,
  form_name,
});

const tested = async (target = {}) => (await agent.record('run_tests', target)).report;

describe('a project with a deps.edn', () => {
  beforeAll(async () => {
    project = await AgentProject.start({ engine: 'clojure', files: PROJECT });
    agent = agentOf(await project.harbor.client());
  });
  afterAll(() => project.stop());

  it(
    'is read before it is loaded, and each failure to load has its place',
    async () => {
      const cart = await agent.done('read_file', {
        path: 'src/shop/cart.cljc',
        content_pattern: 'cents amount',
      });
      expect(cart.text).not.toContain('(def rate');
      expect(cart.text).toContain('7:\n(defmethod price :book [{:keys [amount]}] (money/cents amount))');
      const found = await agent.done('find', { kind: 'definition', query: 'shop.money/cents' });
      expect(found.text).toContain('src/shop/money.clj:5 (defn cents [amount] …)');
      const failed = await agent.record('load', { system: 'project' });
      expect(failed).toMatchObject({
        outcome: 'error',
        report: {
          loaded: ['shop.money'],
          failures: [
            {
              ...{ file: project.file('src/shop/cart.cljc'), line: 11, context: 'defn half' },
              message: expect.stringContaining('quott'),
            },
          ],
        },
      });
      // What does not load is no pass.
      expect(await tested()).toMatchObject({ runs: [], failures: [{ line: 11 }] });
      const told = await agent.done('describe', { symbol: 'shop.money/cents' });
      expect(told.text).toMatch(/ · src\/shop\/money\.clj:5\n.*The cents of an amount\./s);
    },
    STARTING_MS,
  );

  it('shows the sources of a jar that it depends on, and of no other', async () => {
    const { text } = await agent.done('find', { kind: 'definition', query: 'nrepl.bencode/write-bencode' });
    const [, jar] = /(\/\S+\.jar)!\/nrepl\/bencode\.clj:/.exec(text) ?? [];
    const file = await agent.done('read_file', {
      ...{ path: `${jar}!/nrepl/bencode.clj`, name_pattern: '^defmulti write-bencode' },
    });
    expect(file.text).toContain('(defmulti write-bencode');
    const other = '/usr/share/java/other.jar!/a.clj';
    expect(await agent.refused('read_file', { path: other })).toMatch(
      /^path_not_allowed: .*after their system/,
    );
  });

  it(
    'is edited by its forms, loaded in the order of its needs, and is green',
    async () => {
      const half = { ...inCart('defn', 'half'), operation: 'patch', old_text: 'quott', new_text: 'quot' };
      await agent.done('edit_form', half);
      expect(await agent.record('load', { system: 'project' })).toMatchObject({ outcome: 'ok' });
      const [red] = (await tested())?.runs ?? [];
      expect(red).toMatchObject({
        counts: { passed: 1, failed: 2, errors: 0 },
        failures: [
          {
            ...{ test: 'shop.cart-test/books', expected: '200', actual: '20', reason: 'a book' },
            ...{ file: project.file('test/shop/cart_test.clj'), line: 8 },
          },
          { test: 'shop.cart-test/old', expected: '1', actual: '2' },
        ],
      });
      const cents = { path: 'src/shop/money.clj', form_type: 'defn', form_name: 'cents' };
      const right = { ...cents, operation: 'patch', old_text: '(* 10', new_text: '(* 100' };
      expect((await agent.done('edit_form', { ...right, dry_run: true })).text).toContain(
        '+  (* 100 amount))',
      );
      await agent.done('edit_form', right);
      const total = '(defn total [items]\n  (reduce + (map price items)))';
      const insert = { ...inCart('defmethod', 'price :default'), operation: 'insert_after' };
      expect(await agent.refused('edit_form', { ...insert, content: total.slice(0, -1) })).toMatch(
        /Likely fix/,
      );
      await agent.done('edit_form', { ...insert, content: total });
      const test = { path: 'test/shop/cart_test.clj', form_type: 'deftest' };
      const sums = '(deftest sums\n  (is (= 300 (cart/total [{:kind :book :amount 3}]))))';
      await agent.done('edit_form', {
        ...test,
        form_name: 'books',
        operation: 'insert_after',
        content: sums,
      });
      await agent.done('edit_form', { ...test, form_name: 'old', operation: 'delete' });
      const green = await agent.record('run_tests', {});
      expect(green.report?.runs).toMatchObject([
        {
          tests: ['shop.cart-test/books', 'shop.cart-test/sums', 'shop.cart-test/packs'],
          counts: { passed: 3, failed: 0, errors: 0 },
        },
      ]);
      expect(green.notes.join()).toMatch(/shop\.cart-test\/old does not any more/);
      expect(await agent.refused('run_tests', { test: 'old' })).toContain('There is no test old');
    },
    COMPILING_MS,
  );

  it('has a function renamed in four files by one call, and stays green', async () => {
    const report = `(ns shop.report (:require [shop.cart :refer [price]] [shop.money :as money]))

(defn line [{:keys [amount] :as item}]
  (let [total (price item)] (str (:price item) total (money/cents amount))))
`;
    const path = 'src/shop/report.clj';
    const named = '(deftest named\n  (is (resolve `shop.report/line)))';
    const test = { path: 'test/shop/cart_test.clj', operation: 'insert_after', form_name: 'packs' };
    const ns = { ...test, operation: 'patch', old_text: '[shop.cart :as cart]' };
    await agent.done('edit_form', {
      edits: [
        { path, operation: 'create', content: report },
        { ...test, content: named },
        { ...ns, form_name: 'shop.cart-test', new_text: '[shop.cart :as cart] shop.report' },
      ],
    });
    const renaming = { operation: 'rename', form_name: 'shop.cart/price', new_name: 'cost' };
    const { text } = await agent.done('edit_form', renaming);
    expect(text).toMatch(/^; shop\.cart\/price is now cost: 7 in 3 files\n/);
    expect(project.read(path)).toBe(
      report.replace('[price]', '[cost]').replace('(price item)', '(cost item)'),
    );
    const [run] = (await tested())?.runs ?? [];
    expect(run?.counts).toMatchObject({ passed: 4, failed: 0, errors: 0 });
  });

  it('is confined, and its edits are taken back from the history', async () => {
    expect((await agent.done('images')).text).toMatch(/images confined by/);
    for (const code of ['(slurp "/etc/shadow")', `(spit "${project.library}/new.clj" "")`])
      expect(await agent.record('eval', { code })).toMatchObject({ outcome: 'error' });
    const before = (await agent.done('read_file', { path: 'history:2', collapsed: false })).structured;
    expect(before.content).toBe(MONEY);
    const { structured } = await agent.done('read_file', { path: 'src/shop/money.clj' });
    await agent.done('write_file', {
      ...{ path: 'src/shop/money.clj', content: MONEY, expected_hash: structured.hash },
    });
    expect((await tested())?.runs[0]?.counts).toMatchObject({ failed: 2 });
    expect((await agent.done('history', {})).text).toContain('(run {}) => {:');
  });
});
