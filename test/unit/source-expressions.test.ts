/** Expressions that are replaced by what they are, however they are laid out. */
import { describe, expect, it } from 'vitest';
import { applyLikelyFix } from '../../electron/source/diagnosis';
import { replaceExpressions } from '../../electron/source/edit';
import { read } from '../../electron/source/reader';
import { Positions } from '../../electron/source/text';

const TEXT = '(defn f [x]\n  (if (pos?  x) ; up\n    (+ x\n       1)\n    (+ x 1)))\n"(+ x 1)"\n';

describe('an expression is replaced', () => {
  it('the first time that it stands there, and the other places are told', () => {
    const { text, replaced, left } = replaceExpressions(TEXT, '(+ x 1)', '(inc x)', false);
    expect(text).toBe('(defn f [x]\n  (if (pos?  x) ; up\n    (inc x)\n    (+ x 1)))\n"(+ x 1)"\n');
    expect([replaced, left]).toEqual([[3], [5]]);
  });

  it('wherever it stands, but never in a string, a comment or another word', () => {
    const { text, replaced, left } = replaceExpressions(TEXT, ' (+ x, 1) ', '(inc x)\n', true);
    expect(text).toBe('(defn f [x]\n  (if (pos?  x) ; up\n    (inc x)\n    (inc x)))\n"(+ x 1)"\n');
    expect([replaced, left]).toEqual([[3, 5], []]);
    expect(replaceExpressions('up ;up\nupper #(up %) "up"', 'up', 'down', true).text).toBe(
      'down ;up\nupper #(down %) "up"',
    );
  });

  it('also several beside each other, with prefixes, and by nothing', () => {
    expect(replaceExpressions('{:a 1 :b @x}', ':b @x', ':c 2', false).text).toBe('{:a 1 :c 2}');
    expect(replaceExpressions("[#'a 'b #(f %)]", '#(f %)', '', false).text).toBe("[#'a 'b ]");
  });

  it.each([
    ['(a)', '(b)', '(c)', /does not occur in the file/],
    ['(a)', '(b', '(c)', /delimiters of the expression .*\( at line 1, column 1/],
    ['(a)', '(a)', '(c))', /delimiters of the replacement/],
    ['(a', '(a)', '(c)', /delimiters of the file/],
  ])('or not: in %s, %s by %s', (text, expression, by, message) => {
    expect(() => replaceExpressions(text, expression, by, true)).toThrow(
      expect.objectContaining({ code: 'bad_arguments', message: expect.stringMatching(message) }),
    );
  });
});

it.each([
  ['(defn f [x]\n  (inc x)\n\n(defn g [] 1)', '(defn f [x]\n  (inc x))\n\n(defn g [] 1)'],
  ['(defn f [x] (inc x)))', '(defn f [x] (inc x))'],
  ["(a ')", null],
])('the likely fix of %j makes %j', (text, fixed) => {
  expect(applyLikelyFix(read(text, 'clojure'), new Positions(text))?.text ?? null).toBe(fixed);
});
