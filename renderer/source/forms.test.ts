/** The states of definitions: image, file and Git. */
import { describe, expect, it } from 'vitest';
import type { SourceVersions } from '../../electron/contract/source-files';
import { definedForms } from '../../electron/source/defined-forms';
import { read } from '../../electron/source/reader';
import { definitionsOf, formAt, packageAt, parsedText } from './forms';

const FILE = '(in-package :tide)\n\n(defun high () 1)\n\n(defun low () 2)\n';

/** The versions of an image that loaded `loaded` and then evaluated `evaluated` at a time. */
function versions(loaded: string | null, evaluated = '', at = 0): SourceVersions {
  const definitions = definedForms(read(evaluated, 'common-lisp'), 'TIDE').map(({ key, code }) => ({
    ...{ key, code, evaluation: 1, at },
  }));
  return { image: { loaded, definitions, complete: true, isPrinted: false }, commit: null };
}

function imageStates(text: string, known: SourceVersions): string[] {
  const found = definitionsOf(parsedText(text, 'common-lisp'), { text: FILE, writtenAt: 100 }, known);
  return found.map(({ name, image }) => `${name} ${image}`);
}

describe('a definition of a text', () => {
  it.each([
    ['the image loaded the file', FILE, versions(FILE), ['high same', 'low same']],
    ['the image has nothing of it', FILE, versions(null), ['high missing', 'low missing']],
    ['it is edited after the load', FILE.replace('1', '10'), versions(FILE), ['high older', 'low same']],
    ['only one is evaluated', FILE, versions(null, '(defun low () 2)', 200), ['high missing', 'low same']],
    [
      'another one is evaluated after the file was written',
      FILE,
      versions(FILE, '(defun low () 3)', 200),
      ['high same', 'low newer'],
    ],
    [
      'the file was written after the evaluation',
      FILE,
      versions(FILE, '(defun low () 3)', 50),
      ['high same', 'low older'],
    ],
    [
      'it is edited and another one is evaluated',
      FILE.replace('2', '4'),
      versions(FILE, '(defun low () 3)', 200),
      ['high same', 'low older'],
    ],
    ['line ends differ', FILE, versions(FILE.replaceAll('\n', '\r\n')), ['high same', 'low same']],
  ])('compares with the image if %s', (_case, text, known, states) => {
    expect(imageStates(text, known)).toEqual(states);
  });

  it('is compared with a world as it is printed', () => {
    const text = '(defthm app-nil ; an event\n  (equal (app x \'nil) x))\n(defthm other (equal "a" "A"))';
    const printed = '(DEFTHM APP-NIL (EQUAL (APP X \'NIL) X)) (DEFTHM OTHER (EQUAL "a" "a"))';
    const definitions = definedForms(read(printed, 'common-lisp'), 'ACL2').map(({ key, code }) => ({
      ...{ key, code, evaluation: 0, at: 0 },
    }));
    const parsed = parsedText(`(in-package "ACL2")\n${text}`, 'common-lisp');
    const image = { loaded: null, definitions, complete: true, isPrinted: true };
    const found = definitionsOf(parsed, { text: '', writtenAt: 0 }, { image, commit: null });
    expect(found.map(({ image: state }) => state)).toEqual(['same', 'older']);
  });

  it('compares with the last commit', () => {
    const commit = { text: '(in-package :tide)\n(defun high () 0)\n' };
    const found = definitionsOf(
      parsedText(FILE, 'common-lisp'),
      { text: FILE, writtenAt: 0 },
      { image: null, commit },
    );
    expect(found.map(({ image, commit: state }) => [image, state])).toEqual([
      [null, 'changed'],
      [null, 'new'],
    ]);
  });

  it('is found at the cursor, with its package', () => {
    const parsed = parsedText(FILE, 'common-lisp');
    const at = FILE.indexOf('low');
    expect(formAt(parsed, at)?.start).toBe(FILE.indexOf('(defun low'));
    expect(formAt(parsed, FILE.length)?.start).toBe(FILE.indexOf('(defun low'));
    expect(packageAt(parsed, at)).toBe('TIDE');
    expect(packageAt(parsed, 0)).toBeUndefined();
  });
});
