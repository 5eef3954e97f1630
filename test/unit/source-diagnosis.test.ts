/** What is said of text whose delimiters do not match: where, and what probably mends it. */
import { describe, expect, it } from 'vitest';
import { diagnosisOf, diagnosisText } from '../../electron/source/diagnosis';
import type { Dialect } from '../../electron/source/dialect';
import { read } from '../../electron/source/reader';

const diagnosed = (text: string, dialect: Dialect = 'common-lisp') => diagnosisOf(read(text, dialect));

describe('a diagnosis', () => {
  it('is none of text that is right', () => {
    expect(diagnosed('(a (b) "(" #\\( |(|) ; (')).toBeNull();
  });

  it('finds the form that does not end by the next one that begins a line', () => {
    const text = '(defun a (x)\n  (if x\n      1\n      2)\n\n(defun b ()\n  2)\n';
    expect(diagnosed(text)).toMatchObject({ fix: 'add `)` at the end of line 4.' });
  });

  it('finds the inner list that does not end by what is indented less', () => {
    const text = '(defun a (x)\n  (when x\n    (print (list 1 2))\n  (print 3))\n\n(defun b () 2)\n';
    expect(diagnosed(text)).toMatchObject({ fix: 'add `)` at the end of line 3.' });
  });

  it('puts what is missing before a comment at the end of the line', () => {
    const text = '(defun a ()\n  (b ; what\n  (c))\n';
    expect(diagnosed(text)?.fix).toBe('add `)` at the end of line 2.');
  });

  it('closes what only the end of the text leaves open', () => {
    expect(diagnosed('(a (b [c\n', 'clojure')).toEqual({
      line: 1,
      column: 7,
      message: 'The [ at line 1, column 7 is not closed, nor is the ( at line 1, column 1.',
      fix: 'add `]))` at the end of line 1.',
    });
  });

  it.each([
    ['(print "abc)', 'add `"` at line 1, column 12.'],
    ['(a)\n(b |c)\n(d)', 'add `|` at line 2, column 6.'],
    ['(a) #| b\n', 'add `|#` at line 1, column 9.'],
  ])('ends what stands open in %j at the end of its line', (text, fix) => {
    expect(diagnosed(text)?.fix).toBe(fix);
  });

  it('guesses no end for more lists than anybody leaves open by mistake', () => {
    expect(diagnosed('('.repeat(10_000))?.fix).toBeUndefined();
    expect(diagnosed(`${'('.repeat(10_000)}\n${'(\n'.repeat(100)}a`)?.fix).toBeUndefined();
    expect(diagnosed('('.repeat(30))?.fix).toBe(`add \`${')'.repeat(30)}\` at the end of line 1.`);
  });

  it('guesses no end for what a quote that is missing before has begun', () => {
    expect(diagnosed('(a "b) (c "d")')?.fix).toBeUndefined();
  });

  it('finds the form that ends too early by what is indented after it', () => {
    const text = '(defun a (x)\n  (print x))\n  (print 2))\n\n(defun b () 2)\n';
    expect(diagnosed(text)).toEqual({
      line: 3,
      column: 12,
      message: 'The ) at line 3, column 12 closes nothing.',
      fix: 'remove `)` at the end of line 2, or indent line 3 as what it is.',
    });
  });

  it('names a closing delimiter that is of the wrong kind', () => {
    const found = diagnosed('(let [a 1)\n  a)', 'clojure');
    expect(found?.message).toBe('The [ at line 1, column 6 is closed by the ) at line 1, column 10.');
    expect(found?.fix).toBe('write `]` instead of the `)` at line 1, column 10.');
  });

  it.each([
    ['(a"b)', 'The string at line 1, column 3 is not ended.'],
    ["(a\n ')", "The ' at line 2, column 2 has no form after it, but the )."],
    ['#+sbcl', 'The #+ at line 1, column 1 has no form after it.'],
  ])('of %j says so and guesses nothing', (text, message) => {
    const found = diagnosed(text);
    expect(found && diagnosisText(found)).toBe(message);
  });
});
