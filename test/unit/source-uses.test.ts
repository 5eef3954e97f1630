/** Where a source text uses a symbol, told by the reader alone. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../electron/source/dialect';
import { type SearchKind, searchText } from '../../electron/source/matches';

const found = (text: string, dialect: Dialect, kind: SearchKind, query: string) =>
  searchText(text, dialect, { kind, query }).map(({ line, form, packages }) => [
    line,
    form,
    packages?.join(),
  ]);

const SHOP = `(defpackage :shop (:use :cl) (:export #:price))
(in-package :shop)
(defun price (each &key (price 1)) each)
(defun (setf price) (new thing) (price new) thing)
(defun total (lines) (reduce #'+ lines :key #'price))
(defmacro both (x) \`(list (price ,x) :price "price" #\\p)) ; price
(defstruct (offer (:include price)) price)
(list 'price other:price shop::price |price|)
(in-package "DESK")
(price 1)
`;

describe('in Common Lisp', () => {
  it('definitions, exports, keywords, strings and comments are no uses', () => {
    expect(found(SHOP, 'common-lisp', 'reference', 'shop:price')).toEqual([
      [3, 'defun price', 'SHOP'],
      [4, 'defun (setf price)', 'SHOP'],
      [5, 'defun total', 'SHOP'],
      [6, 'defmacro both', 'SHOP'],
      [7, 'defstruct offer', 'SHOP,SHOP'],
      [8, 'list price', 'SHOP,SHOP'],
      [10, 'price 1', 'DESK'],
    ]);
  });

  it('the package is that of the prefix, else of the in-package before it', () => {
    expect(found('(f other:price)', 'common-lisp', 'reference', 'price')).toEqual([
      [1, 'f other:price', 'OTHER'],
    ]);
    expect(found('(f price)', 'common-lisp', 'reference', 'price')).toEqual([[1, 'f price', '']]);
  });

  it('callers call it, or mean it as a function', () => {
    expect(found(SHOP, 'common-lisp', 'caller', 'price').map(([line]) => line)).toEqual([3, 4, 5, 6, 10]);
  });
});

const CART = `(ns shop.cart (:require [shop.core :as core :refer [with-cart]] [other :refer :all]))
(defn price [x] (core/price x))
(defn again [x] (shop.core/price x) (price x) (other/price x))
(defn mapped [xs] (map core/price xs))
(defn chained [x] (-> x core/price inc))
(defn bound [] (with-cart [c] c))
`;

describe('in Clojure', () => {
  it('aliases and what is referred to say whose a name is', () => {
    const lines = (kind: SearchKind, query: string) =>
      found(CART, 'clojure', kind, query).map(([line]) => line);
    expect(lines('reference', 'shop.core/price')).toEqual([2, 3, 4, 5]);
    expect(lines('caller', 'shop.core/price')).toEqual([2, 3, 4, 5]);
    expect(lines('reference', 'shop.cart/price')).toEqual([3]);
    expect(lines('reference', 'shop.core/with-cart')).toEqual([6]);
    expect(lines('reference', 'elsewhere/with-cart')).toEqual([]);
    expect(lines('reference', 'price')).toEqual([2, 3, 4, 5]);
    expect(lines('reference', 'other/price')).toEqual([3]);
  });

  it.each([
    ['(def f (comp inc b/price))', [1]],
    ["(def f #'b/price)", [1]],
    ['(def table {:price b/price})', [1]],
    ['(let [total b/price] (map total xs))', [1]],
    ['(ns a (:require [b :refer [price]]))\n(defn f [price] (map price xs))\n(map price xs)', [3]],
    ['(ns a (:require [b :refer [price]]))\n(let [{:keys [price]} x] (str price))', []],
    ["(def f 'b/price)\n(def g '[b :refer [price]])", []],
  ])('callers mean it as a value, which a local or a quoted name is not: %j', (text, lines) => {
    expect(found(text, 'clojure', 'caller', 'b/price').map(([line]) => line)).toEqual(lines);
  });

  it.each([
    ['(ns a (:use b))\n(f (price))', [2]],
    ['(ns a (:use [b :exclude [price]]))\n(f (price))', []],
    ['(ns a (:require (x b [c :refer [price]])))\n(f (price))', []],
    ['(ns a (:require #?(:clj [b :refer [price]])))\n(f (price))', [2]],
    ['(ns a (:require [b :refer [price] :rename {price cost}]))\n(f (price))', []],
    ["(ns a)\n(require '[b :as c])\n(f (c/price))", [3]],
    ["(ns a)\n(require '[b :refer :all])\n(defn price [])\n(f (price))", []],
  ])('the same as for a rename: %j', (text, lines) => {
    expect(found(text, 'clojure', 'reference', 'b/price').map(([line]) => line)).toEqual(lines);
  });
});
