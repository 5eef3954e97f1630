/** Source text of anybody, in both syntaxes: what is read, found, shown and edited of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { Forms, OneForm, SymbolName } from '../../electron/source/code';
import { diagnosisOf } from '../../electron/source/diagnosis';
import type { Dialect } from '../../electron/source/dialect';
import { applyEdit } from '../../electron/source/edit';
import { formatSource } from '../../electron/source/format/format';
import { formTitle } from '../../electron/source/locate';
import { searchText } from '../../electron/source/matches';
import { mendSource } from '../../electron/source/mend/mended';
import { outlineText } from '../../electron/source/outline';
import { readFile } from '../../electron/source/own-syntax';
import { completeness, outerList, read } from '../../electron/source/reader';
import { renameInFiles } from '../../electron/source/rename/rename';
import { changedText } from '../../electron/source/rename/renaming';
import { formsOf, isBranch, printed, type SyntaxNode, walk } from '../../electron/source/syntax-tree';
import { topLevelForms } from '../../electron/source/top-level-forms';
import type { Repeated } from './growth';
import { fuzzText } from './parser';

const ROOT = path.resolve(import.meta.dirname, '../..');
const beginningOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').slice(0, 2_500);

const SIGNS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  "'",
  '`',
  ',@',
  '#|',
  '|#',
  '#\\',
  '#+',
  '#-',
  '#.',
  '#_',
  '#?@',
  '#(',
  '#{',
  '#"',
  '#2A',
  '#1=',
  '#p"',
  ';',
  '"',
  '|',
  '^',
  '~',
  '##',
  '#:',
  '\\',
];

const TEXTS: Readonly<Record<Dialect, { seeds: readonly string[]; tokens: readonly string[] }>> = {
  'common-lisp': {
    seeds: [
      beginningOf('resources/lisp/package.lisp'),
      '(in-package :shop) ; c\n#+sbcl\n(defmethod area :around ((c circle) (n (eql 1)) &key x)\n  "Doc (."\n  #| #| in |# |# (list #\\( |a b| `(x ,@y)))\n\n(defun (setf area) (v c) v)\n',
      '(progn\n  (defvar *a* 1)\n  (eval-when (:execute)\n    (defun b ())))\n(asdf:defsystem "shop" :depends-on ("a") :components ((:file "a")))\n',
    ],
    tokens: [...SIGNS, '(defun f (x)\n  x)\n', '(setf ', '(progn ', ':', 'a::', '\n  ', 'area'],
  },
  clojure: {
    seeds: [
      beginningOf('resources/clojure/json.clj'),
      '(ns shop.cart)\n(defmethod area :circle [{:keys [r]}] #(* % r))\n#?(:clj (def ^{:a 1} b 2) :cljs (def b 3)) ; c\n#_ (left out) {:a #{1} "s" \\( }\n',
    ],
    tokens: [...SIGNS, '(defn f [x]\n  x)\n', '(comment ', '#?(:clj ', ':a', '\n  ', 'area'],
  },
};

const RENAMED: Readonly<Record<Dialect, readonly string[]>> = {
  'common-lisp': [
    '(defpackage :shop (:use :cl) (:export #:area "AREA"))\r\n(in-package :shop)\n(defun area (area &key (area 1)) (shop:area #\'area \'(AREA :area "area") `(,area) #+area area))',
    '(defstruct area (area 1)) (export \'(area) :cl-user) (find-symbol "AREA" :cl-user) ; area',
    '(in-package "ACL2") (defpkg "A" \'(area)) (defun area (x) x) (a::area 1)',
  ],
  clojure: [
    "(ns shop (:require [b :as x :refer [area] :rename {area y}]))\n(defn area [{:keys [area] :or {area (area)}} & r] (let [z (area area)] `(area ~area) #'area 'area ::area x/area shop/area))",
    '(defprotocol P (area [this])) (defrecord R [area] P (area [_] area)) (letfn [(area [] 1)] (area)) (for [x (area) :let [area x]] #(area %)) #_(area)',
    '(defrecord area [a]) (->area 1) (area. 2) user.area (case 1 area (area))',
  ],
};

/** A list in a feature expression that guards nothing; types that are defined only where nothing is renamed. */
const BROKE_RENAMING: Readonly<Record<Dialect, readonly string[]>> = {
  'common-lisp': [`(in-package "ACL2") (defpkg "A"#- '(area)) (defun area (x) x) (a::area 1)`],
  clojure: [
    "(defn area [x] '(defrecord area [a]) (->area area))",
    '(defprotocol P (area [this])) (defrecord R [area] P(defrecord area [a]) (->area 1) (area. 2) user.area (case 1 area (area))',
  ],
};

