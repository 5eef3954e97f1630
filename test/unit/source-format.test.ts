/** Source is indented as its editors do it, and nothing but blanks changes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../electron/source/dialect';
import { formatSource } from '../../electron/source/format/format';
import { ROOT } from './setup-checkout';

const withoutIndentation = (text: string): string => text.replace(/^[ \t]+(?=[^;"\s])/gm, '');

/** As it should be; every line is given without its indentation. Texts hold no string or comment of several lines. */
const RIGHT: readonly (readonly [what: string, dialect: Dialect, text: string])[] = [
  [
    'definitions and what binds',
    'common-lisp',
    `(defun area
    (shape)
  "Its area."
  (let ((a 1)
        (b
          2))
    (declare (ignore a))
    (flet ((half (x)
             (/ x 2)))
      (multiple-value-bind (q r)
          (floor b 2)
        (half (+ q
                 r))))))

(defmethod area :around ((shape circle)
                         &key x
                         &allow-other-keys)
  (call-next-method))

(defclass point (shape)
  ((x :initarg :x
      :accessor x)
   (y))
  (:documentation "A point."))`,
  ],
  [
    'conditionals and clauses',
    'common-lisp',
    `(cond ((null x)
       1)
      (t
       (if x
           2
           3)))
(case x
  (:a
   1)
  (otherwise (when x
               2)))
(handler-case (f
               x)
  (error (e)
    (print e))
  (:no-error ()
    2))
(unwind-protect
     (f)
  (g))
(when
    x
  (g))`,
  ],
  [
    'calls, data and keyword arguments',
    'common-lisp',
    `(list 1
      2)
(list
 1
 2)
'(when
  1
  (a
   b))
(make-instance 'point :x 1
                      :y 2)
((lambda (x)
   x)
 1)
#+sbcl
(f x #-ecl
     y)
(mapcar (lambda (x)
          (f x))
        \`(let ,x
           ,@y))`,
  ],
  [
    'loops',
    'common-lisp',
    `(loop for x in y
      for z = (f x)
        then (g x)
      when x
        collect y
        and do (f)
               (g)
      do (print x)
         (print z)
      finally
         (return x))
(loop
  (f)
  (g))
(loop
  for x in y
  do (f x))
(do ((i 0 (1+ i))
     (j 0))
    ((= i 2)
     j)
  (print i)
 tag
  (go tag))`,
  ],
  [
    'macros of the file itself',
    'common-lisp',
    `(defmacro bind-it (name value &body body)
  body)
(bind-it a
    (f)
  (g))
(defun call-it (name
                &rest more)
  name)
(call-it a
         b)
(with-thing (x)
  (g))
(defwidget a (b)
  c)`,
  ],
  [
    'events of ACL2',
    'common-lisp',
    `(defthm assoc-of-app
  (equal (app (app x y) z)
         (app x (app y z)))
  :hints (("Goal"
           :in-theory (enable app))))
(encapsulate
 ()
 (local (defthm a b)))
(mv-let (x y)
    (f)
  (b* ((a 1))
    x))`,
  ],
  [
    'definitions and bindings',
    'clojure',
    `(ns shop.cart
  (:require [a.b :as b]
            [c.d]))
(defn ^:private area
  "Its area."
  [{:keys [a
           b]}]
  (let [x 1
        y {:a 1
           :b [1
               2]}]
    (f x
       y)))
(letfn [(half [x]
          (/ x 2))]
  (half 1))
(defmulti f
  :kind)
(def x
  1)`,
  ],
  [
    'threading, conditions and calls',
    'clojure',
    `(-> x
    (f 1)
    g)
(->> xs
     (map f)
     (cond-> true
       (filter g)))
(cond
  a 1
  :else (if b
          2
          3))
(map f
     xs)
(map
 f
 xs)
(when-let [x (f)]
  #(when %
     x))
(try
  (f)
  (catch Exception e
    (g e))
  (finally
    (h)))
#?(:clj (f)
   :cljs (g))`,
  ],
  [
    'types and their methods',
    'clojure',
    `(defrecord Point [x y]
  Shape
  (area [this]
    (* x
       y)))
(reify Shape
  (area [_]
    1))
(defprotocol Shape
  (area [this]
    "Its area."))
(extend-protocol Shape
  String
  (area [s]
    (count s)))`,
  ],
];

describe('source is indented', () => {
  it.each(RIGHT)('%s (%s)', (_, dialect, text) => {
    expect(formatSource(withoutIndentation(text), dialect)).toBe(text);
    expect(formatSource(text, dialect)).toBe(text);
  });

  it('leaves the body of a macro of somebody else where it is', () => {
    const text = '(once-upon (a) b\n  c)\n(bordeaux:holding\n    (lock)\n  (f))\n';
    expect(formatSource(text, 'common-lisp')).toBe(text);
  });

  it('leaves a body where nothing stands before it', () => {
    const text = '(without-interrupts\n  (let ((b 1))\n    (f b))\n  (g))\n';
    expect(formatSource(text, 'common-lisp')).toBe(text);
    expect(formatSource('(with-thing\n    (x)\n   (g))\n', 'common-lisp')).toBe(
      '(with-thing\n    (x)\n  (g))\n',
    );
  });
});

describe('nothing else changes', () => {
  it.each([
    ['strings', '(f\n"a\n   b  \n"\nx)\n', '(f\n "a\n   b  \n"\n x)\n'],
    ['comments and symbols', '(f #| a\n  b |#\n|a\n   b|)\n', '(f #| a\n  b |#\n |a\n   b|)\n'],
    ['carriage returns', '(f\r\na\t\r\n\r\n  )\r\n', '(f\r\n a\r\n\r\n )\r\n'],
    ['tabs become blanks', '(f\ta\n\tb)\t; c\td\n', '(f      a\n        b)      ; c\td\n'],
    ['blanks where lines end', '(f)  \n \n(g)', '(f)\n\n(g)'],
    ['a page break', '(f)\n\f\n  (g)', '(f)\n\f\n(g)'],
    ['a byte order mark', '\uFEFF (f\nx)', '\uFEFF(f\n x)'],
    [
      'comments go with the code beside them',
      '(list x ; a\n        ; b\n;; c\n;;; d\n; e\n  y)',
      '(list x ; a\n        ; b\n      ;; c\n;;; d\n; e\n      y)',
    ],
  ])('%s', (_, text, right) => {
    expect(formatSource(text, 'common-lisp')).toBe(right);
  });

  it('where delimiters do not match', () => {
    expect(formatSource('(f\nx', 'common-lisp')).toBe('(f\nx');
  });

  it('in commas of Clojure', () => {
    expect(formatSource('{:a 1,\n, :b 2,}', 'clojure')).toBe('{:a 1,\n , :b 2,}');
  });

  const own = ['resources/lisp', 'resources/clojure'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(lisp|clj)$/.test(name))
      .map((name) => path.join(folder, name)),
  );

  it.each(own)('in %s', (file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const dialect = file.endsWith('.clj') ? 'clojure' : 'common-lisp';
    const ruined = formatSource(withoutIndentation(text), dialect);
    for (const result of [formatSource(text, dialect), ruined]) {
      expect(result.replace(/[ \t]/g, '')).toBe(text.replace(/[ \t]/g, ''));
      expect(formatSource(result, dialect)).toBe(result);
    }
  });
});
