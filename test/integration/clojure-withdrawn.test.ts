/** What a file of Clojure has lost since it was last loaded goes out of the image: a fresh one would not have it either. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadTarget } from '../../electron/images/optional-groups';
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
const test = (system: string) => image.test({ system });
const valueIn = async (code: string) => {
  const { values, condition } = await image.evaluate(code);
  return condition?.message ?? values.at(-1)?.[0];
};

describe('a definition that was renamed', () => {
  beforeAll(() =>
    write({
      'src/money.clj': '(ns money)\n(defn cents [n] (* 100 n))',
      'src/cart.clj': '(ns cart (:require [money :as m]))\n\n(defn total [n] (m/cents n))\n(defn empty [] 0)',
      'test/cart_test.clj':
        '(ns cart-test (:require [cart] [clojure.test :refer [deftest is]]))\n(deftest starts (is (= 0 (cart/empty))))',
    }),
  );

  it('is gone for callers that were compiled before, and they are told', async () => {
    expect((await test('cart')).report?.runs[0]?.counts).toMatchObject({ passed: 1, errors: 0 });
    write({ 'src/money.clj': '(ns money)\n(defn pence [n] (* 100 n))' });
    const { notes } = await load({ file: file('src/money.clj') });
    expect(notes).toEqual([
      `${file('src/money.clj')} no longer defines money/cents, so this was taken out of the image. It is still used by cart/total (${file('src/cart.clj')}:3).`,
    ]);
    expect(await valueIn('(money/cents 1)')).toMatch(/No such var: money\/cents/);
    expect(await valueIn('(cart/total 1)')).toMatch(/unbound fn: #'money\/cents/);
  });

  it('lets the tests of what still calls it fail, although that was loaded before', async () => {
    const { outcome, report } = await test('cart');
    expect(outcome).toBe('error');
    expect(report).toMatchObject({
      runs: [],
      failures: [{ message: 'No such var: m/cents', file: file('src/cart.clj'), line: 3 }],
    });
  });

  it('that is there again serves code that was compiled with it', async () => {
    write({ 'src/cart.clj': '(ns cart (:require [money :as m]))\n(defn total [n] (m/pence n))' });
    await load({ systems: ['cart'] });
    write({ 'src/money.clj': '(ns money)\n(defn cents [n] n)' });
    await load({ file: file('src/money.clj') });
    expect(await valueIn('(cart/total 1)')).toMatch(/unbound fn: #'money\/pence/);
    write({ 'src/money.clj': '(ns money)\n(defn pence [n] (* 100 n))' });
    await load({ file: file('src/money.clj') });
    expect(await valueIn('(cart/total 1)')).toBe('100');
  });

  it('fails its own file where that still calls it, each time', async () => {
    write({ 'src/own.clj': '(ns own)\n(defn old [] 1)\n(defn caller [] (old))' });
    await load({ systems: ['own'] });
    write({ 'src/own.clj': '(ns own)\n(defn new-one [] 1)\n(defn caller [] (old))' });
    for (const _ of [1, 2]) {
      const { outcome, report } = await load({ systems: ['own'] });
      expect(outcome).toBe('error');
      expect(report?.failures).toMatchObject([
        { message: 'Unable to resolve symbol: old in this context', line: 3 },
      ]);
    }
    write({ 'src/own.clj': '(ns own)\n(defn new-one [] 1)\n(defn caller [] (new-one))' });
    expect(await load({ systems: ['own'] })).toMatchObject({ outcome: 'ok', notes: [] });
  });
});

it('methods, implementations of protocols, records and what the ns form named go as well', async () => {
  write({
    'src/shapes.clj': `(ns shapes)
(defmulti area :kind)
(defprotocol Named (called [it]))
(defrecord Point [x])`,
    'src/kinds.clj': `(ns kinds (:require [shapes :as s :refer [called]] [clojure.set :as sets]) (:import java.util.Date))
(defmethod s/area :square [_] 1)
(defmethod s/area :circle [_] 2)
(extend-protocol s/Named String (called [it] it) Long (called [it] "n"))
(defrecord Kind [n])`,
  });
  await load({ systems: ['kinds'] });
  await image.evaluate(
    "(in-ns 'kinds) (require '[clojure.walk :as typed]) (defmethod s/area :typed [_] 3) (in-ns 'user)",
  );
  expect(await load({ systems: ['kinds'] })).toMatchObject({ outcome: 'ok', notes: [] });
  write({
    'src/kinds.clj': `(ns kinds (:require [shapes :as s]))
(defmethod s/area :circle [_] 2)
(extend-protocol s/Named Long (called [it] "n"))`,
  });
  const { notes } = await load({ systems: ['kinds'] });
  expect(notes).toHaveLength(1);
  for (const lost of ['kinds/->Kind', 'shapes/area for :square', 'shapes/Named for java.lang.String'])
    expect(notes[0]).toContain(lost);
  expect(await valueIn('(vec (sort (keys (methods shapes/area))))')).toBe('[:circle :typed]');
  expect(await valueIn('[(satisfies? shapes/Named 1) (satisfies? shapes/Named "")]')).toBe('[true false]');
  expect(await valueIn("(map #(some? (get (ns-map 'kinds) %)) '[Kind Date called])")).toBe(
    '(false false false)',
  );
  expect(await valueIn("(vec (sort (keys (ns-aliases 'kinds))))")).toBe('[s typed]');
});

it('what was typed, what is made only where it is missing, and defonce stay', async () => {
  const kept =
    '(ns kept)\n(defonce state (atom 0))\n(when-not (some-> (resolve (quote kept/guarded)) bound?) (def guarded 1))';
  write({ 'src/kept.clj': `${kept}\n(defn typed [] 1)` });
  await load({ systems: ['kept'] });
  await image.evaluate("(in-ns 'kept) (defn typed [] 2) (reset! state 7) (in-ns 'user)");
  write({ 'src/kept.clj': kept });
  expect(await load({ systems: ['kept'] })).toMatchObject({ outcome: 'ok', notes: [] });
  expect(await valueIn('[@kept/state kept/guarded (kept/typed)]')).toBe('[7 1 2]');
});

it('a file that does not load takes nothing out', async () => {
  write({ 'src/half.clj': '(ns half (:require [clojure.set :as sets]))\n(defn f [] 1)' });
  await load({ systems: ['half'] });
  write({ 'src/half.clj': '(ns half)\n(unknown)' });
  expect(await load({ systems: ['half'] })).toMatchObject({ outcome: 'error', notes: [] });
  expect(await valueIn("[(half/f) (some? (get (ns-aliases 'half) 'sets))]")).toBe('[1 true]');
});
