/** What a line of the history's list shows. */
import { describe, expect, it } from 'vitest';
import { callLine, callOutcome, lineOf, shownResult } from '../../electron/history/index/entries';

describe('the line of a call', () => {
  it('is its tool and its short arguments, in their order', () => {
    const args = { path: 'src/tide.lisp', operation: 'replace', form_name: 'ebb', session: 'sbcl-1' };
    expect(callLine('edit_form', JSON.stringify(args))).toBe('edit_form src/tide.lisp · replace · ebb');
    expect(callLine('images', '{}')).toBe('images');
    expect(callLine('images', 'null')).toBe('images');
  });

  it('has the beginning of a long one, flags by their names, and data as data', () => {
    const args = { content: '(one)\n(two)', dry_run: true, other: false, edits: [1] };
    expect(callLine('write_file', JSON.stringify(args))).toBe('write_file (one)… · dry_run · [1]');
    expect(callLine('x', JSON.stringify({ a: 'y'.repeat(5_000) })).length).toBeLessThan(100);
  });

  it('says of what was refused before it began that it was', () => {
    expect(callOutcome('error', 'path_not_allowed')).toBe('refused');
    expect(callOutcome('error', 'file_missing')).toBe('error');
    expect(callOutcome('ok', null)).toBe('ok');
    expect(callOutcome(null, null)).toBe('crashed');
  });
});

describe('the line of a text', () => {
  it('is the first, or the one with the hit', () => {
    const code = '\n(defun f (x)\n  (g x)\n  (needle x))';
    expect(lineOf(code, null)).toBe('(defun f (x) …');
    expect(lineOf(code, 'NEEDLE')).toBe('… (needle x))');
    expect(lineOf(code, 'defun')).toBe('(defun f (x) …');
    expect(lineOf(code, 'nowhere')).toBe('(defun f (x) …');
  });

  it('has the hit in it, however long it is', () => {
    const line = lineOf(`${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}`, 'needle');
    expect(line).toContain('needle');
    expect(line.length).toBeLessThan(410);
    expect(line).toMatch(/^….*…$/);
  });
});

describe('the result', () => {
  const all = { condition: 'no list', values: ['1', '2'], output: 'first\nlast\n' };
  it('is the condition, else all values, else the last line that was printed', () => {
    expect(shownResult(all, null)).toEqual({ kind: 'condition', texts: ['no list'] });
    expect(shownResult({ ...all, condition: null }, null)).toEqual({ kind: 'values', texts: ['1', '2'] });
    expect(shownResult({ ...all, condition: null, values: [] }, null)).toEqual({
      kind: 'printed',
      texts: ['last'],
    });
    expect(shownResult({ condition: null, values: [], output: '' }, null).kind).toBe('none');
  });

  it('of a condition is more than the first of the lines that an engine breaks its message into', () => {
    const condition = 'The value\n  :ODD\nis not of type\n  NUMBER';
    expect(shownResult({ ...all, condition }, null).texts).toEqual(['The value :ODD is not of type NUMBER']);
    expect(shownResult({ ...all, condition }, 'number').texts).toEqual([
      'The value :ODD is not of type NUMBER',
    ]);
  });

  it('is another of them where only that has the hit', () => {
    expect(shownResult(all, 'first').texts).toEqual(['first …']);
    expect(shownResult(all, '2').texts).toEqual(['1', '2']);
  });
});
