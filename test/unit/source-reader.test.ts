/** The reader of source text: its tree has every character of the text, and says what is wrong with it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../electron/source/dialect';
import { read } from '../../electron/source/reader';
import { type Branch, formsOf, isBranch, printed, walk } from '../../electron/source/syntax-tree';
import { rounds } from '../rounds';
import { ROOT } from './setup-checkout';

/** The forms in a branch as written, and what kind each is. */
function forms(text: string, dialect: Dialect): [string, string][] {
  const { tree, problem } = read(text, dialect);
  expect(problem).toBeNull();
  return formsOf(tree).map((node) => [node.kind, text.slice(node.start, node.end)]);
}

/** The elements of the one list that `text` is. */
function elements(text: string, dialect: Dialect): string[] {
  const list = formsOf(read(text, dialect).tree)[0] as Branch;
  return formsOf(list).map(({ start, end }) => text.slice(start, end));
}

/** Every character is in the tree, and each part of it is inside of what it is a part of. */
function isWhole(text: string, dialect: Dialect): void {
  const { tree } = read(text, dialect);
  expect(printed(tree, text)).toBe(text);
  const misplaced = [...walk(tree)].filter(({ node }) => node.end <= node.start).map(({ node }) => node);
  for (const { node, parents } of walk(tree)) {
    const { inner, end } = parents.at(-1) ?? tree;
    if (node.start < inner || node.end > end) misplaced.push(node);
  }
  expect([text, misplaced]).toEqual([text, []]);
}

describe('Common Lisp', () => {
  it.each<[string, string, string]>([
    ['a nested comment', '#| a #| b ) |# ( |# x', 'x'],
    ['a comment that looks like a second one', '#|# ( |# x', 'x'],
    ['delimiters one after another', '#||# x', 'x'],
    ['a character', '#\\(', '#\\('],
    ['a character with a name', '#\\Space', '#\\Space'],
    ['a character beyond 16 bits', '#\\😀', '#\\😀'],
    ['a symbol in bars', '|a ( b|', '|a ( b|'],
    ['a symbol with bars inside', 'foo|a ) b|:bar', 'foo|a ) b|:bar'],
    ['an escaped parenthesis', 'foo\\(bar', 'foo\\(bar'],
    ['a feature', '#+(or sbcl ccl) (a) ', '#+(or sbcl ccl) (a)'],
    ['a feature that is not there', '#-sbcl ; why\n (a)', '#-sbcl ; why\n (a)'],
    ['evaluation at read time', '#.(ext:quit)', '#.(ext:quit)'],
    ['a function', "#'(setf car)", "#'(setf car)"],
    ['a vector', '#(1 2)', '#(1 2)'],
    ['a vector of a length', '#3(1 2)', '#3(1 2)'],
    ['an array', '#2A((1) (2))', '#2A((1) (2))'],
    ['a pathname', '#p"a/(b"', '#p"a/(b"'],
    ['a pathname behind a blank', '#P "a"', '#P "a"'],
    ['a complex number', '#C(1 2)', '#C(1 2)'],
    ['a structure', '#S(point :x 1)', '#S(point :x 1)'],
    ['an uninterned symbol', '#:|a b|', '#:|a b|'],
    ['a label', '#1=(a . #1#)', '#1=(a . #1#)'],
    ['bits', '#*1010', '#*1010'],
    ['a number in base 36', '#36rZZ', '#36rZZ'],
    ['backquote and comma', '`(a ,b ,@(c) ,.d)', '`(a ,b ,@(c) ,.d)'],
    ['somebody’s own string syntax', '#?"a ( b"', '#?"a ( b"'],
    ['a first line for the shell', '#!/usr/bin/sbcl --script (\nx', 'x'],
    ['a byte order mark', '\uFEFFx', 'x'],
  ])('has %s as one form', (_, text, form) => {
    expect(forms(text, 'common-lisp').map(([, written]) => written)).toEqual([form]);
    isWhole(text, 'common-lisp');
  });

  it('tells forms that touch each other apart', () => {
    expect(elements('(a"b"c(d)\'e#\\)f)', 'common-lisp')).toEqual(['a', '"b"', 'c', '(d)', "'e#\\)f"]);
    expect(elements('((a)(b))', 'common-lisp')).toEqual(['(a)', '(b)']);
  });

  it('leaves brackets and braces to symbols', () => {
    expect(elements('([a {b)', 'common-lisp')).toEqual(['[a', '{b']);
  });
});

