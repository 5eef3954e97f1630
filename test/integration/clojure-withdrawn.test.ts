/** Definitions removed from a Clojure file are removed from the image when it is loaded again. */
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

  it('is used by no local that has its name', async () => {
    const rest = '(defn pay [{:keys [coins]} price] (let [change (fn [coins] coins)] (change coins)))';
    write({ 'src/local.clj': `(ns local)\n(defn coins [n] n)\n${rest}` });
    await load({ systems: ['local'] });
    write({ 'src/local.clj': `(ns local)\n(defn pieces [n] n)\n${rest}` });
    expect(await load({ systems: ['local'] })).toMatchObject({
      outcome: 'ok',
      notes: [`${file('src/local.clj')} no longer defines local/coins, so this was taken out of the image.`],
    });
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

describe('what stands in a file is not taken for lost', () => {
  const standing: Record<string, [definitions: string, intact: string]> = {
    'a name that clojure.core has too': ['(defn update [] 1)', '(update)'],
    'an implementation for a record, which is another class each time': [
      '(defprotocol Named (called [it])) (defrecord R []) (extend-protocol Named R (called [_] 1))',
      '(called (->R))',
    ],
    'an implementation for a type': [
      '(defprotocol Named (called [it])) (deftype T []) (extend-type T Named (called [_] 1))',
      '(called (->T))',
    ],
    'methods for a record, alone and within data': [
      '(defmulti kind identity) (defrecord R []) (defmethod kind R [_] 1) (defmethod kind [R :x] [_] 1)',
      '(* (kind R) (kind [R :x]))',
    ],
    'what is defined after its name was unmapped': ["(ns-unmap *ns* 'f) (defn f [] 1)", '(f)'],
    'what a macro defines only where it is missing': [
      "(defmacro once [n v] `(when-not (some-> (resolve '~n) bound?) (def ~n ~v))) (once thing 1)",
      'thing',
    ],
    'what is defined in a namespace that is made anew': [
      '(remove-ns (ns-name *ns*)) (ns NAME) (def y 1)',
      'y',
    ],
  };

  it.each(Object.entries(standing))('%s', async (what, [definitions, intact]) => {
    const name = `standing.case${Object.keys(standing).indexOf(what)}`;
    const source = `src/${name.replace('.', '/')}.clj`;
    write({ [source]: `(ns ${name})\n${definitions.replace('NAME', name)}` });
    for (const target of [{ systems: [name] }, { systems: [name] }, { file: file(source) }])
      expect(await load(target)).toMatchObject({ outcome: 'ok', notes: [] });
    expect(await valueIn(`(in-ns '${name}) ${intact}`)).toBe('1');
    await image.evaluate("(in-ns 'user)");
  });

  it('nor are methods that another file made which was required meanwhile, or has the same namespace', async () => {
    write({
      'src/parts/kinds.clj': '(ns parts.kinds)\n(defmulti kind identity)',
      'src/parts/more.clj': '(ns parts.more (:require [parts.kinds :as k]))\n(defmethod k/kind :more [_] 1)',
      'src/parts/whole.clj':
        '(ns parts.whole (:require [parts.kinds :as k] parts.more))\n(defmethod k/kind :whole [_] 1)',
      'whole_too.clj': '(ns parts.whole (:require [parts.kinds :as k]))\n(defmethod k/kind :too [_] 1)',
    });
    for (const each of ['src/parts/whole.clj', 'src/parts/whole.clj', 'whole_too.clj', 'src/parts/whole.clj'])
      expect(await load({ file: file(each) })).toMatchObject({ outcome: 'ok', notes: [] });
    expect(await valueIn('(vec (sort (keys (methods parts.kinds/kind))))')).toBe('[:more :too :whole]');
  });

  it('nor are names that are made known the first time only', async () => {
    write({
      'src/once.clj':
        "(ns once)\n(defonce ready (do (require '[clojure.set :as sets]) (import 'java.util.Date) 1))\n(defn f [] [(sets/union #{1}) Date])",
    });
    for (const _ of [1, 2, 3])
      expect(await load({ file: file('src/once.clj') })).toMatchObject({ outcome: 'ok', notes: [] });
  });

  it('nor is a namespace whose compiled class is newer than its source', async () => {
    write({
      'src/early.clj': '(ns early (:require [clojure.set :as sets]))\n(defn f [] (count (sets/union #{1})))',
    });
    await image.evaluate('(binding [*compile-path* "src"] (compile (quote early)))');
    for (const _ of [1, 2])
      expect(await load({ systems: ['early'] })).toMatchObject({ outcome: 'ok', notes: [] });
    expect(await valueIn('(early/f)')).toBe('1');
  });
});