/** Blanks that go on for long: where a line begins, in it and where it ends, at the end of all, and where a delimiter lacks. */
const BLANKS: readonly Repeated[] = [
  { before: '(area\n', again: ' ', after: 'b)' },
  { before: '(area', again: ' ', after: 'b\n c)' },
  { before: '(area', again: '\t', after: '\n b)' },
  { before: '(area)', again: ' ', after: '\n' },
  { before: '(area) ;', again: ' ', after: 'b\n' },
  { before: '(area', again: ' ', after: 'b\n(c)' },
  { before: '(area', again: '\n', after: 'b' },
  { before: '(area "', again: ' ', after: 'b' },
  { before: '(area "', again: ')', after: 'b' },
  { before: '#|', again: '\n', after: 'b' },
];

for (const dialect of ['common-lisp', 'clojure'] as const) {
  const texts = {
    ...TEXTS[dialect],
    slow: BLANKS,
    refuses: (error: unknown) => error instanceof HarborError,
  };

  fuzzText({
    ...texts,
    name: `reading ${dialect}`,
    read: (text) => ({ source: read(text, dialect), complete: completeness(text, dialect) }),
    holds: ({ source: { tree, problem }, complete }, text) => {
      expect(printed(tree, text)).toBe(text);
      const misplaced: SyntaxNode[] = [];
      let at = 0;
      for (const { node, parents } of walk(tree)) {
        const { inner, end } = parents.at(-1) ?? tree;
        const isInside = node.start >= inner && node.end <= end && node.start < node.end;
        if (!isInside || node.start < at) misplaced.push(node);
        at = isBranch(node) ? node.inner : node.end;
      }
      expect(misplaced).toEqual([]);
      if (problem === null) expect(complete).not.toBe('incomplete');
    },
  });

  fuzzText({
    ...texts,
    name: `what is shown of ${dialect}`,
    slow: [
      ...BLANKS,
      { before: '', again: '(defn f [x]\n  x)\n', after: ')' },
      { before: '(a', again: ')', after: ' x' },
    ],
    read: (text) => {
      const source = read(text, dialect);
      return {
        diagnosis: diagnosisOf(source),
        collapsed: outlineText(source, { names: null, contents: null }).text,
        outer: outerList(text),
      };
    },
    holds: ({ diagnosis }, text) => {
      if (diagnosis !== null) expect(diagnosis.line).toBeLessThanOrEqual(text.split('\n').length);
    },
  });

  fuzzText({
    ...texts,
    name: `searching ${dialect}`,
    slow: [
      ...BLANKS,
      { before: '', again: '(area)\n', after: '' },
      { before: '(list ', again: 'area ', after: ')' },
      { before: 'area (defun (setf ', again: 'a', after: ') ())' },
    ],
    read: (text) =>
      (['definition', 'reference', 'text'] as const).flatMap((kind) =>
        searchText(text, dialect, { kind, query: 'area' }),
      ),
    holds: (matches, text) => {
      const lines = text.split('\n').length;
      expect(matches.filter(({ line }) => line > lines)).toEqual([]);
    },
  });

  fuzzText({
    ...texts,
    name: `formatting ${dialect}`,
    slow: [
      ...BLANKS,
      { before: '(', again: 'a\n', after: ')' },
      { before: '', again: '(loop\t', after: '' },
      { before: '(loop for a\n', again: 'and a\n', after: ')' },
      { before: '(f &key', again: ' a\n', after: ')' },
      { before: '(f\n', again: ':a 1\n', after: ')' },
      { before: '(defun f (', again: 'a\n', after: '))' },
      { before: '(loop for a in b\n', again: 'and\n', after: ')' },
      { before: '', again: '(\n)', after: '' },
    ],
    broke: [`${'(a '.repeat(20_000)}\na${')'.repeat(20_000)}`],
    read: (text) => formatSource(text, dialect),
    holds: (result, text) => {
      const parts = (of: string) =>
        Array.from(walk(read(of, dialect).tree), ({ node }) =>
          node.kind === 'blank' ? '' : of.slice(node.start, isBranch(node) ? node.inner : node.end),
        ).filter(Boolean);
      expect(parts(result)).toEqual(parts(text));
      expect(result.split('\n').length).toBe(text.split('\n').length);
      expect(formatSource(result, dialect)).toBe(result);
    },
  });

  fuzzText({
    ...texts,
    name: `mending ${dialect}`,
    slow: [
      ...BLANKS,
      ...['(', '(\n', ')', '(defun f (x)\n  (+ x\n'].map((again) => ({ before: '', again, after: '' })),
    ],
    read: (text) => mendSource(text, dialect),
    holds: (result) => {
      if ('text' in result) expect(read(result.text, dialect).problem).toBeNull();
    },
  });

  fuzzText({
    ...texts,
    name: `editing ${dialect}`,
    read: (text) => {
      const source = read(text, dialect);
      const forms = topLevelForms(source);
      const form = forms.findLast(({ name, depth }) => name !== null && depth === 0);
      if (!form?.name) return null;
      const query = { type: form.type, name: formTitle(form, dialect).slice(form.type.length) };
      return { form, after: applyEdit(source, { ...query, operation: 'replace', content: '(new)' }).text };
    },
    holds: (edit, text) => {
      if (edit === null) return;
      const { start, end } = edit.form.form;
      expect(edit.after).toBe(`${text.slice(0, start)}(new)${text.slice(end)}`);
    },
  });

  fuzzText({
    ...texts,
    name: `renaming ${dialect}`,
    broke: BROKE_RENAMING[dialect],
    seeds: [...texts.seeds, ...RENAMED[dialect]],
    slow: [
      ...BLANKS,
      { before: '(ns a) (defn area [])', again: '(let [area area] (area ', after: ')' },
      { before: '(defun area ())', again: '(in-package :a) (area) ', after: '' },
      { before: '(defn area [{', again: 'area {:keys [area] :or {area ', after: '}' },
      { before: '(area)', again: '#.#(#|', after: "'##" },
    ],
    read: (text) => {
      const there = renamedText(text, dialect, 'area', 'zone-x');
      return { there, back: isTaken(() => renamedText(there, dialect, 'zone-x', 'area')) };
    },
    holds: ({ there, back }, text) => {
      expect(there.replaceAll(/zone-x/gi, 'area').toLowerCase()).toBe(text.toLowerCase());
      const kinds = (source: string) => [...walk(read(source, dialect).tree)].map(({ node }) => node.kind);
      expect(kinds(there)).toEqual(kinds(text));
      // What looks alike and was left may be in the way, and `aREA` says no more how a name is written.
      const isOdd = text.match(/area/gi)?.some((name) => !/^(?:area|AREA|Area)$/.test(name));
      if (back !== null && !isOdd) expect(back).toBe(text);
    },
  });

  fuzzText({
    ...texts,
    name: `a caller’s text in code of ${dialect}`,
    broke: [`${'#1='.repeat(5_000)}a`],
    seeds: ['(f "a" |b|)', "(list 'a #'b)", 'a::b', '(x) ; c', '[a {:b 1}]', '(f #\\( )'],
    read: (text) => ({
      forms: Forms.read(text, dialect, 'code'),
      one: isTaken(() => OneForm.read(text, dialect, 'form')),
      name: isTaken(() => SymbolName.read(text, dialect, 'name')),
    }),
    holds: ({ forms, one, name }) => {
      for (const each of [one, name]) {
        const around = read(`(before ${String(each ?? 'x')} after)`, dialect);
        const [list] = formsOf(around.tree);
        expect([around.problem, list && isBranch(list) && formsOf(list).length]).toEqual([null, 3]);
      }
      const around = read(`(before ${String(forms)} after)`, dialect);
      expect([around.problem, formsOf(around.tree).length]).toEqual([null, 1]);
    },
  });
}

