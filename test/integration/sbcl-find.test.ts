/**
 * Searches in SBCL: locations of definitions by line, references, names, and definitions that are in no file.
 */

import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../started-harbor';
import { KnowingImage } from './sbcl-knowing';

let sbcl: KnowingImage;

beforeEach(async () => {
  sbcl = await KnowingImage.start();
});

/** A file whose definitions are where scanners stumble; `@name` in a comment marks the line of a definition. */
const SOURCE = `;;; (defun decoy () 1)
#| a block comment #| nested |# (defun decoy ()) |#
(in-package :cl-user)

(defvar *text* "a string with (defun decoy () and \\" in it")   ; @*text*

#+no-such-feature (defun absent () 1)
#-sbcl (defun absent () 2)
#+(and sbcl (not no-such-feature)) (defun present (x) "doc" x) ; @present

(defun parens () (list #\\( #\\) '|a(b| #'car #(1 (2)) #2A((1)) #x1F))  ; @parens
(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *nested* '(1 . 2))   ; @*nested*
  (defun nested (x)    ; @nested
    (parens)           ; the call
    \`(a ,x ,@*nested*)))
(let ((count 0))
  (defun counter () (incf count))      ; @counter
  (defun reset-counter () (setf count 0)))  ; @reset-counter
(progn
  (defmethod shape-area ((n integer)) n)   ; first
  (defmethod shape-area ((s string)) s))   ; second
(defclass shape () ((sides :accessor sides)))  ; @shape
(defstruct (box (:conc-name b-)) lid)    ; @box
(defmacro with-x (&body body) \`(let ((x 1)) x ,@body))  ; @with-x
(defun expander () (with-x (nested 1)))   ; @expander
(defun (setf parens) (new) new)           ; the writer
(defun λ-grüße () "ünïcödé")             ; @λ-grüße
(define-condition bad-shape (error) ())   ; @bad-shape
(deftype small () '(integer 0 9))         ; @small
`;

const lineOf = (mark: string) => SOURCE.split('\n').findIndex((line) => line.includes(mark)) + 1;
const MARKED = [...SOURCE.matchAll(/; @(\S+)/g)].map(([, name]) => String(name));

async function sourceFile(): Promise<string> {
  const folder = temporaryFolder('source');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'shapes.lisp');
  await writeFile(file, SOURCE);
  return file;
}

/** Ways to load a file; the compiler records different facts in each. */
const LOADING = [
  ['loaded as source', (file: string) => `(load "${file}")`],
  ['compiled and loaded', (file: string) => `(load (compile-file "${file}"))`],
] as const;

describe.each(LOADING)('a file %s', (_how, load) => {
  it('has each definition at the line of its opening parenthesis', async () => {
    const file = await sourceFile();
    await sbcl.evaluate(load(file));
    for (const name of MARKED) {
      const { results } = await sbcl.find('definitions', name);
      expect(results[0]?.source, name).toEqual({ file, line: lineOf(`; @${name}`) });
    }
    expect((await sbcl.find('definitions', '(setf parens)')).results.at(-1)?.source?.line).toBe(
      lineOf('the writer'),
    );
    expect((await sbcl.describe('b-lid')).get('function')?.source?.line).toBe(lineOf('; @box'));
    await expect(sbcl.find('definitions', 'absent')).rejects.toMatchObject({ code: 'unknown_symbol' });
    await expect(sbcl.find('definitions', 'decoy')).rejects.toMatchObject({ code: 'unknown_symbol' });
  });

  it('is said to have changed, or to be gone', async () => {
    const file = await sourceFile();
    await sbcl.evaluate(load(file));
    await writeFile(file, `\n\n${SOURCE}`);
    await sbcl.evaluate(`(sb-posix:utime "${file}" 0 0)`);
    const place = async () => (await sbcl.find('definitions', 'parens')).results[0]?.source;
    expect(await place()).toMatchObject({ file, note: expect.stringContaining('has changed') });
    rmSync(file);
    expect(await place()).toEqual({ file, note: 'the file cannot be read here' });
  });
});

