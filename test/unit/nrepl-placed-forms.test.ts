import { describe, expect, it } from 'vitest';
import { checkedForms, placedForms } from '../../electron/images/nrepl/clojure-code';

const codes = (source: string) => placedForms(source).map((form) => form.code);

describe('placedForms', () => {
  it('finds forms of every kind', () => {
    const forms = [
      '(+ 1 2)',
      '[a (b {c d})]',
      '{:a "}"}',
      '#{1 2}',
      '#(inc %)',
      '"a ; \\" b"',
      '#"\\d+\\""',
      '\\(',
      '\\newline',
      '\\"',
      '\\u03BB',
      "sym'bol#",
      ':key/word',
      '::alias/key',
      '-1.5e3',
      "'quoted",
      '`(a ~b ~@c)',
      '@deref',
      "#'var",
      '^:private x',
      '^{:doc "("} (def y)',
      '#^String z',
      '#js {:a 1}',
      '#js/nested [#js {}]',
      '#inst "2020-01-01"',
      '##Inf',
      '#?(:cljs 1)',
      '#?@(:cljs [1])',
      '#:ns{:a 1}',
      '#::{:a 1}',
      'λ',
    ];
    expect(codes(forms.join(' '))).toEqual(forms);
    expect(codes(forms.join('\n'))).toEqual(forms);
  });

  it('handles strings, characters and comments inside brackets', () => {
    const form = '(f "(" \\( \\" #"[)]" ; ) " \n 1)';
    expect(codes(`${form}x`)).toEqual([form, 'x']);
  });

  it('needs no space between forms', () => {
    expect(codes('(a)[b]"c"d"e"f(g)h;i\nj@k')).toEqual([
      '(a)',
      '[b]',
      '"c"',
      'd',
      '"e"',
      'f',
      '(g)',
      'h',
      'j',
      '@k',
    ]);
  });

  it('leaves out comments, commas and discarded forms between forms', () => {
    expect(codes('#!/usr/bin/env nbb\n; a\n1,, #_ (no) 2 #_ #_ x y 3 #_[z]')).toEqual(['1', '2', '3']);
  });

  it('keeps a discarded form between a prefix and its form', () => {
    expect(codes("'#_ a b ^:m #_x c")).toEqual(["'#_ a b", '^:m #_x c']);
  });

  it.each([
    ['a space that forbids a break', 'a\u00A0b \u2007c (d)', ['a\u00A0b', '\u2007c', '(d)']],
    ['a byte order mark inside', 'a\uFEFF(b) \uFEFF', ['a\uFEFF', '(b)', '\uFEFF']],
  ])('treats %s as part of a symbol, as Clojure does', (_, source, expected) => {
    expect(codes(source)).toEqual(expected);
  });

  it('treats every other space, separators and a leading byte order mark as blank', () => {
    expect(codes('\uFEFF(a)')).toEqual(['(a)']);
    expect(codes('a\u3000b\u2028c\u1680d\u001Ce\vf')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(codes('; a\rb')).toEqual(['b']);
  });

  it('ends a number before a quote and a #', () => {
    expect(codes("1'a 2#'b -3# a 1 x'")).toEqual(['1', "'a", '2', "#'b", '-3', '# a 1', "x'"]);
  });

  it('reports positions of forms', () => {
    expect(placedForms('a b\n\n  (c\n d) e\r\nf')).toEqual([
      { code: 'a', line: 0, column: 0 },
      { code: 'b', line: 0, column: 2 },
      { code: '(c\n d)', line: 2, column: 2 },
      { code: 'e', line: 3, column: 4 },
      { code: 'f', line: 4, column: 0 },
    ]);
  });

  it.each([
    ['1 ) 2', ['1', ')']],
    ['(a [b) c', ['(a [b)']],
    ['1 (a "b) 2', ['1', '(a "b) 2']],
    ['1 (a (b) 2', ['1', '(a (b) 2']],
    ['1 "abc', ['1', '"abc']],
    ["1 '", ['1', "'"]],
    ['1 #_', ['1', '#_']],
    ['1 ^:m', ['1', '^:m']],
    ['1 \\', ['1', '\\']],
    ['1 #', ['1', '#']],
    ['(comment ; )', ['(comment ; )']],
  ])('ends at the error in %j', (source, expected) => {
    expect(codes(source)).toEqual(expected);
  });

  it('returns nothing for nothing', () => {
    expect(codes('')).toEqual([]);
    expect(codes(' \n ; only a comment')).toEqual([]);
    expect(codes('#_ gone')).toEqual([]);
  });

  it('handles depth and size', () => {
    const deep = `${'('.repeat(200_000)}${')'.repeat(200_000)}`;
    const quotes = `${"'".repeat(200_000)}x`;
    const long = `"${'\\n'.repeat(1_000_000)}"`;
    const comment = `;${'x'.repeat(1_000_000)}\n1`;
    expect(codes(`${deep} ${quotes} ${long} ${comment}`)).toEqual([deep, quotes, long, '1']);
    expect(codes('1 '.repeat(200_000))).toHaveLength(200_000);
  });
});

describe('delimiters', () => {
  it.each([
    ['(+ 1', 'The ( at line 1, column 1 is not closed.'],
    ['1\n  [2 {3', 'The { at line 2, column 6 is not closed, nor is the [ at line 2, column 3.'],
    ['(f "a\n b)', 'The " at line 1, column 4 is not closed.'],
    ['1 ) 2', 'The ) at line 1, column 3 closes nothing.'],
    [
      '(let [x 1\n  x)',
      'The [ at line 1, column 6 is closed by the ) at line 2, column 4, where ] was expected.',
    ],
    [
      '(defn f [x]\n  (inc x)\n\n(defn g [])\n',
      'The ( at line 1, column 1 is not closed. Line 4 begins another form, so look before it.',
    ],
  ])('that are wrong in %j are told', (code, problem) => {
    expect(checkedForms(code).problem).toBe(problem);
  });

  it.each([
    'that are unbalanced in %j are described',
    '\'(a) #_(b) [\\] \\"]',
    '',
    '; (',
    '#{} #() #?(:clj [])',
  ])('are balanced in %j', (code) => {
    expect(checkedForms(code).problem).toBeNull();
  });

  it.each(["1 '", '1 #_', '1 ^:m', '1 \\'])('are not the problem in %j', (code) => {
    expect(checkedForms(code).problem).toBeNull();
  });
});