describe('Clojure', () => {
  it.each<[string, string, string]>([
    ['a set', '#{1 2}', '#{1 2}'],
    ['a regular expression', '#"a(\\"b"', '#"a(\\"b"'],
    ['a character', '\\(', '\\('],
    ['a character with a name', '\\newline', '\\newline'],
    ['a function literal', '#(+ % 1)', '#(+ % 1)'],
    ['a reader conditional', '#?(:clj 1 :cljs 2)', '#?(:clj 1 :cljs 2)'],
    ['a splicing one', '#?@(:clj [1])', '#?@(:clj [1])'],
    ['metadata', '^{:a 1} ^:b x', '^{:a 1} ^:b x'],
    ['old metadata', '#^String x', '#^String x'],
    ['a map with a namespace', '#:a{:b 1}', '#:a{:b 1}'],
    ['one with an alias', '#::a{:b 1}', '#::a{:b 1}'],
    ['unquote', '`(a ~b ~@c)', '`(a ~b ~@c)'],
    ['deref', '@(future 1)', '@(future 1)'],
    ['a var', "#'clojure.core/map", "#'clojure.core/map"],
    ['a tagged value', '#inst "2020"', '#inst "2020"'],
    ['a symbolic value', '##Inf', '##Inf'],
    ['a form behind a discarded one', '#_ (a b) c', 'c'],
    ['a form behind two discarded ones', '#_ #_ a b c', 'c'],
    ['commas as blanks', ', a ,', 'a'],
    ['a quote inside a symbol', "x'", "x'"],
    ['a space that forbids a break', 'a\u00A0b', 'a\u00A0b'],
    ['a byte order mark inside a symbol', 'a\uFEFFb', 'a\uFEFFb'],
    ['a byte order mark', '\uFEFFx', 'x'],
    ['a symbolic value behind a blank', '## Inf', '## Inf'],
    ['a tag behind a blank', '# inst "2020"', '# inst "2020"'],
  ])('has %s as one form', (_, text, form) => {
    expect(forms(text, 'clojure').map(([, written]) => written)).toEqual([form]);
    isWhole(text, 'clojure');
  });

  it('needs no form for a list beside a discarded one', () => {
    expect(elements('[a #_b]', 'clojure')).toEqual(['a']);
  });
});

describe('what is wrong', () => {
  it.each<[string, Dialect, object]>([
    ['(a (b)', 'common-lisp', { kind: 'unclosed', openers: [0] }],
    ['(a [b', 'clojure', { kind: 'unclosed', openers: [0, 3] }],
    ['(a))', 'common-lisp', { kind: 'stray', closer: 3 }],
    ['(a])', 'clojure', { kind: 'mismatched', opener: 0, closer: 2 }],
    ['(a "b)', 'common-lisp', { kind: 'unterminated', at: 3 }],
    ['(a |b)', 'common-lisp', { kind: 'unterminated', at: 3 }],
    ['#| a', 'common-lisp', { kind: 'unterminated', at: 0 }],
    ["(a ')", 'common-lisp', { kind: 'dangling', at: 3, closer: 4 }],
    ['#+sbcl', 'common-lisp', { kind: 'dangling', at: 0, closer: null }],
    ['#_', 'clojure', { kind: 'dangling', at: 0, closer: null }],
  ])('with %s', (text, dialect, problem) => {
    expect(read(text, dialect).problem).toEqual(problem);
    isWhole(text, dialect);
  });
});

describe('any text', () => {
  /** Park and Miller’s generator: the same texts in each run. */
  function* chance(): Generator<number, never> {
    for (let state = 48271; ; state = (state * 48271) % 2147483647) yield state;
  }
  const PIECES = [
    ...'()[]{}\'`,@#^~;|"\\:.+-_?!=* \n\r\taZ09λ😀\0\uFEFF',
    ...[
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
      ',@',
      '\r\n',
    ],
    ...['(defun f (x)\n  x)', '(def a 1)', '; c\n', '"s"', '#<', '##', '#:'],
  ];

  it('is read without a crash, and kept to the character', () => {
    const next = chance();
    for (let round = 0; round < rounds({ usual: 1000, soak: 10_000 }); round += 1) {
      const length = next.next().value % 60;
      const pieces = Array.from({ length }, () => PIECES[next.next().value % PIECES.length]);
      const text = pieces.join('');
      for (const dialect of ['common-lisp', 'clojure'] as const) isWhole(text, dialect);
    }
  }, 120_000);

  it.each<[string, string]>([
    ['openings', '('],
    ['quotes', "'"],
    ['brackets and parentheses', '[('],
    ['discarding', '#_'],
    ['closings', '])'],
    ['comments in comments', '#|'],
  ])('of nothing but %s is read, however deep', (_, piece) => {
    for (const dialect of ['common-lisp', 'clojure'] as const) {
      const text = `${piece.repeat(200_000)})`;
      const { tree } = read(text, dialect);
      expect(printed(tree, text)).toBe(text);
    }
  });

  it('of our own Lisp files is right', () => {
    const folder = path.join(ROOT, 'resources');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(lisp|cljs?)$/.test(file),
    );
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const { problem, tree } = read(text, file.endsWith('.lisp') ? 'common-lisp' : 'clojure');
      expect([file, problem]).toEqual([file, null]);
      expect(printed(tree, text)).toBe(text);
      const odd = formsOf(tree).filter((node) => !isBranch(node));
      expect([file, odd]).toEqual([file, []]);
    }
  });
});
