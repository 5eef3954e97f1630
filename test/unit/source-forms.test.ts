import { describe, expect, it } from 'vitest';
import { elementsOf, formsIn } from '../../electron/source/reader';

describe('forms in a text', () => {
  it.each([
    ['(a) (b c)', ['(a)', '(b c)']],
    ["'(a) #'car `(x ,@y) b", ["'(a)", "#'car", '`(x ,@y)', 'b']],
    ['f(x)', ['f', '(x)']],
    ['(a)(b)', ['(a)', '(b)']],
    ['"a ) b" |c ) d| #\\) ; )\n e #| ) |# f', ['"a ) b"', '|c ) d|', '#\\)', 'e', 'f']],
    ['#S(point :x 1) #2A((1 2)) 1', ['#S(point :x 1)', '#2A((1 2))', '1']],
    ['', []],
  ])('of %s', (text, forms) => {
    expect(formsIn(text, 'common-lisp')).toEqual(forms);
  });

  it.each(['(a', 'a)', '"a', '#| a', '(a))'])('does not guess at %s', (text) => {
    expect(formsIn(text, 'common-lisp')).toBeNull();
  });

  it('keeps the brackets of Clojure', () => {
    expect(formsIn('[1, 2] {:a 1} #{1}', 'clojure')).toEqual(['[1, 2]', '{:a 1}', '#{1}']);
  });

  it('takes a list apart', () => {
    expect(elementsOf('(defun f(x) "doc" x)', 'common-lisp')).toEqual(['defun', 'f', '(x)', '"doc"', 'x']);
    expect(elementsOf('atom', 'common-lisp')).toBeNull();
  });
});
