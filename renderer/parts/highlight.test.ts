/** Highlighted code. */
import { describe, expect, it } from 'vitest';
import { cutPieces, highlight, linesOf } from './code';

describe('highlighted code', () => {
  const code = '(defun f (x)\n  "doc" ; note\n  (+ x 42))';
  const styleOf = (text: string, engine: 'sbcl' | 'nbb', source = code) =>
    highlight(source, engine).find((piece) => piece.text.includes(text))?.style;

  it('is the same text in pieces', () => {
    for (const source of [code, '', ')(', '"unfinished', '#\\( |a b| #|x']) {
      expect(
        highlight(source, 'sbcl')
          .map(({ text }) => text)
          .join(''),
      ).toBe(source);
    }
  });

  it('tells strings, numbers, comments and definitions apart', () => {
    expect(styleOf('"doc"', 'sbcl')).toBe('string');
    expect(styleOf('42', 'sbcl')).toBe('number');
    expect(styleOf('; note', 'sbcl')).toBe('comment');
    expect(styleOf('defun', 'sbcl')).toBe('keyword');
  });

  it('knows Clojure', () => {
    expect(styleOf('defn', 'nbb', '(defn f [x] (inc x))')).toBe('keyword');
  });

  it('leaves very long code plain', () => {
    expect(highlight(`"${'x'.repeat(50_000)}"`, 'sbcl')).toHaveLength(1);
  });
});

it('a part of highlighted text keeps its styles', () => {
  const code = '(defun f (x) "wave")';
  const pieces = highlight(code, 'sbcl');
  const text = (start: number, end: number) =>
    cutPieces(pieces, start, end)
      .map((piece) => piece.text)
      .join('');
  expect(text(0, code.length)).toBe(code);
  expect(text(3, 9)).toBe(code.slice(3, 9));
  expect(text(5, 5)).toBe('');
  expect(cutPieces(pieces, 14, 18)).toEqual([{ text: 'wave', style: 'string' }]);
});

it('lines are the same text, each with its line break', () => {
  const code = '(defun f (x)\n  "two\nlines"\n\n  x)\n';
  const lines = linesOf(highlight(code, 'sbcl')).map((line) => line.map(({ text }) => text).join(''));
  expect(lines).toEqual(['(defun f (x)\n', '  "two\n', 'lines"\n', '\n', '  x)\n']);
});

it('keywords are calmer than numbers', () => {
  const styleOf = (text: string) =>
    highlight('(list :depth 42)', 'sbcl').find((piece) => piece.text.includes(text))?.style;
  expect([styleOf(':depth'), styleOf('42')]).toEqual(['symbol', 'number']);
});
