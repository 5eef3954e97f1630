import { describe, expect, it } from 'vitest';
import { replayed } from '../../electron/images/nrepl/replayer';

describe('a form of Clojure', () => {
  it.each([
    '(ns a)',
    '(defn f [])',
    '(def ^:private x 1)',
    '( defmacro m [])',
    '(s/def ::a int?)',
    '(clojure.core/defn f [])',
    '(require (quote [a.b]))',
    '(extend-type String P)',
    '(set! *warn-on-reflection* true)',
    '(do (def a 1) (defn b []))',
    '(let [n (atom 0)] (defn f [] @n))',
    '(lisp-harbor.loading/load-namespaces "a")',
  ])('%s is evaluated again', (code) => {
    expect(replayed(code)).toBe('again');
  });

  it.each([
    '(println 1)',
    '(swap! a inc)',
    '(do (def a 1) (println a))',
    '(do)',
    '(my.lib/require-everything)',
    '@future-of-something',
    '[(launch)]',
    '#{(launch)}',
    '()',
    '((f))',
  ])('%s is left out', (code) => {
    expect(replayed(code)).toBe('left out');
  });

  it.each([
    'x',
    '42',
    '"(def a 1)"',
    ':a',
    '#(inc %)',
    "'(def a 1)",
    '[a b]',
    '{:a 1}',
    '(comment (launch))',
  ])('%s has no effect', (code) => {
    expect(replayed(code)).toBe('without effect');
  });
});
