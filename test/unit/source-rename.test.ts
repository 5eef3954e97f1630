/** Renaming by the reader: which places are the symbol, in every notation, and which only look alike. */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { type Files, renaming, results } from './source-renaming';

/** What was left, as `kind path:offset text`. */
function left(files: Files, name: string, newName: string, more = {}): string[] {
  return renaming(files, name, newName, more).files.flatMap(({ file, left: places }) =>
    places.map(
      ({ kind, start }) => `${kind} ${file.path} ${file.source.text.slice(start).split(/[\s()]/)[0]}`,
    ),
  );
}

describe('in Common Lisp', () => {
  const PACKAGES = `(defpackage #:shop (:use :cl) (:nicknames :sh)
  (:export #:price "PRICE" :price price))
(defpackage :till (:use :cl :shop))
(defpackage :desk (:use :cl) (:import-from :shop #:price) (:local-nicknames (:s :shop)))
(defpackage :other (:use :cl) (:export #:price) (:shadow #:price))
`;
  const files = {
    'packages.lisp': PACKAGES,
    'shop.lisp': `(in-package :shop)
(defun price (x) "The price." #+sbcl (price x) #-price x)
(defun (setf price) (v x) (declare (ignore v)) \`(price ,x ,@(list #'price 'price :price)))
#| price |# (list "price" #\\p |price| |PRICE| PRICE Price #.(price 1) '#:price)
`,
    'till.lisp': `(in-package "TILL")
(shop:price 1) (price 2) (shop::price 3) (sh:price 4) (other:price 5)
(uiop:symbol-call :shop :price) (find-symbol "PRICE" '#:till)
`,
    'desk.lisp': '(in-package #:desk)\r\n(price (s:price 1)) ; price\r\n',
    'other.lisp': '(in-package :other)\n(price 1) (shop:price 2)',
    'none.lisp': '(price 1)',
  };

  it('is every place that is read as the symbol, in the packages that see it', () => {
    expect(results(files, 'shop:price', 'cost')).toEqual({
      'packages.lisp': PACKAGES.replace('#:price "PRICE" :price price', '#:cost "COST" :cost cost').replace(
        ':shop #:price',
        ':shop #:cost',
      ),
      'shop.lisp': `(in-package :shop)
(defun cost (x) "The price." #+sbcl (cost x) #-price x)
(defun (setf cost) (v x) (declare (ignore v)) \`(cost ,x ,@(list #'cost 'cost :price)))
#| price |# (list "price" #\\p |price| |COST| COST Cost #.(cost 1) '#:price)
`,
      'till.lisp': `(in-package "TILL")
(shop:cost 1) (cost 2) (shop::cost 3) (sh:cost 4) (other:price 5)
(uiop:symbol-call :shop :cost) (find-symbol "COST" '#:till)
`,
      'desk.lisp': '(in-package #:desk)\r\n(cost (s:cost 1)) ; price\r\n',
      'other.lisp': '(in-package :other)\n(price 1) (shop:cost 2)',
      'none.lisp': '(price 1)',
    });
  });

  it('tells what looks alike', () => {
    expect(left(files, 'price', 'cost', { path: 'shop.lisp' })).toEqual([
      'other::price packages.lisp price',
      'other::price packages.lisp price',
      ':price shop.lisp price',
      '#:price shop.lisp price',
      'strings shop.lisp price."',
      'comments shop.lisp price',
      'strings shop.lisp price"',
      'other::price till.lisp price',
      'comments desk.lisp price',
      'other::price other.lisp price',
      'cl-user::price none.lisp price',
    ]);
  });

  it('takes along comments, strings and keywords when asked, as whole words', () => {
    const texts = {
      'a.lisp':
        '(in-package :shop)\n(defun price () "PRICE, price-list: price." :price) ; Price shop:price other:price\n',
      'p.lisp': PACKAGES,
    };
    const also = new Set(['comments', 'strings', 'keywords'] as const);
    expect(results(texts, 'price', 'cost', { also, path: 'a.lisp' })['a.lisp']).toBe(
      '(in-package :shop)\n(defun cost () "COST, price-list: cost." :cost) ; Cost shop:cost other:price\n',
    );
  });

  it.each([
    ['price', 'list', /COMMON-LISP|common-lisp::list/i],
    ['price', 'total', /total already exists \(shop\.lisp:3\)/],
    ['price', 'sum', /till::sum already exists \(till\.lisp:1\)/],
    ['price', 'a b', /one symbol/],
    ['price', '12', /one symbol/],
    ['price', 'cl:x', /without a package/],
    ['prise', 'x', /No file .* prise/],
    ['car', 'x', /Common Lisp itself/],
  ])('refuses %s → %s', (name, newName, why) => {
    const taken = {
      'p.lisp': PACKAGES,
      'shop.lisp': '(in-package :shop)\n(defun price () (car x))\n(defun total ())',
      'till.lisp': '(in-package :till) (defun sum ())',
    };
    expect(() => renaming(taken, name, newName)).toThrow(why);
  });

  it('asks which one is meant', () => {
    const two = {
      'p.lisp': PACKAGES,
      'a.lisp': '(in-package :shop) (defun price ())',
      'b.lisp': '(in-package :other) (defun price ())',
    };
    expect(() => renaming(two, 'price', 'cost')).toThrow(
      /ambiguous.*shop::price.*other::price|ambiguous.*other::price/,
    );
    expect(results(two, 'other::price', 'cost')['b.lisp']).toBe('(in-package :other) (defun cost ())');
  });

  it('keeps escapes, and a byte order mark', () => {
    const odd = { 'a.lisp': '\uFEFF(defun |Foo bar| () (|Foo bar|) foo "|Foo bar|")' };
    expect(results(odd, '|Foo bar|', 'baz')).toEqual({
      'a.lisp': '\uFEFF(defun |BAZ| () (|BAZ|) foo "|Foo bar|")',
    });
    expect(results({ 'a.lisp': '(defun foo () (foo))' }, 'foo', '|Foo bar|')).toEqual({
      'a.lisp': '(defun |Foo bar| () (|Foo bar|))',
    });
  });

  it.each(['shop', ':shop', '#:shop', '"SHOP"'])('refuses the package %s as what it is', (written) => {
    const shop = {
      'a.lisp': `(defpackage ${written} (:use :cl))\n(in-package ${written})\n(defun f ())`,
      'b.lisp': '(defun g ())\n(shop::f)\n(shopping)',
    };
    expect(() => renaming(shop, 'shop', 'store')).toThrow(
      /^shop is a package \(a\.lisp:1\)\. .* change its name in a\.lisp:1, a\.lisp:2, b\.lisp:2\.$/,
    );
    const symbol = { 'c.lisp': '(defun shop () 1)\n(shop)' };
    expect(results({ ...shop, ...symbol }, 'shop', 'store')['c.lisp']).toBe('(defun store () 1)\n(store)');
  });

  it('says where callers name it by keyword, and what DEFSTRUCT makes', () => {
    const text =
      '(defun price (&key price (count 1)) price)\n(defstruct item price)\n(defun f (&key ((:price price) 1)))';
    const { notes } = renaming({ 'a.lisp': text }, 'price', 'cost');
    expect(noteTexts(notes)).toEqual([
      expect.stringMatching(/&key parameter at a\.lisp:1:/),
      expect.stringMatching(/DEFSTRUCT/),
    ]);
  });

  it('knows the packages of ACL2', () => {
    const acl2 = {
      'package.lsp':
        '(in-package "ACL2")\n(defpkg "SHOP" (union-eq \'(natp total) *acl2-exports*))\n(defun total (x) x)',
      'shop.lisp':
        '(in-package "SHOP")\n(defun price (x) (total x))\n(defthm price-natp (natp (price x)) :hints (("Goal" :in-theory (enable price))))',
      'top.lisp': '(in-package "ACL2")\n(shop::price 1) (price 2)',
    };
    expect(results(acl2, 'shop::price', 'cost')).toMatchObject({
      'shop.lisp':
        '(in-package "SHOP")\n(defun cost (x) (total x))\n(defthm price-natp (natp (cost x)) :hints (("Goal" :in-theory (enable cost))))',
      'top.lisp': '(in-package "ACL2")\n(shop::cost 1) (price 2)',
    });
    expect(results(acl2, 'acl2::total', 'sum')).toMatchObject({
      'package.lsp':
        '(in-package "ACL2")\n(defpkg "SHOP" (union-eq \'(natp sum) *acl2-exports*))\n(defun sum (x) x)',
      'shop.lisp': expect.stringContaining('(sum x)'),
    });
  });
});

