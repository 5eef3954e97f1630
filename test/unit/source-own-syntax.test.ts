/** Files with reader macros of their own: read, edited and formatted without knowledge of their readtable. */
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../electron/source/edit';
import { formatSource } from '../../electron/source/format/format';
import { mendSource } from '../../electron/source/mend/mended';
import { outlineText } from '../../electron/source/outline';
import { readFile, unknownForms } from '../../electron/source/own-syntax';

const DISPATCH = `(defpackage :rt1 (:use :cl)) (in-package :rt1)
(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable))
  (set-dispatch-macro-character #\\# #\\~ #'read-line-text))
(defun doc () #~/first (line/)
;; about after
(defun after () 1)
`;

const INTERPOL = `(named-readtables:in-readtable :interpol-syntax)
(defun path (dir)
  #?/\${dir}\\/x(/)

(defun plain () "q")
`;

const BRACES = `(in-readtable :json)
(defun table () {"a" (1, "b)" 2})

(defun quoted () #"a "( b"#)

(defmacro later (x)
  \`(list ,x))
`;

const TRIPLE = `(named-readtables:in-readtable :pythonic)
(defun text ()
    """an "odd ( quote
  (not code
""")

(defun after (x)
x)
`;

const outline = (text: string) =>
  outlineText(readFile(text, 'common-lisp'), { names: null, contents: null }).text;
const edited = (text: string, name: string, content: string) =>
  applyEdit(readFile(text, 'common-lisp'), { operation: 'replace', type: 'defun', name, content }).text;