const OWN_SYNTAX = [
  "(in-package :a)\n(set-dispatch-macro-character #\\# #\\~ #'read-line-text)\n(defun doc () #~/first (line/)\n;; about after\n(defun after ()\n1)\n",
  '(in-readtable :json)\n(defun table () {"a" (1, "b)" 2})\n#{ "a" 1,\n   "b" 2 }\n(defun quoted ()\n #"a "( b"#)\n',
  '(setf *readtable* (copy-readtable))\n(defun text ()\n    """an "odd ( quote\n  (not code\n""")\n\n(defun plain (x)\nx)\n',
];

fuzzText({
  name: 'syntax that a file defines',
  seeds: OWN_SYNTAX,
  tokens: [...TEXTS['common-lisp'].tokens, '"""', '#~', '$"', '(in-readtable :a)'],
  slow: BLANKS.map((blanks) => ({ ...blanks, before: `(in-readtable :a)\n${blanks.before}` })),
  refuses: (error) => error instanceof HarborError,
  read: (text) => ({ file: readFile(text, 'common-lisp'), formatted: formatSource(text, 'common-lisp') }),
  holds: ({ file, formatted }, text) => {
    expect(printed(file.tree, text)).toBe(text);
    expect(formatted.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
    expect(formatted.split('\n').length).toBe(text.split('\n').length);
    let at = 0;
    for (const { start, end } of file.unknown ?? []) {
      const form = text.slice(start, end);
      at = formatted.indexOf(form, at) + form.length;
      expect(at).toBeGreaterThanOrEqual(form.length);
    }
    expect(formatSource(formatted, 'common-lisp')).toBe(formatted);
    if (file.unknown && !file.disputed)
      expect(mendSource(text, 'common-lisp')).toMatchObject({ text: formatted });
  },
});

function renamedText(text: string, dialect: Dialect, name: string, newName: string): string {
  const file = { path: 'a', source: read(text, dialect) };
  const [done] = renameInFiles([file], { name, newName, path: null, also: new Set() }).files;
  return done ? changedText(done) : text;
}

function isTaken<Taken>(read: () => Taken): Taken | null {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(HarborError);
    return null;
  }
}
