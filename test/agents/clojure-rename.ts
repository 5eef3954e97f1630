/** A function of a Clojure project gets another name, in four files that know it by four ways. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Task } from './task.ts';

const FILES = {
  'deps.edn': '{:paths ["src" "test"]}\n',
  'src/shop/price.clj': `(ns shop.price
  "Prices in cents.")

(defn total
  "What \`count\` pieces cost; the total of nothing is 0."
  [each count]
  (* each count))

(defn half [each]
  (quot (total each 1) 2))
`,
  'src/shop/cart.clj': `(ns shop.cart
  (:require [shop.price :as price]))

(defn sum [lines]
  ;; The total of each line.
  (reduce + (map (fn [[each count]] (price/total each count)) lines)))

(defn report [lines]
  (let [total (sum lines)]
    (str "total: " total)))
`,
  'src/shop/order.clj': `(ns shop.order
  (:require [shop.price :refer [total]]
            [shop.cart :as cart]))

(defn single [{:keys [each]}]
  {:total (total each 1)})

(defn many [orders]
  {:total (cart/sum (map (juxt :each :count) orders))
   :each (mapv #(total (:each %) (:count %)) orders)})
`,
  'test/shop/price_test.clj': `(ns shop.price-test
  (:require [clojure.test :refer [deftest is]]
            [shop.cart :as cart]
            [shop.order :as order]
            shop.price))

(deftest prices
  (is (= 6 (shop.price/total 2 3)))
  (is (= 1 (shop.price/half 2)))
  (is (= "total: 6" (cart/report [[2 3]])))
  (is (= {:total 2} (order/single {:each 2})))
  (is (= {:total 6 :each [6]} (order/many [{:each 2 :count 3}]))))
`,
};

const TESTING = `java -cp /usr/share/java/clojure.jar:/usr/share/java/spec.alpha.jar:/usr/share/java/core.specs.alpha.jar:src:test clojure.main -e "(require 'shop.price-test) (let [{:keys [fail error]} (clojure.test/run-tests 'shop.price-test)] (System/exit (+ fail error)))"`;

export const clojureRename: Task = {
  what: 'a rename in a Clojure project',
  engine: 'clojure',
  prepare(project) {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text);
    }
  },
  async tools(agent) {
    const renaming = {
      operation: 'rename',
      path: 'src/shop/price.clj',
      form_name: 'total',
      new_name: 'cost',
    };
    await agent.call('edit_form', renaming, /cart\.clj[\s\S]*order\.clj[\s\S]*price_test\.clj/);
    await agent.call('run_tests', {}, /5 passed in 1 test/);
  },
  shell: [
    'grep -rnw total src test',
    `sed -i -E 's/\\(defn total/(defn cost/; s/\\(total /(cost /g' src/shop/price.clj && sed -i 's|price/total|price/cost|' src/shop/cart.clj test/shop/price_test.clj && sed -i -E 's/\\[total\\]/[cost]/; s/\\(total /(cost /g' src/shop/order.clj`,
    'grep -rnw -e total -e cost src test',
    TESTING,
  ],
  goal: 2_000,
};