describe.each(Object.entries({ DISPATCH, INTERPOL, BRACES, TRIPLE }))(
  'a file with its own syntax: %s',
  (_, text) => {
    const names = Array.from(text.matchAll(/^\(def(?:un|macro) (\S+)/gm), ([, name = '']) => name);

    it('has no problem, and its outline has every form', () => {
      expect(readFile(text, 'common-lisp').problem).toBeNull();
      for (const name of names) expect(outline(text)).toContain(name);
      expect(unknownForms(readFile(text, 'common-lisp')).length).toBeGreaterThan(0);
    });

    it('is edited by form, those that are not understood included', () => {
      for (const name of names.filter((each) => each !== 'later')) {
        const result = edited(text, name, `(defun ${name} () :new)`);
        expect(result).toContain(`(defun ${name} () :new)`);
        for (const other of names.filter((each) => each !== name)) expect(result).toContain(` ${other} `);
      }
    });

    it('keeps the inside of what is not understood when it is formatted or mended', () => {
      const unknown = (readFile(text, 'common-lisp').unknown ?? []).map(({ start, end }) =>
        text.slice(start, end),
      );
      const formatted = formatSource(text, 'common-lisp');
      for (const form of unknown) expect(formatted).toContain(form);
      expect(mendSource(text, 'common-lisp')).toMatchObject({ text: formatted });
    });
  },
);

it('formats the forms that it understands', () => {
  expect(formatSource(TRIPLE, 'common-lisp')).toBe(TRIPLE.replace('\nx)', '\n  x)'));
});

it('still refuses content that its file’s syntax does not explain, and files that have none', () => {
  expect(() => edited(DISPATCH, 'after', '(defun after () (list 1)')).toThrow('incomplete');
  expect(edited(DISPATCH, 'after', '(defun after () #~/(/)')).toContain('#~/(/)');
  expect(readFile('(defun f () (list 1)\n(defun g () 2)\n', 'common-lisp').problem).not.toBeNull();
});

describe('syntax that nothing in the file defines', () => {
  const ODD = '#{(defun f ()\n(list "a\n  b" 1)\n\n(defun g (x)\nx)\n';

  it('is edited by form, and changed by nothing else', () => {
    expect(edited(ODD, 'g', '(defun g () 1)')).toContain('\n(defun g () 1)\n');
    expect(formatSource(ODD, 'common-lisp')).toBe(ODD);
    expect(mendSource(ODD, 'common-lisp')).toMatchObject({ wrong: { line: 1 } });
  });

  it('is formatted around where the text is balanced', () => {
    const text = '(defun f () #~/a  b/)\n\n(defun g (x)\nx)\n';
    expect(formatSource(text, 'common-lisp')).toBe(text.replace('\nx', '\n  x'));
  });

  it.each([
    '(defun f (*readtable*)\n  (list *readtable*)\n\n(defun g () 1)\n',
    '(defun f (s)\n  (let ((*readtable* (copy-readtable nil)))\n    (read s))\n\n(defun g () 1)\n',
    ';; (in-readtable :x)\n(defun f (x)\n  (list x)\n\n(defun g () 1)\n',
    '(defpackage :p\n  (:import-from :named-readtables #:in-readtable)\n\n(defun g () 1)\n',
  ])('is not assumed where a readtable is only named: %#', (text) => {
    expect(readFile(text, 'common-lisp').problem).not.toBeNull();
    expect(mendSource(text, 'common-lisp')).toMatchObject({ text: text.replace(')\n\n', '))\n\n') });
  });
});

it('formats nothing from a prefix at top level to the next form', () => {
  const text = '(in-readtable :x)\n#{ "a" 1,\n   "b" 2 }\n\n(f ""\n1)\n';
  expect(formatSource(text, 'common-lisp')).toBe(text.replace('\n1', '\n   1'));
});

it('keeps comments before a form with it', () => {
  const result = applyEdit(readFile(DISPATCH, 'common-lisp'), {
    operation: 'delete',
    type: 'defun',
    name: 'doc',
  });
  expect(result.text).toContain(';; about after\n(defun after () 1)');
});

describe('LOOP', () => {
  it.each([
    '(defun g (xs)\n  (loop for x in xs\n        when (p x)\n          if (q x)\n            collect 1\n          else\n            collect 2\n          end))',
    '(defun g (xs)\n  (loop for x in xs\n        if (p x)\n          collect x into ps\n          and do (print x)\n        else\n          collect x into qs\n        end\n        finally (return (list ps qs))))',
    '(defun g (xs)\n  (loop for x in xs\n        when (p x)\n          collect x\n          and collect 1\n          and collect 2\n        do (print x)))',
    '(defun g (xs)\n  (loop for x in xs\n        if (p x)\n          collect 1\n        else if (q x)\n          collect 2\n        else\n          collect 3))',
    '(defun g (xs)\n  (loop for x in xs\n        when (p x)\n          collect x and\n          collect 1\n        do (print x)))',
    '(defun g (xs)\n  (loop for x in xs\n        when (p x)\n          unless (q x)\n            collect 1\n          end\n          and do (print x)\n        end\n        while x))',
  ])('keeps correct clauses where they are: %#', (text) => {
    expect(formatSource(text, 'common-lisp')).toBe(text);
    expect(mendSource(text, 'common-lisp')).toMatchObject({ text });
  });
});

describe('a form inside (comment …)', () => {
  const read = (text: string) => readFile(text, 'clojure');
  it('is not edited instead of a live one', () => {
    const text = '(defn- k [] 1)\n(comment (defn k [] 2))\n';
    const edit = (type: string, source = text) =>
      applyEdit(read(source), { operation: 'replace', type, name: 'k', content: '(defn k [] 3)' }).text;
    expect(() => edit('defn')).toThrow('defn- k');
    expect(edit('defn-')).toBe('(defn k [] 3)\n(comment (defn k [] 2))\n');
    expect(edit('defn', '(defn k [] 1)\n(comment (defn k [] 2))\n')).toBe(
      '(defn k [] 3)\n(comment (defn k [] 2))\n',
    );
    expect(edit('defn', '(comment (defn k [] 2))\n')).toBe('(comment (defn k [] 3))\n');
  });
});
