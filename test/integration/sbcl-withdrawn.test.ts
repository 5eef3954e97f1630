/** Definitions removed from a file are removed from the image when it is loaded again. */
import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LispProject, system } from './loading-fixture';

/** Every kind of definition, as source and as an expression that is true while it is there. */
const KINDS: Readonly<Record<string, readonly [source: string, there: string]>> = {
  function: ['(defun f () 1)', "(fboundp 'f)"],
  'setf function': ['(defun (setf f) (new) new)', "(fboundp '(setf f))"],
  macro: ['(defmacro f () 1)', "(macro-function 'f)"],
  'generic function': ['(defgeneric f (x) (:method ((x integer)) x))', "(fboundp 'f)"],
  'method, which made its function': ['(defmethod f ((x integer)) x)', "(fboundp 'f)"],
  'method of a standard function': [
    '(defmethod print-object ((x kept) out) (write-string "f" out))',
    '(string= "f" (princ-to-string (make-instance \'kept)))',
  ],
  'compiler macro': [
    '(define-compiler-macro kept-function (&whole it) it)',
    "(compiler-macro-function 'kept-function)",
  ],
  'setf expander': ['(defsetf kept-function set-it)', "(sb-int:info :setf :expander 'kept-function)"],
  'long setf expander': [
    '(define-setf-expander kept-function () (values nil nil nil nil nil))',
    "(sb-int:info :setf :expander 'kept-function)",
  ],
  variable: ['(defvar *f* 1)', "(boundp '*f*)"],
  'global variable': ['(sb-ext:defglobal **f** 1)', "(boundp '**f**)"],
  constant: ['(defconstant +f+ 1)', "(boundp '+f+)"],
  'symbol macro': ['(define-symbol-macro f 1)', "(nth-value 1 (macroexpand-1 'f))"],
  class: ['(defclass f () ((s :accessor f-s)))', "(or (find-class 'f nil) (fboundp 'f-s))"],
  condition: ['(define-condition f (error) ())', "(find-class 'f nil)"],
  structure: ['(defstruct f a)', "(or (find-class 'f nil) (fboundp 'f-a) (fboundp 'make-f))"],
  type: ["(deftype f () 'integer)", "(ignore-errors (typep 1 'f))"],
};

/** What the files of these tests have beside it. */
const KEPT = '(defclass kept () ())\n(defun kept-function () 1)\n(defun set-it (new) new)\n';

async function there(project: LispProject, expression: string): Promise<boolean> {
  const { values } = await project.evaluate(`(and ${expression} t)`);
  return values[0]?.[0] === 'T';
}

describe('what a file of a system has lost', () => {
  it('is taken out of the image and told, whatever kind of definition it is', async () => {
    const sources = Object.values(KINDS);
    const files = Object.fromEntries(
      sources.map(([source], n) => [`f${n}.lisp`, packaged(n, `${KEPT}${source}`)]),
    );
    const components = sources.map((_, n) => `(:file "f${n}")`).join('');
    const project = await LispProject.start({ 'app.asd': system('app', components), ...files });
    expect(await project.loadSystem('app')).toMatchObject({ outcome: 'ok', notes: [] });
    const state = async () => {
      const found: Record<string, boolean> = {};
      for (const [n, [kind, [, expression]]] of Object.entries(KINDS).entries())
        found[kind] = await there(project, inPackage(n, expression));
      return found;
    };
    const every = (value: boolean) => Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, value]));
    expect(await state()).toEqual(every(true));
    // Loaded again as it was, nothing is lost.
    project.write(files);
    expect(await project.loadSystem('app')).toMatchObject({
      ...{ outcome: 'ok', notes: [] },
      stdout: expect.stringContaining(project.file(`f${sources.length - 1}.lisp`)),
    });
    expect(await state()).toEqual(every(true));
    project.write(Object.fromEntries(sources.map((_, n) => [`f${n}.lisp`, packaged(n, KEPT)])));
    const { outcome, notes } = await project.loadSystem('app');
    expect(outcome).toBe('ok');
    expect(await state()).toEqual(every(false));
    expect(notes).toHaveLength(sources.length);
    expect(notes[0]).toMatch(
      /^\S+f0\.lisp no longer defines F0::F \(function\), so this was taken out of the image\.$/,
    );
  });
});

