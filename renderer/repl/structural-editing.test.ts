/** Structural edits, with the cursor written as `|`. */

import { describe, expect, it } from 'vitest';
import {
  barf,
  callAt,
  closesAfter,
  columnAfter,
  endOfForm,
  killForm,
  raise,
  type StructuralEdit,
  slurp,
  splice,
  startOfForm,
  transpose,
  wrap,
} from './structural-editing';

function edited(edit: StructuralEdit, marked: string): string | null {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const done = edit(text, at, 'common-lisp');
  if (!done) return null;
  let out = text;
  for (const { from, to, insert } of done.changes.toSorted((a, b) => b.from - a.from))
    out = out.slice(0, from) + insert + out.slice(to);
  return `${out.slice(0, done.cursor)}|${out.slice(done.cursor)}`;
}

describe('a structural edit', () => {
  it.each([
    ['slurp', slurp, '(foo |bar) baz', '(foo |bar baz)'],
    ['slurp from outside of an inner list', slurp, '((a |b)) c', '((a |b) c)'],
    ['slurp of a list', slurp, '(list |1) (+ 2 ")")', '(list |1 (+ 2 ")"))'],
    ['slurp of nothing', slurp, '(foo |bar)', null],
    ['barf', barf, '(foo |bar baz)', '(foo |bar) baz'],
    ['barf of the only form', barf, '(|foo)', '(|)foo'],
    ['barf outside of lists', barf, 'fo|o', null],
    ['wrap', wrap, '(a |b c)', '(a (|b) c)'],
    ['wrap of nothing', wrap, '|', '(|)'],
    ['splice', splice, '(when x (foo |bar))', '(when x foo |bar)'],
    ['splice with the cursor at the end', splice, '(a (b c|) d)', '(a b c| d)'],
    ['splice outside of lists', splice, 'fo|o', null],
    ['transpose', transpose, '(list a| (b c))', '(list (b c) a|)'],
    ['transpose of the form around the cursor', transpose, '(foo b|ar)', '(bar foo|)'],
    ['transpose of the only form', transpose, '(|foo)', null],
    ['raise', raise, '(when x (foo |(bar)))', '(when x |(bar))'],
    ['raise at the top', raise, '|(bar)', null],
    ['kill', killForm, '(a |(b c) d)', '(a | d)'],
    ['kill of a string with a delimiter', killForm, '(a |"(" d)', '(a | d)'],
    ['kill at the end of a list', killForm, '(a|)', null],
  ] as const)('%s', (_name, edit, before, after) => {
    expect(edited(edit, before)).toBe(after);
  });
});

describe('the cursor', () => {
  it('goes over whole forms', () => {
    expect(endOfForm('(a (b c) d)', 3, 'common-lisp')).toBe(8);
    expect(endOfForm('(a)', 2, 'common-lisp')).toBeNull();
    expect(startOfForm('(a (b c) d)', 8, 'common-lisp')).toBe(3);
    expect(startOfForm('(a)', 1, 'common-lisp')).toBeNull();
  });

  it.each([
    ['(subseq |', 'subseq'],
    ['(foo (bar 1) |', 'foo'],
    ['(foo (ba|', 'foo'],
    ["(mapcar #'|", 'mapcar'],
    ['|(foo)', null],
    ['(fo|', null],
  ])('in %s is in a call of %s', (marked, operator) => {
    const call = callAt(marked.replace('|', ''), marked.indexOf('|'), 'common-lisp');
    expect(call?.operator ?? null).toBe(operator);
  });
});

it.each([
  ['(subseq |', 0, undefined],
  ['(subseq list 1 |', 2, undefined],
  ['(subseq li|st 1)', 0, undefined],
  ['(find 1 list :key |', 3, ':key'],
])('the cursor in %s is in argument %i', (marked, argument, keyword) => {
  const call = callAt(marked.replace('|', ''), marked.indexOf('|'), 'common-lisp');
  expect(call).toMatchObject({ argument, keyword });
});

describe('a new line', () => {
  it.each([
    ['', 0],
    ['(list 1 2', 6],
    ['(defun f (x)', 2],
    ['(let ((a 1)', 6],
    ['(let ((a 1))', 2],
    ['(foo)', 0],
    ['(format t "one', null],
  ])('after %s starts in column %s', (before, column) => {
    expect(columnAfter(before, 'common-lisp')).toBe(column);
  });

  it('is indented in Clojure style', () => {
    expect(columnAfter('(defn f [x]', 'clojure')).toBe(2);
    expect(columnAfter('(let [a 1', 'clojure')).toBe(6);
    expect(columnAfter('{:a 1', 'clojure')).toBe(1);
  });
});

// Automatic closing of delimiters.

describe('closing of brackets and quotes', () => {
  it.each(['', '(list ', '"a" ', '"said: ', '#\\a ', '#\\\\', '#| done |# ', '|a b| ', '; a note'])(
    'is done in Common Lisp after %j',
    (text) => {
      expect(closesAfter(text, 'common-lisp')).toBe(true);
    },
  );

  it.each(['#\\', '(char= c #\\', '\\', 'a\\', '"a \\', '#| what ', '#| #| |# ', '(f #|', '|a '])(
    'is not done in Common Lisp after %j',
    (text) => {
      expect(closesAfter(text, 'common-lisp')).toBe(false);
    },
  );

  it.each(['', '[1 ', '\\a ', '\\\\', '#_', '"a \\\\'])('is done in Clojure after %j', (text) => {
    expect(closesAfter(text, 'clojure')).toBe(true);
  });

  it.each(['\\', '(= c \\', '"a \\'])('is not done in Clojure after %j', (text) => {
    expect(closesAfter(text, 'clojure')).toBe(false);
  });
});
