/** References to a name in Clojure, found in sources: locals of the same name do not count. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

const LOCALS = [
  '(defn a [cents] (cents 1))',
  '(defn b [] (let [cents 1 x cents] (cents x)))',
  '(defn c [{:keys [cents]} & [d]] (fn [x] (cents x)))',
  '(defn d [xs] (for [[cents] xs :let [y cents] :when cents] cents))',
  '(defn e [] (letfn [(cents [n] (cents n))] (cents 1)))',
  '(defn f [] (try 1 (catch Exception cents cents)))',
  '(defn g [x] (as-> x cents (inc cents)))',
  '(defn h [] (loop [cents 1] (when-let [cents cents] (recur cents))))',
  '(defrecord I [cents] Object (toString [_] (str cents)))',
  '(defn j [] (reify Runnable (run [cents] cents)))',
  '(defn k [x] (.cents x) (. x cents))',
];

const USES = [
  ['calls', 'own-value', '(defn own-value [] (let [y (cents 1) cents 2] cents))'],
  ['calls', 'other-branch', '(defn other-branch [x] (if-let [cents x] cents (cents 2)))'],
  ['calls', 'qualified', '(defn qualified [cents] (m/cents cents))'],
  ['references', 'handed-on', '(defn handed-on [xs] (->> xs (map cents)))'],
  ['calls', 'threaded', '(defn threaded [x] (-> x cents))'],
  ['references', 'backquoted', '(defmacro backquoted [cents] `(cents ~cents))'],
  ['calls', 'tested', '(deftest tested (is (= 1 (cents 1))))'],
  ['references', 'named', "(def named {:cents #'cents})"],
  ['references', 'implemented', '(extend-type String m/Coin (cents [it] it))'],
  [
    'calls',
    'odd',
    '(defmacro dsl [& _])\n(defn odd []\n (dsl (catch (cents))\n  (let* (cents) x)\n  (fn* (cents))))',
  ],
] as const;

const TILL = [
  '(ns coins.till (:require [clojure.test :refer [deftest is]] [coins.money :as m :refer [cents]]))',
  ...LOCALS,
  ...USES.map(([, , code]) => code),
  "(def data '{:it cents})",
  '(defn chosen [x] (case x cents 1 2))',
].join('\n');

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) =>
    writeFiles(project, {
      'src/coins/money.clj': '(ns coins.money)\n(defprotocol Coin (cents [n]))',
      'src/coins/till.clj': TILL,
    }),
  );
}, STARTING_MS);
afterAll(() => image.end());

const found = async (kind: 'references' | 'callers') => {
  const answer = await image.image.knowledge?.find({ kind, query: 'coins.money/cents', limit: 50 });
  return answer?.results.map((each) => [each.kind, each.text.replace('coins.till/', '')]);
};

it('leaves out locals, and tells data from what is called or handed on', async () => {
  expect((await image.evaluate("(require 'coins.till)")).condition).toBeNull();
  const uses = USES.map(([kind, name]) => [kind, name === 'implemented' ? 'String' : name]);
  uses.push(['calls', 'odd'], ['calls', 'odd']);
  const named = [
    ['references', 'data'],
    ['references', 'chosen'],
  ];
  expect(await found('references')).toEqual([...uses, ...named]);
  expect(await found('callers')).toEqual(uses);
});
