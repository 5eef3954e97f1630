/** Merging a text that was changed in the editor and in its file. */
import { describe, expect, it } from 'vitest';
import { mergedText } from '../../electron/source/merge';

const BASE = '(defun a () 1)\n\n;; About b.\n(defun b () 2)\n\n(defun c () 3)\n';

describe('two versions of a text', () => {
  it.each([
    ['one has changed', BASE.replace('1', '10'), BASE, BASE.replace('1', '10')],
    ['both have changed alike', BASE.replace('1', '10'), BASE.replace('1', '10'), BASE.replace('1', '10')],
    [
      'they changed different forms',
      BASE.replace('1', '10'),
      BASE.replace('3', '30'),
      BASE.replace('1', '10').replace('3', '30'),
    ],
    [
      'they changed adjacent forms',
      BASE.replace('2', '20'),
      BASE.replace('3', '30'),
      BASE.replace('2', '20').replace('3', '30'),
    ],
    [
      'one added a form and the other changed one',
      `${BASE}\n(defun d () 4)\n`,
      BASE.replace('About b', 'All about b'),
      `${BASE.replace('About b', 'All about b')}\n(defun d () 4)\n`,
    ],
    [
      'one removed a form',
      BASE.replace('(defun a () 1)\n', ''),
      BASE.replace('3', '30'),
      BASE.replace('(defun a () 1)\n', '').replace('3', '30'),
    ],
  ])('are merged if %s', (_case, mine, theirs, merged) => {
    expect(mergedText(BASE, mine, theirs, 'common-lisp')).toBe(merged);
    expect(mergedText(BASE, theirs, mine, 'common-lisp')).toBe(merged);
  });

  it.each([
    ['both changed a form', BASE.replace('2', '20'), BASE.replace('2', '21')],
    [
      'one changed a form that the other removed',
      BASE.replace('(defun b () 2)\n', ''),
      BASE.replace('2', '21'),
    ],
    ['both added a form at one place', `${BASE}(defun d () 4)\n`, `${BASE}(defun e () 5)\n`],
  ])('are not merged if %s', (_case, mine, theirs) => {
    expect(mergedText(BASE, mine, theirs, 'common-lisp')).toBeNull();
    expect(mergedText(BASE, theirs, mine, 'common-lisp')).toBeNull();
  });

  it('are merged by lines where the text has no forms', () => {
    expect(mergedText('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n', null)).toBe('A\nb\nc\nD\n');
  });
});
