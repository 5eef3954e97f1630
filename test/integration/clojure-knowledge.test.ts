/** Queries about names in Clojure, in parallel to evaluations. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindRequest } from '../../electron/contract/knowledge';
import { noteTexts } from '../../electron/contract/note';
import type { Knowledge } from '../../electron/images/optional-groups';
import { form as read } from '../forms';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

const CART = `(ns shop.cart
  "Carts of a shop."
  (:require [clojure.string :as str]))

(defrecord Cart [owner ^long items])

(defprotocol Priced
  "Things with a price."
  (price [it] [it currency] "What it costs."))

(defn ^{:deprecated "1.2"} total
  "Adds
  them."
  ([prices] (total prices 0))
  ([prices start] (reduce + start prices)))

(defn- hidden [x] (str/upper-case x)) (def rates {:eur 1.5})
(def numbers (map (fn [n] (println "realized") n) [1 2]))
(defmulti area "Its area." :shape)
(defmethod area :circle [_] 1)
(defmacro twice [form] \`(do ~form ~form))
(declare later)
`;

const DESK = `(ns shop.desk
  (:require [shop.cart :as cart :refer [total]]))

(defn checkout [prices]
  (println "(cart/total)" (cart/total prices))
  (-> prices
      total
      inc))

(def adder #'cart/total)
(defn all [orders] (map total orders))
(defn sum [{:keys [total]}] (let [names '[total]] (conj names total)))
(defn rate [] (:eur cart/rates))
`;

let image: ClojureTestImage;
let knowledge: Knowledge;
let cart: string;
let desk: string;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) => {
    writeFiles(project, { 'src/shop/cart.clj': CART, 'src/shop/desk.clj': DESK });
    [cart, desk] = ['cart', 'desk'].map((name) => path.join(project, `src/shop/${name}.clj`)) as [
      string,
      string,
    ];
  });
  if (!image.image.knowledge) throw new Error('it has no knowledge');
  knowledge = image.image.knowledge;
  await image.evaluate("(require 'shop.desk) (ns desk.two (:require [shop.cart :as c])) (in-ns 'user)");
}, STARTING_MS);
afterAll(() => image.end());

const definition = async (symbol: string) => (await knowledge.describe({ symbol })).definitions[0];

function find(kind: FindRequest['kind'], query: string, more: Partial<FindRequest> = {}) {
  return knowledge.find({ kind, query, limit: 50, ...more });
}

const texts = async (...args: Parameters<typeof find>) =>
  (await find(...args)).results.map(({ text }) => text);

describe('describe', () => {
  it('tells of a function its arguments, documentation, marks, place and source', async () => {
    const { symbol, status, definitions } = await knowledge.describe({ symbol: 'shop.cart/total' });
    expect({ symbol, status }).toEqual({
      symbol: 'shop.cart/total',
      status: 'public in shop.cart, seen from user',
    });
    expect(definitions).toEqual([
      {
        kind: 'function',
        name: 'shop.cart/total',
        arglist: '([prices] [prices start])',
        documentation: 'Adds\n  them.',
        source: { file: cart, line: 11 },
        marks: ['deprecated since 1.2'],
        code: CART.slice(CART.indexOf('(defn ^'), CART.indexOf('\n\n(defn- hidden')),
      },
    ]);
  });

  it('looks names up in the namespace that is asked for, by its aliases, or by that of the session', async () => {
    expect((await knowledge.describe({ symbol: 'c/total', package: 'desk.two' })).status).toBe(
      'public in shop.cart, seen from desk.two',
    );
    expect((await knowledge.describe({ symbol: "#'map" })).definitions[0]).toMatchObject({
      name: 'clojure.core/map',
      source: {
        file: expect.stringMatching(/\/clojure-[\d.]+\.jar!\/clojure\/core\.clj$/),
        line: expect.any(Number),
      },
      code: expect.stringMatching(/^\(defn map\n/),
    });
  });

  it.each([
    [
      'shop.cart/hidden',
      { kind: 'function', marks: ['private'], code: '(defn- hidden [x] (str/upper-case x))' },
    ],
    ['shop.cart/rates', { kind: 'variable', value: '{:eur 1.5}', code: '(def rates {:eur 1.5})' }],
    ['shop.cart/numbers', { kind: 'variable', value: '(a lazy sequence, not realized)' }],
    ['shop.cart/later', { kind: 'variable', unbound: true }],
    ['shop.cart/twice', { kind: 'macro', arglist: '([form])' }],
    ['shop.cart/area', { kind: 'multimethod', methods: [{ text: ':circle' }], total: 1 }],
    [
      'shop.cart/Priced',
      {
        kind: 'protocol',
        methods: [{ text: '(price [it] [it currency])', documentation: 'What it costs.' }],
      },
    ],
    ['shop.cart/price', { kind: 'protocol function', source: { line: 7 } }],
    [
      'shop.cart.Cart',
      {
        kind: 'record',
        slots: [{ name: 'owner' }, { name: 'items', details: 'of type long' }],
        source: { line: 5 },
      },
    ],
    ['shop.cart', { kind: 'namespace', documentation: 'Carts of a shop.', users: ['desk.two', 'shop.desk'] }],
    ['clojure.core/*out*', { kind: 'dynamic variable' }],
    ['if', { kind: 'special form', arglist: '[(if test then else?)]' }],
    ['let', { kind: 'macro', arglist: '[(let [bindings*] exprs*)]' }],
    ['String', { kind: 'class', name: 'java.lang.String' }],
    ['java.util.Map', { kind: 'interface' }],
    ['Math/abs', { kind: 'static method', arglist: '([double] [float] [int] [long])' }],
  ])('of %s tells what it is', async (symbol, expected) => {
    expect(await definition(symbol)).toMatchObject(expected);
  });

  it('refuses what stands for nothing, with names that are near', async () => {
    await expect(definition('upper-case')).rejects.toMatchObject({
      code: 'unknown_symbol',
      message: 'There is no upper-case in user. There is clojure.string/upper-case.',
    });
    await expect(knowledge.describe({ symbol: 'x', package: 'no.where' })).rejects.toMatchObject({
      code: 'unknown_package',
    });
    await expect(definition('") (println "ran')).rejects.toMatchObject({ code: 'unknown_symbol' });
  });
});

describe('find', () => {
  it('definitions, with their exact lines', async () => {
    expect((await find('definitions', 'shop.cart/rates')).results).toEqual([
      { kind: 'variable', text: 'shop.cart/rates', source: { file: cart, line: 17 } },
    ]);
    expect((await find('definitions', 'shop.desk')).results).toEqual([
      { kind: 'namespace', text: 'shop.desk', source: { file: desk, line: 1 } },
    ]);
  });

  it('callers and references, by reading sources, and says so', async () => {
    const called = { kind: 'calls', text: 'shop.desk/checkout' };
    const { results, total, notes, symbol, files } = await find('callers', 'shop.cart/total');
    expect(results).toEqual([
      { kind: 'calls', text: 'shop.cart/total', source: { file: cart, line: 14 } },
      { ...called, source: { file: desk, line: 5 } },
      { ...called, source: { file: desk, line: 6 } },
      { kind: 'references', text: 'shop.desk/adder', source: { file: desk, line: 10 } },
      { kind: 'references', text: 'shop.desk/all', source: { file: desk, line: 11 } },
    ]);
    expect(total).toBe(5);
    expect((await find('callers', 'shop.cart/rates')).results).toEqual([]);
    expect(noteTexts(notes ?? []).join()).toMatch(/made by macros, does not count/);
    expect([symbol, files?.toSorted()]).toEqual(['shop.cart/total', [cart, desk].toSorted()]);
    const references = await find('references', 'total', { package: 'shop.desk' });
    expect(references.results.map(({ text, source }) => [text, source])).toEqual([
      ['shop.cart/total', { file: cart, line: 14 }],
      ...[5, 6].map((line) => ['shop.desk/checkout', { file: desk, line }]),
      ['shop.desk/adder', { file: desk, line: 10 }],
      ['shop.desk/all', { file: desk, line: 11 }],
      ['shop.desk/sum', { file: desk, line: 12 }],
    ]);
    await expect(find('callers', 'String')).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('names by a part, of a namespace, of a kind, or exported only', async () => {
    expect(await texts('apropos', 'TOTAL')).toEqual(['shop.cart/total']);
    expect(await texts('apropos', 'shop.')).toEqual(['shop.cart', 'shop.desk']);
    expect(await texts('apropos', '', { in: 'shop.cart', only: ['macro'] })).toEqual(['shop.cart/twice']);
    expect(await texts('apropos', 'hidden', { in: 'shop.cart' })).toEqual(['shop.cart/hidden']);
    expect(await texts('apropos', 'hidden', { in: 'shop.cart', external: true })).toEqual([]);
    expect(await find('apropos', 'map', { limit: 1 })).toMatchObject({
      results: [{ text: 'clojure.core/map' }],
      total: expect.any(Number),
    });
  });

  it.each([
    ['shop.cart/to', ['shop.cart/total']],
    ['c/t', ['c/total', 'c/twice']],
    ['ma-i', ['map-indexed']],
    ['Math/ab', ['Math/abs', 'Math/absExact']],
    ['shop.d', ['shop.desk']],
    ['defproto', ['defprotocol']],
    ['(', []],
  ])('completions of %s', async (query, expected) => {
    expect(await texts('completions', query, { package: 'desk.two' })).toEqual(expected);
  });

  it('what was evaluated and is in no file, with evaluation and line', async () => {
    await image.evaluate('1\n(defn typed [x]\n  x) (def answer 42)');
    const { results, total } = await find('unsaved', '');
    expect(total).toBe(2);
    expect(results).toEqual([
      {
        ...{ kind: 'variable', text: 'user/answer', value: '42' },
        source: { evaluation: expect.any(Number), line: 3 },
      },
      {
        kind: 'function',
        text: 'user/typed',
        arglist: '([x])',
        source: expect.objectContaining({ line: 2 }),
      },
    ]);
    await image.evaluate('(load-file "src/shop/cart.clj") (ns-unmap \'user \'typed)');
    expect(await texts('unsaved', '')).toEqual(['user/answer']);
  });

  it('while an evaluation runs, and leaves no trace in the session', async () => {
    await image.evaluate('(+ 20 22)');
    const { settled } = await image.running('(do (println "ready") (Thread/sleep 100000))');
    expect(await texts('apropos', 'total', { in: 'shop.cart' })).toEqual(['shop.cart/total']);
    expect((await definition('shop.cart/rates'))?.value).toBe('{:eur 1.5}');
    await image.interrupt('cooperative');
    await settled;
    expect((await image.evaluate('[*1 (str *ns*)]')).values).toEqual([['[42 "user"]']]);
  });
});

describe('code that expands a form', () => {
  it.each([
    ['(when-not a (when b c))', 'once', '(if a nil (do (when b c)))'],
    ['(when-not a (when b c))', 'full', '(if a nil (do (if b (do c))))'],
    ['(shop.cart/twice (f)) ; comment', 'once', '(do (f) (f))'],
  ] as const)('%s %s', async (form, extent, expected) => {
    const { values } = await image.evaluate(knowledge.expansionCode(read(form, 'clojure'), extent));
    expect(values.at(-1)).toEqual([expected]);
  });
});
