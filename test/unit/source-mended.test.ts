/** What a model wrote is balanced by its indentation, or left alone. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../electron/source/dialect';
import { mendSource } from '../../electron/source/mend/mended';
import { read } from '../../electron/source/reader';
import { formsOf, isBranch, walk } from '../../electron/source/syntax-tree';
import { ROOT } from './setup-checkout';

const RIGHT = `(defun area (shape)
  (let ((a 1)
        (b 2))
    (when shape
      (print a)
      (print b))
    (list a
          b)))

(defun other ()
  1)
`;

describe('delimiters are mended by the indentation', () => {
  it.each([
    ['too few at the end', '          b)))', '          b)', 'added `))` at the end of line 8'],
    ['too many at the end', '          b)))', '          b)))))', 'removed `))` at the end of line 8'],
    ['too few within', '(b 2))', '(b 2)', 'added `)` at the end of line 3'],
    ['too many within', '(print b))', '(print b)))', 'removed `)` at the end of line 6'],
  ])('%s', (_, right, broken, changes) => {
    expect(mendSource(RIGHT.replace(right, broken), 'common-lisp')).toEqual({
      text: RIGHT,
      changes: [changes],
    });
  });

  it('in Clojure', () => {
    const right =
      '(defn f [x]\n  (let [a 1\n        b {:c [x\n               2]}]\n    (g a)))\n\n(def y 1)\n';
    expect(mendSource(right.replace('2]}]', '2'), 'clojure')).toEqual({
      text: right,
      changes: ['added `]}]` at the end of line 4'],
    });
  });

  it('and the lines are indented', () => {
    expect(mendSource('(defun f ()\n     1)\n(list 1\n  2)\n', 'common-lisp')).toEqual({
      text: '(defun f ()\n  1)\n(list 1\n      2)\n',
      changes: ['indented 2 lines'],
    });
  });
});

describe('nothing is done where nobody can be sure', () => {
  it.each([
    ['the place within a line', '(defun f (x)\n  (list (car x 1))\n', /not closed/],
    ['the lines themselves', '(defun f (x)\n(let ((a 1))\n     (g a)\n   (h a))\n', /not closed/],
    [
      'what a line that is a pair lacks',
      '(defun f (x)\n  (setf (car x) 1\n        (cdr x 2)\n  x)\n',
      /not closed/,
    ],
    ['what arguments lack', '(defun f (s)\n  (format s "~A ~A"\n          (car x 1)\n  s)\n', /not closed/],
    ['an operator that is a string', '(defun f (x)\n  (assert x\n          ("why"\n  x)\n', /not closed/],
    ['a name alone around lines that are not indented', '(progn\n(defun f ()\n  1)\n', /not closed/],
    ['a string', '(defun f ()\n  (print "a)\n  1)\n\n(defun g () "b")\n', /not ended/],
    ['delimiters of another kind', '(defn f [x)\n  x)\n', /closed by/],
    [
      'lines that say something else than parentheses that match',
      '(defun f (x)\n  (when x\n    (g x)\n  (h x)))\n',
      /^After line 3 the indentation/,
    ],
  ])('about %s', (_, text, message) => {
    const result = mendSource(text, text.startsWith('(defn') ? 'clojure' : 'common-lisp');
    expect(result).toEqual({ wrong: expect.objectContaining({ message: expect.stringMatching(message) }) });
  });

  it('as where forms that are not indented stand within another', () => {
    const text = '(progn\n(defun f ()\n  1)\n(defun g ()\n  2)\n)\n';
    expect(mendSource(text, 'common-lisp')).not.toHaveProperty('wrong');
    expect(mendSource(text.replace('1)', '1'), 'common-lisp')).toHaveProperty('wrong');
  });
});

/** Each closing delimiter of a file is left out and doubled once. */
describe('a delimiter is put back where it was or nowhere', () => {
  it.each([
    ['common-lisp', 'resources/lisp/conditions.lisp'],
    ['common-lisp', 'resources/lisp/evaluation.lisp'],
    ['clojure', 'resources/clojure/json.clj'],
  ] as const)('%s: %s', (dialect, file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const forms = formsOf(read(text, dialect).tree).filter(isBranch);
    const outcomes = forms.flatMap(({ start, end }) => outcomesOf(text.slice(start, end), dialect));
    expect(outcomes.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
    const atEnds = outcomes.filter(({ isAtEnd }) => isAtEnd);
    const mended = atEnds.filter(({ outcome }) => outcome === 'mended').length;
    expect(mended).toBeGreaterThan(atEnds.length / 4);
  });
});

interface Outcome {
  outcome: 'mended' | 'refused' | 'wrong';
  /** Whether only other delimiters followed in the line. */
  isAtEnd: boolean;
  at: number;
}

/** Of delimiters side by side the last one stands for all. */
function outcomesOf(form: string, dialect: Dialect): Outcome[] {
  const whole = (text: string): string => `(a)\n\n${text}\n\n(b)\n`;
  const right = mendSource(whole(form), dialect);
  const closers = [...walk(read(form, dialect).tree)].flatMap(({ node }) =>
    node.kind === 'list' && !/[)\]}]/.test(form.charAt(node.end)) ? [node.end - 1] : [],
  );
  return closers.flatMap((at) =>
    [form.slice(0, at), form.slice(0, at + 1) + form.charAt(at)].map((beginning) => {
      const result = mendSource(whole(beginning + form.slice(at + 1)), dialect);
      const isAtEnd = /^(?:\n|$)/.test(form.slice(at + 1));
      if ('wrong' in result) return { outcome: 'refused', isAtEnd, at };
      const isBack = 'text' in right && result.text === right.text;
      return { outcome: isBack ? 'mended' : 'wrong', isAtEnd, at };
    }),
  );
}