describe('a definition', () => {
  it('that was renamed takes its callers along: they are named, and fail as in a fresh image', async () => {
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "a") (:file "b")'),
      'a.lisp': '(defmacro twice (x) `(* 2 ,x))\n(defun old () 1)',
      'b.lisp': '(defun caller () (old))\n\n(defun expander () (twice 2))',
    });
    await project.loadSystem('app');
    project.write({ 'a.lisp': '(defmacro twofold (x) `(* 2 ,x))\n(defun new () 1)' });
    const { notes } = await project.loadFile('a.lisp');
    expect(notes).toEqual([expect.stringContaining('a.lisp no longer defines')]);
    for (const told of ['OLD (function)', 'TWICE (macro)', 'CALLER (', 'b.lisp:1', 'EXPANDER (', 'b.lisp:3'])
      expect(notes[0]).toContain(told);
    expect((await project.evaluate('(caller)')).condition?.message).toMatch(/::OLD is undefined/);
  });

  it('that moved to another file stays, with its value and its methods', async () => {
    const [variable, generic] = ['(defvar *counted* 0)', '(defgeneric shown (x))'];
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "a") (:file "b") (:file "c")', ':serial t'),
      'a.lisp': `${variable} ${generic} (defun moved () 1)`,
      'b.lisp': '',
    });
    project.write({ 'c.lisp': '(defmethod shown ((x integer)) :integer)' });
    await project.loadSystem('app');
    await project.evaluate('(setf *counted* 7)');
    project.write({ 'a.lisp': '', 'b.lisp': `${variable} ${generic} (defun moved () 2)` });
    expect(await project.loadSystem('app')).toMatchObject({ outcome: 'ok', notes: [] });
    expect((await project.evaluate('(list *counted* (shown 1) (moved))')).values).toEqual([
      ['(7 :INTEGER 2)'],
    ]);
  });

  it('that code, or another file, has made anew since then stays', async () => {
    const defining =
      '(defun typed () 1) (defun taken-over () 1) (defvar *typed* 1) (defmethod m ((x integer)) 1)';
    const project = await LispProject.start({ 'a.lisp': defining, 'b.lisp': '(defun taken-over () 2)' });
    await project.loadFile('a.lisp');
    await project.evaluate('(defun typed () 2) (defmethod m ((x integer)) 2)');
    await project.loadFile('b.lisp');
    project.write({ 'a.lisp': '(defvar *typed* 1)' });
    expect((await project.loadFile('a.lisp')).notes).toEqual([]);
    expect((await project.evaluate('(list (typed) (taken-over) *typed* (m 1))')).values).toEqual([
      ['(2 2 1 2)'],
    ]);
  });

  it('that its file makes only where it is missing stays', async () => {
    const guarded = "(unless (fboundp 'guarded) (defun guarded () 1))";
    const project = await LispProject.start({ 'a.lisp': guarded });
    await project.loadFile('a.lisp');
    project.write({ 'a.lisp': `${guarded} (defun more () 1)` });
    expect((await project.loadFile('a.lisp')).notes).toEqual([]);
    expect((await project.evaluate('(guarded)')).values).toEqual([['1']]);
  });

  it('that cannot be taken out is told', async () => {
    const packages = '(defpackage :kept-package (:use :cl))';
    const project = await LispProject.start({ 'a.lisp': packages });
    await project.loadFile('a.lisp');
    project.write({ 'a.lisp': '' });
    expect((await project.loadFile('a.lisp')).notes).toEqual([
      `KEPT-PACKAGE (package) is still defined in this image, but ${project.file('a.lisp')} no longer defines it; a fresh image will not have it.`,
    ]);
  });

  it('whose file does not load stays, and goes when it does', async () => {
    const project = await LispProject.start({ 'a.lisp': '(defun lost () 1)' });
    await project.loadFile('a.lisp');
    project.write({ 'a.lisp': '(defun broken (' });
    expect(await project.loadFile('a.lisp')).toMatchObject({ outcome: 'error', notes: [] });
    expect((await project.evaluate('(lost)')).values).toEqual([['1']]);
    project.write({ 'a.lisp': '(defun mended () 1)' });
    expect((await project.loadFile('a.lisp')).notes).toHaveLength(1);
  });

  it('of a file that its system has lost goes with it', async () => {
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "a") (:file "b")'),
      'a.lisp': '(defun kept () 1)',
      'b.lisp': '(defun lost () 1)',
    });
    utimesSync(project.file('app.asd'), 1, 1);
    await project.loadSystem('app');
    project.write({ 'app.asd': system('app', '(:file "a")') });
    const { notes } = await project.loadSystem('app');
    expect(notes).toEqual([expect.stringMatching(/b\.lisp no longer defines LOST \(function\)/)]);
    expect((await project.evaluate("(list (fboundp 'lost) (kept))")).values).toEqual([['(NIL 1)']]);
  });
});

/** Each file has a package of its own. */
function packaged(n: number, text: string): string {
  return `(defpackage :f${n} (:use :cl))\n(in-package :f${n})\n${text}\n`;
}

function inPackage(n: number, expression: string): string {
  return `(let ((*package* (find-package :f${n}))) (eval (read-from-string ${JSON.stringify(expression)})))`;
}
