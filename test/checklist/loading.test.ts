/** Rows about loading systems and files, resets and tests, spoken to a started harbor. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate, values } from '../evaluation';
import { system, writeFiles } from '../integration/loading-fixture';
import { sharedHarbor } from '../shared-harbor';
import { ONE_WAY, type StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

describe.each(ONE_WAY)('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way);
    writeFiles(harbor.project, {
      'shop.asd': system('shop', '(:file "package") (:file "shop")', ':serial t'),
      'package.lisp': '(defpackage :shop (:use :cl) (:export #:price))\n',
      'shop.lisp': '(in-package :shop)\n(defun price (n) (* 2 n))\n(defun sum (x) (+ x "1"))\n',
      'shop-tests.asd': system('shop-tests', '(:file "tests")', ':depends-on ("shop" "fiveam")'),
      'tests.lisp': `(defpackage :shop-tests (:use :cl :fiveam))
(in-package :shop-tests)
(def-suite prices)
(in-suite prices)
(test dear (is (= 8 (shop:price 4))))
(test cheap (is (= 1 (shop:price 1))))
`,
      'plain.lisp': '(defun plain () :plain)\n(defvar *plain* 7)\n',
    });
  });
  afterAll(() => harbor.stop());

  const load = (args: Record<string, unknown>) => call<EvaluationRecord>(client, 'load', args);
  const open = async () =>
    (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' })).structured.session;

  describe('loading', () => {
    it('S1-2 finds and loads ASDF systems', async () => {
      expect(await values(client, '(asdf:component-name (asdf:find-system "shop"))')).toEqual(['"shop"']);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['load', 'run_tests']));
    });

    it('S1-18 S2-11 loads a library, and names a system that it does not know', async () => {
      const session = await open();
      const { structured, text, isError } = await load({ system: 'alexandria', session });
      expect(isError).toBe(false);
      expect(structured.report?.loaded).toEqual(['alexandria']);
      expect(text).toContain('loaded alexandria');
      const unknown = await load({ system: 'no-such-system', session });
      expect(unknown.isError).toBe(true);
      expect(unknown.text).toContain('no-such-system');
    });

    it('S2-59 answers the compiler’s output, and its warnings with file and line', async () => {
      const session = await open();
      const { structured, text, isError } = await load({ system: 'shop', session });
      const file = `${harbor.project}/shop.lisp`;
      expect(structured.stdout).toContain(`; compiling ${file}`);
      expect(structured.warnings).toContainEqual(
        expect.objectContaining({ severity: 'warning', file, line: 3, column: 16, source: '(+ X "1")' }),
      );
      expect(text).toContain('shop.lisp:3:16 in DEFUN SUM');
      expect(isError).toBe(true);
    });

    it('S1-10 says of Quicklisp whether it is here', async () => {
      const { structured } = await load({ system: 'only-quicklisp-has-this', session: await open() });
      expect(structured.notes.join()).toMatch(/Quicklisp is (in|not installed)/);
    });

    it('S1-26 picks up a changed export list', async () => {
      const session = await open();
      writeFiles(harbor.project, {
        'zoo.asd': system('zoo', '(:file "zoo")'),
        'zoo.lisp': '(defpackage :zoo (:use :cl) (:export #:cat))\n(in-package :zoo)\n(defun cat () 1)\n',
      });
      await load({ system: 'zoo', session });
      writeFiles(harbor.project, {
        'zoo.lisp':
          '(defpackage :zoo (:use :cl) (:export #:cat #:dog))\n(in-package :zoo)\n(defun dog () 2)\n',
      });
      await load({ system: 'zoo', session });
      expect(await values(client, '(zoo:dog)', { session })).toEqual(['2']);
    });

    it('S1-21 loads once, redefines, tests, and goes on with what it has', async () => {
      const session = await open();
      await load({ path: 'plain.lisp', session });
      expect(await values(client, '(plain)', { session })).toEqual([':PLAIN']);
      await evaluate(client, '(defun plain () :better)', { session });
      expect(await values(client, '(plain)', { session })).toEqual([':BETTER']);
    });

    it('S3-15 loads a .lisp file; a missing one, or one elsewhere, is an error', async () => {
      const session = await open();
      expect((await load({ path: 'plain.lisp', session })).isError).toBe(false);
      expect(await values(client, '*plain*', { session })).toEqual(['7']);
      expect((await load({ path: 'missing.lisp', session })).text).toMatch(/^file_missing: /);
      expect((await load({ path: '/etc/passwd', session })).text).toMatch(/^file_not_allowed: /);
    });
  });

  describe('a reset', () => {
    it('S1-32 S3-18 is a fresh image under the same handle; loaded systems stay', async () => {
      const session = await open();
      await load({ system: 'alexandria', session });
      await evaluate(client, '(defun my-fn () 42) (defvar *my-var* 100)', { session });
      const reset = await load({ session });
      expect(reset.structured).toMatchObject({ session, outcome: 'ok', report: { loaded: ['alexandria'] } });
      expect(reset.structured.notes.join()).toContain('fresh (generation 2)');
      const gone = async (code: string) =>
        (await evaluate(client, code, { session })).structured.condition?.type;
      expect(await gone('(my-fn)')).toBe('UNDEFINED-FUNCTION');
      expect(await gone('*my-var*')).toBe('UNBOUND-VARIABLE');
      expect(await values(client, '(alexandria:iota 3)', { session })).toEqual(['(0 1 2)']);
      await load({ session, fresh: true });
      expect(await values(client, '(find-package :alexandria)', { session })).toEqual(['NIL']);
    });
  });

  describe('tests', () => {
    it('S1-14 S1-25 run as a whole system, as a suite or alone, and tell what failed', async () => {
      const session = await open();
      writeFiles(harbor.project, { 'shop.lisp': '(in-package :shop)\n(defun price (n) (* 2 n))\n' });
      const run = async (args: Record<string, unknown>) =>
        call<EvaluationRecord>(client, 'run_tests', { session, ...args });
      const whole = await run({ system: 'shop' });
      expect(whole.structured.report?.runs).toMatchObject([
        { framework: 'fiveam', counts: { passed: 1, failed: 1, errors: 0, skipped: 0 } },
      ]);
      expect(whole.structured.report?.runs[0]?.failures).toMatchObject([
        { test: 'SHOP-TESTS::CHEAP', form: '(= 1 (SHOP:PRICE 1))', expected: '1', actual: '2', line: 6 },
      ]);
      expect(whole.text).toContain('1 passed, 1 failed in 2 tests');
      const suite = await run({ system: 'shop', test: 'prices' });
      expect(suite.structured.report?.runs[0]?.counts).toMatchObject({ passed: 1, failed: 1 });
      const alone = await run({ system: 'shop', test: 'dear' });
      expect(alone.structured.report?.runs[0]?.counts).toMatchObject({ passed: 1, failed: 0 });
      const printed = await evaluate(client, "(fiveam:run! 'shop-tests::prices)", { session });
      expect(printed.structured.stdout).toMatch(/Fail: 1/);
    });

    it('S2-57 run by asdf:test-system, with what they say', async () => {
      const session = await open();
      const operation = ':perform (asdf:test-op (o c) (format t "~&all 3 are well~%"))';
      writeFiles(harbor.project, { 'lisp-mcp-server.asd': system('lisp-mcp-server', '', operation) });
      const tested = await evaluate(client, '(asdf:test-system "lisp-mcp-server")', { session });
      expect(tested.structured).toMatchObject({ outcome: 'ok', values: ['T'] });
      expect(tested.structured.stdout).toContain('all 3 are well');
      const asked = await call<EvaluationRecord>(client, 'run_tests', { session, system: 'lisp-mcp-server' });
      expect(asked.structured.report?.runs).toMatchObject([
        { framework: 'test-op', tests: ['lisp-mcp-server'], failures: [] },
      ]);
      expect(asked.structured.stdout).toContain('all 3 are well');
    });

    it('of nbb load and run in as few words, and a promise that never settles is a job', async () => {
      const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'nbb' });
      const nbb = { session: structured.session };
      writeFiles(harbor.project, {
        'src/nbb_shop.cljs': '(ns nbb-shop)\n(defn total [all]\n  (reduce + all))',
        'test/nbb_shop_test.cljs':
          '(ns nbb-shop-test (:require [cljs.test :as t] [nbb-shop :as shop]))\n(t/deftest totals\n  (t/is (= 3 (shop/total [1 2])))\n  (t/is (= 5 (shop/total [1 2]))))',
      });
      const loaded = await call(client, 'load', { ...nbb, path: 'src/nbb_shop.cljs' });
      expect(loaded.text).toMatch(/^loaded nbb-shop(?:\n; [^\n]*)?$/);
      const tested = await call(client, 'run_tests', { ...nbb, system: 'nbb-shop', framework: 'cljs.test' });
      expect(tested.text).toMatch(
        /^loaded nbb-shop-test\ncljs\.test: 1 passed, 1 failed in 1 test\nFAILED nbb-shop-test\/totals at test\/nbb_shop_test\.cljs:4\n {4}form: \(= 5 \(shop\/total \[1 2\]\)\)\n {4}expected: 5\n {4}actual: 3(?:\n; [^\n]*)?$/,
      );
      const waits = await evaluate(client, '(js/Promise. (fn [_] (def waits 1)))', { ...nbb, wait_ms: 0 });
      const { job } = waits.structured;
      expect(waits.structured.outcome).toBe('running');
      const given = await call<EvaluationRecord>(client, 'job', { job, action: 'cancel' });
      expect(given.structured.outcome).toBe('interrupted');
      expect((await evaluate(client, '(nbb-shop/total [waits 1])', nbb)).structured.forms).toEqual([
        { values: ['2'] },
      ]);
    });
  });
});
