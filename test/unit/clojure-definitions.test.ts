import { describe, expect, it } from 'vitest';
import { clojureDefinitions } from '../../electron/sessions/export/clojure-definitions';
import type { RecordedRow } from '../../electron/sessions/export/recorded-forms';

/** Rows of forms, each with the namespace after it. */
function rows(...evaluations: [string[], string?][]): RecordedRow[] {
  return evaluations.map(([codes, namespace = 'user'], index) => ({
    id: index + 1,
    package: namespace,
    code: codes.join('\n'),
    forms: codes.map((code) => ({ code, values: ['nil'] })),
  }));
}

const vars = (...names: string[]) => names.map((text) => ({ kind: 'variable', text }));

describe('definitions of a Clojure session', () => {
  it('are the forms that made them, each in its namespace, without what only did something', () => {
    const { text, count, missing } = clojureDefinitions(
      vars('user/a', 'shop/b', 'shop/->Item', 'shop/map->Item'),
      rows(
        [['(def a 1)', '(println a)', 'a']],
        [['(ns shop (:require [clojure.set]))', '(def ^:dynamic b 2)', '(defrecord Item [x])'], 'shop'],
        [["(in-ns 'user)", "(require 'clojure.walk)"]],
      ),
    );
    expect(text.split('\n\n')).toEqual([
      '(ns user)',
      '(def a 1)',
      '(ns shop (:require [clojure.set]))',
      '(def ^:dynamic b 2)',
      '(defrecord Item [x])',
      "(in-ns 'user)",
      "(require 'clojure.walk)",
    ]);
    expect({ count, missing }).toEqual({ count: 4, missing: [] });
  });

  it('are there once, as they were made last, where they were made first; methods are all there', () => {
    const { text } = clojureDefinitions(
      vars('user/m', 'user/f', 'user/area'),
      rows(
        [['(defmacro m [] 1)', '(defn f [] (m))', '(defmulti area :shape)']],
        [['(defmethod area :a [_] 1)', '(defmethod area :b [_] 2)', '(defmacro m [] 2)']],
      ),
    );
    expect(text.split('\n\n')).toEqual([
      '(ns user)',
      '(defmacro m [] 2)',
      '(defn f [] (m))',
      '(defmulti area :shape)',
      '(defmethod area :a [_] 1)',
      '(defmethod area :b [_] 2)',
    ]);
  });

  it('may use what was defined again later, and stand inside others', () => {
    const { text, missing } = clojureDefinitions(
      vars('user/f', 'user/g', 'user/h'),
      rows([['(defn f [] 1)', '(defn g [] (f))', '(let [n 1] (defn h [] n))', '(defn f [] (h))']]),
    );
    expect(text.split('\n\n')).toEqual([
      '(ns user)',
      '(declare f)',
      '(defn g [] (f))',
      '(let [n 1] (defn h [] n))',
      '(defn f [] (h))',
    ]);
    expect(missing).toEqual([]);
  });

  it('are only those that the image has, and what it has from elsewhere is missing', () => {
    const before = rows([["(require 'gone)", '(def removed 1)']], [['(def kept 2)']]);
    expect(clojureDefinitions(vars('user/kept', 'user/made'), before)).toEqual({
      text: '(ns user)\n\n(def kept 2)',
      count: 1,
      forms: [{ package: 'user', code: '(def kept 2)' }],
      missing: ['user/made'],
    });
    expect(clojureDefinitions([], before)).toEqual({ text: '', count: 0, missing: [], forms: [] });
  });

  it('come without what was said of other namespaces, unless all is asked for', () => {
    const session = rows(
      [
        [
          '(set! *print-length* 10)',
          '(set! *warn-on-reflection* true)',
          "(require '[clojure.pprint :as pp])",
        ],
      ],
      [['(ns shop (:require [clojure.set :as set]))', '(defn b [] (set/union))'], 'shop'],
      [["(in-ns 'user)", "(require 'clojure.walk)", '(set! *unchecked-math* true)', '(def scratch 1)']],
      [['(ns other)'], 'other'],
      [["(in-ns 'shop)", '(set! *unchecked-math* true)', '(defn c [] 1)', "(in-ns 'user)"]],
    );
    expect(clojureDefinitions(vars('shop/b', 'shop/c'), session, false).text.split('\n\n')).toEqual([
      '(ns shop (:require [clojure.set :as set]))',
      '(defn b [] (set/union))',
      '(set! *unchecked-math* true)',
      '(defn c [] 1)',
    ]);
    expect(clojureDefinitions(vars('shop/b', 'shop/c'), session).text).toContain(
      "(ns user)\n\n(require 'clojure.walk)\n\n(set! *unchecked-math* true)\n\n(in-ns 'shop)",
    );
  });

  it('bring along what made known the names that they use, whenever that was', () => {
    const { text } = clojureDefinitions(
      vars('shop/total', 'shop/today'),
      rows(
        [['(ns shop (:require [clojure.set :as set]))', "(require '[clojure.string :as string])"], 'shop'],
        [["(require '[clojure.walk :as walk])", '(import (quote java.util.Date))', '(total)'], 'shop'],
        [['(defn total [] (string/join [1]))', '(defn today [] (Date.))'], 'shop'],
      ),
    );
    expect(text.split('\n\n')).toEqual([
      '(ns shop (:require [clojure.set :as set]))',
      "(require '[clojure.string :as string])",
      '(import (quote java.util.Date))',
      '(defn total [] (string/join [1]))',
      '(defn today [] (Date.))',
    ]);
  });
});