it('takes a name with a stroke for what the project has of that name', () => {
  const lisp = { 'a.lisp': '(defun int/2 (x) x)\n(int/2 1)' };
  const renamedLisp = { 'a.lisp': '(defun half (x) x)\n(half 1)' };
  expect(results(lisp, 'int/2', 'half')).toEqual(renamedLisp);
  const clojure = { 'b.clj': '(ns shop.core) (def price 1)' };
  expect(results({ ...lisp, ...clojure }, 'int/2', 'half')).toMatchObject(renamedLisp);
  expect(results({ ...lisp, ...clojure }, 'shop.core/price', 'cost')).toEqual({
    'b.clj': '(ns shop.core) (def cost 1)',
  });
  expect(() => renaming({ ...lisp, 'b.clj': '(ns int) (def third 1)' }, 'int/4', 'half')).toThrow(/No file/);
});

describe('in Clojure', () => {
  const files = {
    'core.clj': `(ns shop.core "price")
(declare price)
(defn price [{:keys [price] :as m} x] (+ price (:price m) ::price))
(defn total [ps] (reduce + (map price ps)) #'price \`(price ~(price 1)) 'price 'shop.core/price)
(let [price (price 1) y price] (price y))
(for [x (price 1) :let [price x]] price)
(fn price [] (price)) (letfn [(price [] price)] price)
(defmacro m [] \`(let [x# (price 1)] x#))
(case 1 price (price 2)) (let [{p price :or {p (price)}} {}] p)
`,
    'a.clj':
      "(ns a (:require [shop.core :as s :refer [price total]]))\n(s/price 1) (price 2) (shop.core/price 3) ::s/price :s/price @#'s/price\n(with-redefs [price inc] (let [f (fn ([price] price) ([_ x] (price x)))] f))",
    'b.cljc':
      '(ns b (:require #?(:clj [shop.core :as c])))\n#?(:clj (c/price 1) :cljs (price 2))\n(defn price [] (price))',
    'c.clj': "(ns c (:use shop.core))\n(price 1)\n(comment (require '[shop.core :refer [price]]))",
    'd.clj': '(ns d (:require [shop.core :refer [price] :rename {price p}]))\n(p 1) (price 2)',
    'e.edn': '{:run shop.core/price :price price}',
    'f.clj':
      '(ns f (:require (shop [core :as x :refer (price)])))\n(x/price (price 1)) #_(price 2) ; price x/price',
  };

  it('is every symbol that means the var, and no local of the name', () => {
    expect(results(files, 'shop.core/price', 'cost')).toEqual({
      'core.clj': `(ns shop.core "price")
(declare cost)
(defn cost [{:keys [price] :as m} x] (+ price (:price m) ::price))
(defn total [ps] (reduce + (map cost ps)) #'cost \`(cost ~(cost 1)) 'price 'shop.core/cost)
(let [price (cost 1) y price] (price y))
(for [x (cost 1) :let [price x]] price)
(fn price [] (price)) (letfn [(price [] price)] price)
(defmacro m [] \`(let [x# (cost 1)] x#))
(case 1 price (cost 2)) (let [{p price :or {p (cost)}} {}] p)
`.replace('{p price ', '{p cost '),
      'a.clj':
        "(ns a (:require [shop.core :as s :refer [cost total]]))\n(s/cost 1) (cost 2) (shop.core/cost 3) ::s/price :s/price @#'s/cost\n(with-redefs [cost inc] (let [f (fn ([price] price) ([_ x] (cost x)))] f))",
      'b.cljc':
        '(ns b (:require #?(:clj [shop.core :as c])))\n#?(:clj (c/cost 1) :cljs (price 2))\n(defn price [] (price))',
      'c.clj': "(ns c (:use shop.core))\n(cost 1)\n(comment (require '[shop.core :refer [cost]]))",
      'd.clj': '(ns d (:require [shop.core :refer [cost] :rename {cost p}]))\n(p 1) (price 2)',
      'e.edn': '{:run shop.core/cost :price price}',
      'f.clj':
        '(ns f (:require (shop [core :as x :refer (cost)])))\n(x/cost (cost 1)) #_(price 2) ; price x/price',
    });
  });

  it('takes along comments, strings and qualified keywords when asked', () => {
    const also = new Set(['comments', 'strings', 'keywords'] as const);
    const done = results(files, 'shop.core/price', 'cost', { also });
    expect(done['core.clj']).toContain('(ns shop.core "cost")');
    expect(done['core.clj']).toContain('(:price m) ::cost');
    expect(done['a.clj']).toContain('::s/cost :s/price');
    expect(done['f.clj']).toContain('#_(cost 2) ; cost x/cost');
  });

  it('renames a record with what Clojure makes of it, and functions of a protocol with their methods', () => {
    const types = {
      'core.clj':
        '(ns my-shop.core)\n(defprotocol Priced (price [this] [this x]))\n(defrecord Item [price] Priced (price [this] price) Object (toString [_] (str price)))\n(->Item 1) (map->Item {}) (Item. 1)',
      'a.clj':
        '(ns a (:require [my-shop.core :as c]) (:import (my_shop.core Item)))\n(Item. 2) my_shop.core.Item (c/->Item 3)\n(extend-protocol c/Priced Long (price [n] (c/price n)))\n(deftype T [] Object (price [_] 1))\n(reify c/Priced (price [_] 2))',
    };
    expect(results(types, 'Item', 'Ware')).toEqual({
      'core.clj':
        '(ns my-shop.core)\n(defprotocol Priced (price [this] [this x]))\n(defrecord Ware [price] Priced (price [this] price) Object (toString [_] (str price)))\n(->Ware 1) (map->Ware {}) (Ware. 1)',
      'a.clj': types['a.clj'].replaceAll('Item', 'Ware'),
    });
    expect(results(types, 'price', 'cost')).toEqual({
      'core.clj':
        '(ns my-shop.core)\n(defprotocol Priced (cost [this] [this x]))\n(defrecord Item [price] Priced (cost [this] price) Object (toString [_] (str price)))\n(->Item 1) (map->Item {}) (Item. 1)',
      'a.clj':
        '(ns a (:require [my-shop.core :as c]) (:import (my_shop.core Item)))\n(Item. 2) my_shop.core.Item (c/->Item 3)\n(extend-protocol c/Priced Long (cost [n] (c/cost n)))\n(deftype T [] Object (price [_] 1))\n(reify c/Priced (cost [_] 2))',
    });
  });

  it.each([
    ['(defn price []) (defn cost [])', /uses or defines cost already/],
    ['(defn price []) (map inc)', /a\/map|map already/],
    ['(defn price []) (let [cost 1] (price cost))', /A local is named cost/],
  ])('refuses a new name that is taken: %s', (text, why) => {
    const newName = text.includes('map') ? 'map' : 'cost';
    expect(() => renaming({ 'a.clj': `(ns a) ${text}` }, 'price', newName)).toThrow(why);
  });

  it.each(['a/b', ':a', 'if', '1a', 'a b', ''])('refuses %s for a new name', (newName) => {
    expect(() => renaming({ 'a.clj': '(ns a) (defn price [])' }, 'price', newName)).toThrow(/one symbol/);
  });

  it('refuses a namespace as what it is, and says where it is named', () => {
    const shop = {
      'src/my_shop/core.clj': "(ns my-shop.core)\n(defrecord Item [])\n(in-ns 'my-shop.core)",
      'src/a.clj':
        '(ns a (:require [my-shop.core :as c])\n (:import (my_shop.core Item)))\nmy-shop.core/x\n:my-shop.core/k\nmy_shop.core.Item\nmy-shop.core.more/x',
      'src/b.clj': '(ns b\n (:require (my-shop [core :as c] other)))',
      'src/c.clj': '(ns c (:require [my-shop.core.more]))\n(core) my-shop',
    };
    const places = ['my_shop/core.clj:3', ...[1, 2, 3, 4, 5].map((line) => `a.clj:${line}`), 'b.clj:2'];
    expect(() => renaming(shop, 'my-shop.core', 'store.core')).toThrow(
      `in ${places.map((place) => `src/${place}`).join(', ')}: change it there.`,
    );
    expect(() => renaming({ 'a.clj': '(ns a)', 'a.lisp': '(defun f ())' }, 'a', 'b')).toThrow(
      /a is a namespace .* No other file names it\.$/,
    );
    expect(() => renaming(shop, 'nothing', 'b')).toThrow('No file of the project defines nothing.');
    expect(results({ 'a.clj': '(ns a) (def a 1)' }, 'a', 'b')).toEqual({ 'a.clj': '(ns a) (def b 1)' });
  });

  it('asks which one is meant, of both syntaxes too', () => {
    const two = { 'a.clj': '(ns a) (defn price [])', 'b.clj': '(ns b) (defn price [])' };
    expect(() => renaming(two, 'price', 'cost')).toThrow(/Name one of a\/price, b\/price/);
    expect(results(two, 'price', 'cost', { path: 'b.clj' })['b.clj']).toBe('(ns b) (defn cost [])');
    expect(() => renaming({ 'a.clj': two['a.clj'], 'a.lisp': '(defun price ())' }, 'price', 'cost')).toThrow(
      /both exist/,
    );
  });
});
