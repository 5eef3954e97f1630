/** Definitions of a session in a file that exists: in the place of their old forms, or beside them. */
import { describe, expect, it } from 'vitest';
import { mergedDefinitions } from '../../electron/sessions/export/merged-definitions';
import type { Dialect } from '../../electron/source/dialect';
import { read } from '../../electron/source/reader';

const merged = (text: string, forms: readonly [string, string][], dialect: Dialect = 'common-lisp') =>
  mergedDefinitions(
    read(text, dialect),
    forms.map(([name, code]) => ({ package: name, code })),
  );

const SHOP =
  '\uFEFF(in-package :shop)\r\n; c\r\n#+sbcl\r\n(defun price (x)\r\n  x) ; d\r\n\r\n(defmethod show :around ((i item)) 1)';

describe('in Common Lisp', () => {
  it('take the place of what they define anew, and all else keeps its bytes', () => {
    const done = merged(SHOP, [
      ['SHOP', '(defmacro price (x)\n  `(* 2 ,x))'],
      ['SHOP', '(defmethod show :around ((i item)) 2)'],
    ]);
    expect(done.text).toBe(
      SHOP.replace('(defun price (x)\r\n  x)', '(defmacro price (x)\r\n  `(* 2 ,x))').replace('1)', '2)'),
    );
    expect(done.replaced).toEqual(['defmacro price', 'defmethod show :around (item)']);
  });

  it('stand before what was evaluated after them, else at the end in their package', () => {
    const done = merged(SHOP, [
      ['SHOP', '(defmacro twice (x) `(* 2 ,x))'],
      ['SHOP', '(defun price (x) (twice x))'],
      ['SHOP', '(defun total () 1)'],
      ['COMMON-LISP-USER', '(defun price () 3)'],
      ['SHOP', '(defmethod show ((i item)) 0)'],
    ]);
    expect(done.text).toBe(
      `${SHOP.replace('#+sbcl', '(defmacro twice (x) `(* 2 ,x))\r\n\r\n#+sbcl').replace('(defun price (x)\r\n  x)', '(defun price (x) (twice x))')}\r\n\r\n(defun total () 1)\r\n\r\n(in-package :cl-user)\r\n\r\n(defun price () 3)\r\n\r\n(in-package :shop)\r\n\r\n(defmethod show ((i item)) 0)\r\n`,
    );
    expect(done.added).toHaveLength(4);
  });

  it('are refused where it is not clear which form is meant, or the file cannot be read', () => {
    const twice = '(in-package :shop)\n#+a (defun f ())\n#-a (defun f ())';
    expect(() => merged(twice, [['SHOP', '(defun f () 1)']])).toThrow(
      /defun f more than once \(lines 2, 3\)/,
    );
    expect(() => merged('(defun f (', [['CL-USER', '(defun f ())']])).toThrow(/Likely fix/);
  });
});

describe('in Clojure', () => {
  it('take the place of the var, and what they need comes before them', () => {
    const text = '(ns shop)\n\n(def price 1)\n\n(defmethod area :a [_] 1)\n';
    const done = merged(
      text,
      [
        ['shop', '(defn twice [x] x)'],
        ['shop', '(defn price [x] (twice x))'],
        ['shop', '(defmethod area :b [_] 2)'],
      ],
      'clojure',
    );
    expect(done.text).toBe(
      '(ns shop)\n\n(defn twice [x] x)\n\n(defn price [x] (twice x))\n\n(defmethod area :a [_] 1)\n\n(defmethod area :b [_] 2)\n',
    );
  });

  it('are refused where the file is of another namespace, and enter theirs where it is of none', () => {
    const foreign: [string, string][] = [
      ['user', '(defn f\n  [])'],
      ['shop', '(def g 1)'],
    ];
    expect(() => merged('(ns shop)', foreign, 'clojure')).toThrow(
      'The file has the namespace shop, and these were defined in user: (defn f []). Name another file for them, or define them in shop first (eval with package: shop).',
    );
    expect(merged('(ns shop)\n(ns user)', foreign, 'clojure').text).toBe(
      "(ns shop)\n(ns user)\n\n(defn f\n  [])\n\n(in-ns 'shop)\n\n(def g 1)\n",
    );
    expect(merged('; scratch', foreign, 'clojure').text).toBe(
      '; scratch\n\n(ns user)\n\n(defn f\n  [])\n\n(ns shop)\n\n(def g 1)\n',
    );
  });
});
