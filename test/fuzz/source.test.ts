/** Source text of anybody, in both syntaxes: what is read, found, shown and edited of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { Forms, OneForm, SymbolName } from '../../electron/source/code';
import { collapsed } from '../../electron/source/collapsed';
import { completeness } from '../../electron/source/complete';
import { diagnosisOf } from '../../electron/source/diagnosis';
import type { Dialect } from '../../electron/source/dialect';
import { edited } from '../../electron/source/edit';
import { outerList } from '../../electron/source/forms';
import { formTitle } from '../../electron/source/locate';
import { searchText } from '../../electron/source/matches';
import { read } from '../../electron/source/reader';
import { formsOf, isBranch, printed, type SyntaxNode, walk } from '../../electron/source/syntax-tree';
import { topLevelForms } from '../../electron/source/top-level';
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

for (const dialect of ['common-lisp', 'clojure'] as const) {
  const texts = { ...TEXTS[dialect], refuses: (error: unknown) => error instanceof HarborError };

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
      { before: '', again: '(defn f [x]\n  x)\n', after: ')' },
      { before: '(a', again: ')', after: ' x' },
    ],
    read: (text) => {
      const source = read(text, dialect);
      return {
        diagnosis: diagnosisOf(source),
        collapsed: collapsed(source, { names: null, contents: null }).text,
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
      { before: '', again: '(area)\n', after: '' },
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
    name: `editing ${dialect}`,
    read: (text) => {
      const source = read(text, dialect);
      const forms = topLevelForms(source);
      const form = forms.findLast(({ name, depth }) => name !== null && depth === 0);
      if (!form?.name) return null;
      const query = { type: form.type, name: formTitle(form, dialect).slice(form.type.length) };
      return { form, after: edited(source, { ...query, operation: 'replace', content: '(new)' }).text };
    },
    holds: (edit, text) => {
      if (edit === null) return;
      const { start, end } = edit.form.form;
      expect(edit.after).toBe(`${text.slice(0, start)}(new)${text.slice(end)}`);
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

function isTaken<Taken>(read: () => Taken): Taken | null {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(HarborError);
    return null;
  }
}
