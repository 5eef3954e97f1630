/** Callers that were compiled with the former definition of a macro or an inline function. */
import { describe, expect, it } from 'vitest';
import { LispProject } from './loading-fixture';

/** Returns the callers that notes name as compiled with an old definition, by what has changed. */
function stale(notes: readonly unknown[]): Record<string, string[]> {
  const found = notes.map((text) => /^(\S+|\(.*?\)) changed\. .*? one: (.*)\. Load/.exec(String(text)));
  return Object.fromEntries(
    found.filter((match) => match !== null).map(([, name = '', users = '']) => [name, users.split(', ')]),
  );
}

const CALLERS = `
(defun plain (x) (twice x))
(defun (setf place) (new x) (list new (twice x)))
(defgeneric g (x))
(defmethod g ((x integer)) (twice x))
(defmethod g :around ((x symbol)) (twice x))
(defmacro other (x) (twice x))
(let ((k 1)) (defun closed () (twice k)))
(defun local () (labels ((in (x) (twice x))) (in 2)))`;
const NAMES = [
  '(METHOD G (INTEGER))',
  '(METHOD G :AROUND (SYMBOL))',
  '(SETF PLACE)',
  'CLOSED',
  'LOCAL',
  'OTHER',
  'PLAIN',
];

describe('callers of a definition that compiled code copies', () => {
  const kinds = {
    macro: (factor: number) => `(defmacro twice (x) (list '* ${factor} (list 'or x 1)))`,
    'inline function': (factor: number) =>
      `(declaim (inline twice)) (defun twice (x) (list x ${factor} "twice"))`,
  };
  it.each(Object.entries(kinds))('are named when it is a %s that changed', async (_kind, source) => {
    const project = await LispProject.start({});
    expect(stale((await project.evaluate(source(2) + CALLERS)).notes)).toEqual({});
    expect(stale((await project.evaluate(source(3))).notes)).toEqual({ TWICE: NAMES });
    // The same definition in another layout changes nothing.
    expect(stale((await project.evaluate(source(3).replaceAll(' ', '\n  '))).notes)).toEqual({});
    // What is compiled again in the same evaluation is not named.
    expect(stale((await project.evaluate(source(4) + CALLERS)).notes)).toEqual({});
    // A call by name runs the present function.
    await project.evaluate('(defun calls-it (x) (declare (notinline twice)) (twice x))');
    expect(stale((await project.evaluate(source(5))).notes)).toEqual({ TWICE: NAMES });
  });

  it('are named when it becomes a function, or becomes a macro', async () => {
    const project = await LispProject.start({});
    await project.evaluate(
      '(defmacro twice (x) `(* 2 ,x)) (defun f (x) (twice x)) (defun g (x) (declare (notinline id)) (id x)) (defun id (x) x)',
    );
    expect(
      stale((await project.evaluate('(fmakunbound (quote twice)) (defun twice (x) (* 2 x))')).notes),
    ).toEqual({});
    await project.evaluate('(defmacro twice (x) `(* 2 ,x)) (defun f (x) (twice x))');
    expect(stale((await project.evaluate('(defun twice (x) (* 2 x))')).notes)).toEqual({ TWICE: ['F'] });
    expect(stale((await project.evaluate('(defmacro id (x) x)')).notes)).toEqual({ ID: ['G'] });
  });

  it('are bounded, and named after a load of the file as well', async () => {
    const macro = (factor: number) =>
      `(in-package :cl-user)\n(defvar *other* ${factor})\n(defmacro twice (x) (list '* ${factor} x))\n(defun below (x) (twice x))\n`;
    const project = await LispProject.start({ 'twice.lisp': macro(2) });
    await project.loadFile('twice.lisp');
    await project.evaluate(
      Array.from({ length: 40 }, (_, n) => `(defun caller-${n} (x) (twice x))`).join(' '),
    );
    project.write({ 'twice.lisp': macro(2).replace('defvar *other* 2', 'defvar *other* 7') });
    expect(stale((await project.loadFile('twice.lisp')).notes)).toEqual({});
    project.write({ 'twice.lisp': macro(3) });
    const { TWICE } = stale((await project.loadFile('twice.lisp')).notes);
    expect(TWICE?.length).toBe(12);
    expect(TWICE?.at(-1)).toMatch(/and 28 more$/);
    expect(TWICE).not.toContain('BELOW');
  });
});
