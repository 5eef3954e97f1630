import { describe, expect, it } from 'vitest';
import { declared } from '../../electron/images/clojure/build-files';
import { EdnName, readEdn, Unusable } from '../../electron/images/clojure/edn';

describe('readEdn', () => {
  it('reads the syntax of build files', () => {
    const text = '#!/x\n{:a [1 "b\\n\\"" c/d] ; e\n #_(gone) :f #{nil true} :g ^:m (h) :i {"k" -2.5} #_j}';
    expect(readEdn(text).forms).toEqual([
      new Map<string, unknown>([
        [':a', [1, 'b\n"', new EdnName('c/d')]],
        [':f', [null, true]],
        [':g', [new EdnName('h')]],
        [':i', new Map([['k', -2.5]])],
      ]),
    ]);
  });

  it.each([
    ['^:m x', new EdnName('x')],
    ['#^{:m 1} x', new EdnName('x')],
    ["'x", new EdnName('x')],
    ['`x', new EdnName('x')],
    ['#{1 2}', [1, 2]],
    ['#?(:cljs 1 :clj 2)', 2],
    ['#?(:cljs 1 :default 3)', 3],
    ['[#?(:cljs 1) 2]', [2]],
    ['[#?@(:clj [1 2]) 3]', [1, 2, 3]],
    ['#:a{:b 1 :c/d 2 :_/e 3}', new Map(Object.entries({ ':a/b': 1, ':c/d': 2, ':e': 3 }))],
    ['#::{:b 1}', new Map([[':b', 1]])],
    ['~"x"', 'x'],
    ['\\(', '('],
    ['\\newline', '\n'],
    ['\\u0041', 'A'],
    ['##Inf', Number.POSITIVE_INFINITY],
    ['1/2', 1],
    ['12N', 12],
    ['1.5M', 1.5],
    ['::k', new EdnName('::k')],
    ["a'b", new EdnName("a'b")],
    ['%1', new EdnName('%1')],
  ])('%s', (text, value) => {
    expect(readEdn(text)).toEqual({ forms: [value], broken: null });
  });

  it.each([
    ...[
      '~(f)',
      '~@x',
      '#=(f)',
      '#"re\\)"',
      '#(f %)',
      '#shadow/env "X"',
      '#inst "2020"',
      '#js {}',
      '@x',
      "#'x",
    ],
    ...['~x', '#unknown [1 (2)]'],
  ])('%s is unusable and has its place', (text) => {
    const { forms, broken } = readEdn(`{:a "b"\n  :c [1 ${text} 2]}`);
    expect(broken).toBeNull();
    expect(forms).toEqual([
      new Map<string, unknown>([
        [':a', 'b'],
        [':c', [1, new Unusable(text, 16), 2]],
      ]),
    ]);
  });

  it('says where text is broken, and keeps the forms before', () => {
    expect(readEdn('{:a 1}\n{:b')).toEqual({ forms: [new Map([[':a', 1]])], broken: 7 });
    expect(readEdn('')).toEqual({ forms: [], broken: null });
    expect(() => readEdn(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).not.toThrow();
  });
});

describe('declared', () => {
  it('reads paths, libraries, local roots and other dependencies from deps.edn', () => {
    const text = `{:paths ["src" :main "gen"]
      :deps {org.clojure/data.json {:mvn/version "2.4.0"} hiccup {:mvn/version "1.0"}
             a/b$aot {:mvn/version "3"} here/it {:local/root "../it"} io.x/y {:git/sha "1"}}
      :aliases {:dev {:extra-paths ["dev"]}}}`;
    expect(declared('deps.edn', text)).toEqual({
      paths: ['src', 'gen'],
      libraries: [
        { group: 'org.clojure', artifact: 'data.json', version: '2.4.0' },
        { group: 'hiccup', artifact: 'hiccup', version: '1.0' },
        { group: 'a', artifact: 'b', version: '3' },
      ],
      roots: ['../it'],
      others: ['io.x/y (from git)'],
      unused: [],
    });
    expect(declared('deps.edn', '{}')).toMatchObject({ paths: ['src'] });
    expect(declared('deps.edn', '[]')).toBeNull();
    expect(declared('bb.edn', '{:deps {a {:mvn/version "1"}}}')).toMatchObject({ paths: [] });
  });

  it('reads vectors of libraries from project.clj and shadow-cljs.edn', () => {
    const library = { group: 'org.clojure', artifact: 'clojure', version: '1.11.1' };
    const project =
      '(defproject a/b "1" :dependencies [[org.clojure/clojure "1.11.1" :exclusions [x]]] :source-paths ["s"])';
    expect(declared('project.clj', project)).toMatchObject({ paths: ['s'], libraries: [library] });
    const shadow = '{:source-paths ["src/cljs"] :dependencies [[org.clojure/clojure "1.11.1"]] :builds {}}';
    expect(declared('shadow-cljs.edn', shadow)).toMatchObject({ paths: ['src/cljs'], libraries: [library] });
    expect(declared('project.clj', '(def x 1)')).toBeNull();
  });

  it.each([
    ...[
      '(def v "1")\n',
      '(ns x)\n',
      '#!/bin/lein\n',
      '(set! *x* #"a(")\n',
      '#_(defproject b "2" :source-paths ["no"])\n',
    ],
  ])('finds defproject after %j', (before) => {
    const text = `${before}(defproject v ~v :source-paths ["srcs"])`;
    expect(declared('project.clj', text)).toMatchObject({ paths: ['srcs'], unused: [] });
  });

  it.each([
    ':jvm-opts [~(str "-Dx=" 1)]',
    ':repl-options {:init-ns \'a.b :prompt #(str % "> ")}',
    ':jar-exclusions [#"\\.clj$" #"[)(]"]',
    ':x `(a ~b ~@c)',
    ':x #=(eval 1)',
    ':x #inst "2020-01-01"',
    ':x #?(:clj 1 :cljs 2)',
    ':x ##NaN',
    ':x [\\( \\) \\" @a #\'b ^:c d]',
    ':x #:a{:b 1}',
    ':profiles {:dev ~(f)}',
    ':profiles ~(f)',
  ])('%s does not discard project.clj', (odd) => {
    for (const text of [
      `(defproject v "0.1.0" :source-paths ["srcs"] ${odd})`,
      `(defproject v "0.1.0" ${odd} :source-paths ["srcs"])`,
    ])
      expect(declared('project.clj', text)).toMatchObject({ paths: ['srcs'], unused: [] });
  });

  it('reports what it would need and cannot use, with line and column', () => {
    const text = `(defproject v "1"
  :source-paths ["srcs" ~(str "a" 1)]
  :dependencies [[a "1"] [b ~(v)] ~c]
  :test-paths #=(list "t"))`;
    expect(declared('project.clj', text)).toMatchObject({
      paths: ['srcs'],
      libraries: [{ group: 'a', artifact: 'a', version: '1' }],
      unused: ['3:35 ~c', '3:29 ~(v)', '2:25 ~(str "a" 1)', '4:15 #=(list "t")'],
    });
    const shadow =
      '{:source-paths ["srcs"] :nrepl {:port #shadow/env "PORT"}\n :dependencies #shadow/env "D"}';
    expect(declared('shadow-cljs.edn', shadow)).toMatchObject({
      paths: ['srcs'],
      unused: ['2:16 #shadow/env "D"'],
    });
    const deps = '{:paths ["srcs" #x/y "z"] :deps {a #=(f) b {:mvn/version #env V}}}';
    expect(declared('deps.edn', deps)).toMatchObject({
      paths: ['srcs'],
      unused: ['1:36 #=(f)', '1:58 #env V', '1:17 #x/y "z"'],
    });
    expect(declared('bb.edn', '{:paths ["srcs"] :tasks {a #(b)}}')).toMatchObject({
      paths: ['srcs'],
      unused: [],
    });
  });

  it('a version that the file itself names is known', () => {
    const text = '(def v "1.11.1") (defproject a "1" :dependencies [[org.clojure/clojure ~v]])';
    expect(declared('project.clj', text)?.libraries).toEqual([
      { group: 'org.clojure', artifact: 'clojure', version: '1.11.1' },
    ]);
  });

  it('includes aliases and profiles: chosen ones, and those that Leiningen includes', () => {
    const deps = `{:aliases {:dev {:extra-paths ["dev"] :extra-deps {a {:mvn/version "1"}}} :test {:extra-paths ["t"]}}}`;
    expect(declared('deps.edn', deps)?.paths).toEqual(['src']);
    expect(declared('deps.edn', deps, ['dev', 'test', 'none'])).toMatchObject({
      paths: ['src', 'dev', 't'],
      libraries: [{ artifact: 'a' }],
    });
    const lein = `(defproject a "1" :source-paths ["s"] :profiles {:dev [:more {:source-paths ["d"]}]
      :more {:dependencies [[m "1"]]} :ci {:test-paths ["c"]}})`;
    expect(declared('project.clj', lein)).toMatchObject({
      paths: ['s', 'd'],
      libraries: [{ artifact: 'm' }],
    });
    expect(declared('project.clj', lein, ['ci'])?.paths).toEqual(['s', 'd', 'c']);
  });
});
