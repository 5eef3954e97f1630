import { describe, expect, it } from 'vitest';
import { completeness } from '../../electron/source/reader';

describe('completeness of Common Lisp text', () => {
  it.each([
    ['', 'empty'],
    ['  ; only a comment\n', 'empty'],
    ['#| a #| nested |# comment |#', 'empty'],
    ['(+ 1 2)', 'complete'],
    ['(defun f (x)', 'incomplete'],
    ['(print "a ) b")', 'complete'],
    ['(print "open', 'incomplete'],
    ['(list #\\( #\\))', 'complete'],
    ['#\\(', 'complete'],
    ["(list '|a ( b|)", 'complete'],
    ['(list |open', 'incomplete'],
    ['#| open', 'incomplete'],
    ['(+ 1 ; a ) here\n 2)', 'complete'],
    ['(+ 1 2))', 'complete'],
    ['foo', 'complete'],
    ['[', 'complete'],
  ])('%j is %s', (text, expected) => {
    expect(completeness(text, 'common-lisp')).toBe(expected);
  });
});

describe('completeness of Clojure text', () => {
  it.each([
    ['[1 2', 'incomplete'],
    ['{:a [1 2]}', 'complete'],
    ['(str \\( \\[)', 'complete'],
    ['#"a(b"', 'complete'],
    [',,,', 'empty'],
    ['(defn f [x] ; ]\n x)', 'complete'],
  ])('%j is %s', (text, expected) => {
    expect(completeness(text, 'clojure')).toBe(expected);
  });
});