it('finds each method of one top-level form in a compiled file, and the line of a call', async () => {
  const file = await sourceFile();
  await sbcl.evaluate(`(load (compile-file "${file}"))`);
  const { results } = await sbcl.find('definitions', 'shape-area');
  const line = (text: string) => results.find((finding) => finding.text === text)?.source?.line;
  expect(line('(METHOD SHAPE-AREA (INTEGER))')).toBe(lineOf('; first'));
  expect(line('(METHOD SHAPE-AREA (STRING))')).toBe(lineOf('; second'));
  expect((await sbcl.find('callers', 'parens')).results).toEqual([
    { kind: 'calls', text: 'NESTED', source: { file, line: lineOf('the call') } },
  ]);
});

it('finds definitions of evaluations by evaluation and character', async () => {
  const code = '1 ; one\n\n; two\n#|c|# (defun here () 1) (progn (defvar *there* 2))';
  await sbcl.evaluate(code);
  expect((await sbcl.find('definitions', 'here')).results[0]?.source).toEqual({
    evaluation: 1,
    position: code.indexOf('(defun'),
    package: 'COMMON-LISP-USER',
  });
  expect((await sbcl.find('definitions', '*there*')).results[0]?.source).toEqual({
    evaluation: 1,
    position: code.indexOf('(progn'),
    package: 'COMMON-LISP-USER',
  });
});

describe('uses', () => {
  beforeEach(async () => {
    await sbcl.evaluate(`
      (defvar *level* 0) (defun base (x) x) (defmacro twice (form) \`(list ,form ,form))
      (defun caller () (twice (base *level*)))
      (defun binder () (let ((*level* 1)) (base 2)))
      (defun setter () (setf *level* 3))
      (defclass shape () ())
      (defgeneric area (shape)) (defmethod area ((s shape)) (base s)) (defmethod area ((s (eql 1))) s)
      (defmethod print-object ((s shape) stream) (format stream "S"))`);
  });

  it('finds callers of functions, methods among them, and users of macros', async () => {
    expect((await sbcl.found('callers', 'base')).toSorted()).toEqual([
      'calls (METHOD AREA (SHAPE))',
      'calls BINDER',
      'calls CALLER',
    ]);
    expect(await sbcl.found('callers', 'twice')).toEqual(['macroexpands CALLER']);
    expect(await sbcl.find('callers', 'setter')).toEqual({ results: [], total: 0 });
  });

  it('finds references, bindings and settings of variables, and methods on classes', async () => {
    expect(await sbcl.found('references', '*level*')).toEqual([
      'references CALLER',
      'binds BINDER',
      'sets SETTER',
    ]);
    expect((await sbcl.found('references', 'shape')).toSorted()).toEqual([
      'specializes (METHOD AREA (SHAPE))',
      'specializes (METHOD PRINT-OBJECT (SHAPE T))',
    ]);
  });

  it('counts what it leaves out', async () => {
    const { results, total } = await sbcl.find('callers', 'base', { limit: 1 });
    expect([results.length, total]).toEqual([1, 3]);
  });
});

