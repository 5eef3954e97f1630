/** A project for nbb with a bug in what is asynchronous, and its tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Task } from './task.ts';

const FILES = {
  'nbb.edn': '{:paths ["src" "test"]}\n',
  'src/shop/slow.cljs': `(ns shop.slow)

(defn price [each]
  (js/Promise.resolve each))

(defn total [each count]
  (.then (price each) (fn [each] (+ each count))))
`,
  'test/shop/slow_test.cljs': `(ns shop.slow-test
  (:require [cljs.test :refer [deftest is async]]
            [shop.slow :as slow]))

(deftest prices
  (async done
    (.then (slow/price 2) (fn [price] (is (= 2 price)) (done)))))

(deftest totals
  (async done
    (.then (slow/total 2 3) (fn [total] (is (= 6 total)) (done)))))
`,
};

const NBB = path.join(path.dirname(createRequire(import.meta.url).resolve('nbb/package.json')), 'cli.js');

/** nbb ends with 0 whatever its tests say. */
const TESTING = `ELECTRON_RUN_AS_NODE=1 '${process.execPath}' '${NBB}' -e "(require '[cljs.test :as t] 'shop.slow-test) (defmethod t/report [:cljs.test/default :end-run-tests] [m] (when-not (t/successful? m) (js/process.exit 1))) (t/run-tests 'shop.slow-test)"`;

export const nbbProject: Task = {
  what: 'a bug in a project for nbb',
  engine: 'nbb',
  prepare(project) {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text);
    }
  },
  async tools(agent) {
    await agent.call('run_tests', {}, /totals[\s\S]*5/);
    const edit = { path: 'src/shop/slow.cljs', operation: 'patch', form_type: 'defn', form_name: 'total' };
    await agent.call(
      'edit_form',
      { ...edit, old_text: '(+ each count)', new_text: '(* each count)' },
      /Written/,
    );
    await agent.call('run_tests', {}, /2 passed in 2 tests/);
  },
  shell: [
    TESTING,
    'cat src/shop/slow.cljs',
    `sed -i 's/(+ each count)/(* each count)/' src/shop/slow.cljs`,
    TESTING,
  ],
  goal: 800,
};
