/** Queries about names in nbb, between evaluations. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FindRequest } from '../../electron/contract/knowledge';
import { form as read } from '../forms';
import { evaluate, project, sharedByTests } from './nbb-fixture';

const shared = sharedByTests();

const SOURCE = `(ns shop.cart "Carts." (:require [clojure.string :as str]))
(defn ^{:deprecated "1.2"} total "Adds
them." ([prices] (total prices 0)) ([prices start] (reduce + start prices)))
(defn- hidden [x] (str/upper-case x))
(def rates {:eur 1.5})
(def numbers (map (fn [n] (println "realized") n) [1 2]))
(declare later)
(defmacro twice [form] \`(do ~form ~form))
(defprotocol Priced (price [it] "What it costs."))
(defmulti area :shape)
(defmethod area :circle [_] 1)
`;

/** The image of the tests, once it has the namespace above. */
async function makeCart() {
  const image = shared();
  const file = path.join(project, 'shop/cart.cljs');
  await mkdir(path.dirname(file));
  await writeFile(file, SOURCE);
  expect((await evaluate(image, "(require 'shop.cart)")).condition).toBeNull();
  const { knowledge } = image;
  if (!knowledge) throw new Error('it has no knowledge');
  const find = (kind: FindRequest['kind'], query: string, more: Partial<FindRequest> = {}) =>
    knowledge.find({ kind, query, limit: 50, ...more });
  const texts = async (...args: Parameters<typeof find>) =>
    (await find(...args)).results.map(({ text }) => text);
  return { image, file, knowledge, find, texts };
}

let cart: Awaited<ReturnType<typeof makeCart>>;
beforeAll(async () => {
  cart = await makeCart();
});

describe('nbb knows', () => {
  it('what names stand for, and where they were defined', async () => {
    const { knowledge, file } = cart;
    const definition = async (symbol: string) => (await knowledge.describe({ symbol })).definitions[0];
    expect(await knowledge.describe({ symbol: 'shop.cart/total' })).toEqual({
      symbol: 'shop.cart/total',
      status: 'public in shop.cart, seen from user',
      definitions: [
        {
          kind: 'function',
          name: 'shop.cart/total',
          arglist: '([prices] [prices start])',
          documentation: 'Adds\nthem.',
          source: { file, line: 2 },
          marks: ['deprecated since 1.2'],
        },
      ],
    });
    expect(await definition('map')).toMatchObject({ kind: 'function', name: 'clojure.core/map' });
    expect(await definition('shop.cart/hidden')).toMatchObject({ marks: ['private'] });
    expect(await definition('shop.cart/rates')).toMatchObject({ kind: 'variable', value: '{:eur 1.5}' });
    expect(await definition('shop.cart/numbers')).toMatchObject({ value: '(a lazy sequence, not realized)' });
    expect(await definition('shop.cart/later')).toMatchObject({ unbound: true });
    expect(await definition('shop.cart/twice')).toMatchObject({ kind: 'macro' });
    expect(await definition('shop.cart/Priced')).toMatchObject({
      kind: 'protocol',
      methods: [{ text: '(price [it])', documentation: 'What it costs.' }],
    });
    expect(await definition('shop.cart/area')).toMatchObject({
      kind: 'multimethod',
      methods: [{ text: ':circle' }],
    });
    expect(await definition('shop.cart')).toMatchObject({ kind: 'namespace', documentation: 'Carts.' });
    expect(await definition('if')).toMatchObject({ kind: 'special form' });
    await expect(definition('nowhere')).rejects.toMatchObject({ code: 'unknown_symbol' });
    await expect(definition('") (println "x')).rejects.toMatchObject({ code: 'unknown_symbol' });
  });

  it('names by a part, what they become, and what no file holds', async () => {
    const { image, file, find, texts } = cart;
    expect((await find('definitions', 'shop.cart/rates')).results).toEqual([
      { kind: 'variable', text: 'shop.cart/rates', source: { file, line: 5 } },
    ]);
    expect(await texts('apropos', 'TOTAL')).toEqual(['shop.cart/total']);
    expect(await texts('apropos', '', { in: 'shop.cart', only: ['macro'] })).toEqual(['shop.cart/twice']);
    expect(await texts('completions', 'shop.cart/to')).toEqual(['shop.cart/total']);
    expect(await texts('completions', 'str/upper', { package: 'shop.cart' })).toEqual(['str/upper-case']);
    expect(await texts('completions', 'map-in')).toEqual(['map-indexed']);
    await evaluate(image, '(defn typed [x] x) (def answer 42)');
    expect((await find('unsaved', '')).results).toEqual([
      { kind: 'variable', text: 'user/answer', value: '42' },
      { kind: 'function', text: 'user/typed', arglist: '([x])' },
    ]);
    await expect(find('callers', 'map')).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('how a form expands', async () => {
    const { image, knowledge } = cart;
    const expand = async (form: string, extent: 'once' | 'full') =>
      (await evaluate(image, knowledge.expansionCode(read(form, 'clojure'), extent))).values.at(-1);
    expect(await expand('(when a (when b c))', 'once')).toBe('(if a (do (when b c)))');
    expect(await expand('(when a (when b c))', 'full')).toBe('(if a (do (if b (do c))))');
    expect(await expand('(shop.cart/twice (f)) ; comment', 'once')).toBe('(do (f) (f))');
  });

  it('without a trace in the session', async () => {
    const { image, find } = cart;
    await evaluate(image, '1 2 3');
    await find('apropos', 'total');
    expect(await evaluate(image, '[*1 *2 *3 (str *ns*)]')).toMatchObject({
      values: ['[3 2 1 "user"]'],
      stdout: '',
    });
  });
});