describe('names', () => {
  it('finds names by a part, the session’s own first, with arglists', async () => {
    await sbcl.evaluate(
      '(defun map-shapes (f &rest shapes) "Maps. And more.\nSecond line." (list f shapes))',
    );
    const { results, total } = await sbcl.find('apropos', 'MAP', { limit: 3 });
    expect(total).toBeGreaterThan(100);
    expect(results.map(({ text }) => text)).toEqual(['MAP-SHAPES', 'MAP', 'MAP-DIRECTORY']);
    expect((await sbcl.find('apropos', 'map-shapes')).results).toEqual([
      {
        kind: 'function',
        text: 'MAP-SHAPES',
        arglist: '(F &REST SHAPES)',
        documentation: 'Maps. And more.',
      },
    ]);
  });

  it('finds names of the project’s own packages before those of the Lisp, exported or not', async () => {
    await sbcl.evaluate(`
      (defpackage :far (:use :cl) (:export "LIST-OUT"))
      (defun far::list-in () 1) (defun far:list-out () 1)`);
    const { results } = await sbcl.find('apropos', 'list', { limit: 3 });
    expect(results.map(({ text }) => text)).toEqual(['FAR:LIST-OUT', 'FAR::LIST-IN', 'LIST']);
  });

  it('looks in one package, at exported names, at one sort of thing', async () => {
    await sbcl.evaluate(`
      (defpackage :lib (:use) (:export "SHAPE-OUT"))
      (defun lib:shape-out () 1) (defun lib::shape-in () 1) (defvar lib::*shape* 1) (intern "SHAPE-BARE" :lib)`);
    expect(await sbcl.found('apropos', 'shape', { in: 'lib' })).toEqual([
      'function LIB:SHAPE-OUT',
      'function LIB::SHAPE-IN',
      'variable LIB::*SHAPE*',
    ]);
    expect(await sbcl.found('apropos', 'shape', { in: 'LIB', external: true })).toEqual([
      'function LIB:SHAPE-OUT',
    ]);
    expect(await sbcl.found('apropos', 'shape', { in: 'lib', only: ['variable'] })).toEqual([
      'variable LIB::*SHAPE*',
    ]);
    await expect(sbcl.find('apropos', 'x', { in: 'nope' })).rejects.toMatchObject({
      code: 'unknown_package',
    });
  });

  it('does not show the agent to anybody', async () => {
    expect(await sbcl.found('apropos', 'evaluate-all-forms')).toEqual([]);
  });

  it.each([
    ['m-v-b', ['multiple-value-bind']],
    ['M-V-B', ['MULTIPLE-VALUE-BIND']],
    ['cl:mapca', ['cl:mapcan', 'cl:mapcar']],
    ['cl-user::my-f', ['cl-user::my-function']],
    ['lib:', ['lib:f']],
    ['lib::', ['lib::f', 'lib::g']],
    [':external-f', [':external-format']],
    ['sb-intros', ['sb-introspect:']],
    ['|odd', []],
    ['odd', ['oddp', '|odd Case|']],
    ['no-such-thing', []],
  ])('completes %s', async (typed, completions) => {
    await sbcl.evaluate(
      `(defun my-function () 1) (defvar |odd Case| 1) (defpackage :lib (:use) (:export "F"))
       (defun lib:f () 1) (defun lib::g () 1)`,
    );
    const { results } = await sbcl.find('completions', typed);
    expect(results.map(({ text }) => text)).toEqual(completions);
  });
});

describe('what no file holds', () => {
  it('lists definitions of every kind, oldest first, with arglists and values', async () => {
    await sbcl.evaluate('(defun my-fn () 42)');
    await sbcl.evaluate('(defvar *my-var* 100)');
    await sbcl.evaluate(`
      (defmacro my-macro (x) x) (defclass my-class () ((x :accessor my-x))) (defstruct my-struct lid)
      (defmethod print-object ((c my-class) s) (princ 1 s)) (defun (setf my-fn) (new) new)`);
    const { results } = await sbcl.find('unsaved', '');
    const here = { position: 0, package: 'COMMON-LISP-USER' };
    expect(results.slice(0, 2)).toEqual([
      { kind: 'function', text: 'MY-FN', arglist: '()', source: { evaluation: 1, ...here } },
      { kind: 'variable', text: '*MY-VAR*', value: '100', source: { evaluation: 2, ...here } },
    ]);
    expect(
      results
        .slice(2)
        .map(({ kind, text }) => `${kind} ${text}`)
        .toSorted(),
    ).toEqual([
      'class MY-CLASS',
      'function (SETF MY-FN)',
      'macro MY-MACRO',
      'method (METHOD PRINT-OBJECT (MY-CLASS T))',
      'structure MY-STRUCT',
    ]);
    expect(await sbcl.found('unsaved', 'VAR', { only: ['variable'] })).toEqual(['variable *MY-VAR*']);
    expect(await sbcl.found('unsaved', '', { only: ['type'] })).toEqual([]);
  });

  it('leaves out what a file defined, also after the fact, and what a new image has', async () => {
    expect(await sbcl.find('unsaved', '')).toEqual({ results: [], total: 0 });
    await sbcl.evaluate('(defun parens () :evaluated)');
    expect(await sbcl.found('unsaved', '')).toEqual(['function PARENS']);
    await sbcl.evaluate(`(load "${await sourceFile()}")`);
    expect(await sbcl.found('unsaved', '')).toEqual([]);
  });
});
