/** Definitions removed from a file are removed from the image when it is loaded again. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LispProject, system, writeFiles } from './loading-fixture';

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
    const project = await LispProject.start({
      'app.asd': system('app', components),
      ...files,
    });
    expect(await project.loadSystem('app')).toMatchObject({
      outcome: 'ok',
      notes: [],
    });
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
    project.write({
      'a.lisp': '(defmacro twofold (x) `(* 2 ,x))\n(defun new () 1)',
    });
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
    project.write({
      'a.lisp': '',
      'b.lisp': `${variable} ${generic} (defun moved () 2)`,
    });
    expect(await project.loadSystem('app')).toMatchObject({
      outcome: 'ok',
      notes: [],
    });
    expect((await project.evaluate('(list *counted* (shown 1) (moved))')).values).toEqual([
      ['(7 :INTEGER 2)'],
    ]);
  });

  it('that code, or another file, has made anew since then stays', async () => {
    const defining =
      '(defun typed () 1) (defun taken-over () 1) (defvar *typed* 1) (defmethod m ((x integer)) 1)';
    const project = await LispProject.start({
      'a.lisp': defining,
      'b.lisp': '(defun taken-over () 2)',
    });
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
    expect(await project.loadFile('a.lisp')).toMatchObject({
      outcome: 'error',
      notes: [],
    });
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

/** Files that define only what is missing, each with what was added later and an expression that is true while it is there. */
const CONDITIONAL: Readonly<Record<string, readonly [source: string, there: string]>> = {
  'by a macro': [
    "(defmacro defdfun (name args &body body) `(unless (fboundp ',name) (defun ,name ,args ,@body)))\n(defdfun once (x) (1+ x))\n(defun twice (x) (once (once x)))",
    '(= (twice 1) 3)',
  ],
  'under a name that a macro makes': [
    `(defmacro getter (name)
  (let ((function (intern (format nil "GET-~A" name))))
    \`(unless (fboundp ',function) (defun ,function () ',name))))
(getter thing)`,
    "(fboundp 'get-thing)",
  ],
  'as a macro expands': [
    `(defmacro ensure-function (name) (unless (fboundp name) \`(defun ,name () 1)))
(ensure-function ensured)`,
    "(fboundp 'ensured)",
  ],
  'as the reader decides': [
    '#-already (defun early () 1)\n(eval-when (:compile-toplevel :load-toplevel :execute) (pushnew :already *features*))',
    "(fboundp 'early)",
  ],
  'by names computed while it loads': [
    `(dolist (name '("A" "B"))
  (let ((function (intern (concatenate 'string "COMPUTED-" name))))
    (unless (fboundp function) (setf (fdefinition function) (lambda () name)))))`,
    "(and (fboundp 'computed-a) (fboundp 'computed-b))",
  ],
  'variables, classes, types, macros and methods': [
    `(unless (boundp '*v*) (defvar *v* 1))
(unless (find-class 'c nil) (defclass c () ()) (deftype ty () 'integer) (defstruct st a))
(unless (macro-function 'm) (defmacro m () 1))
(defgeneric g (x))
(unless (find-method #'g '() (list (find-class 'integer)) nil) (defmethod g ((x integer)) x))`,
    "(and (boundp '*v*) (find-class 'c nil) (find-class 'st nil) (macro-function 'm) (fboundp 'st-a) (eql 1 (g 1)) (typep 1 'ty))",
  ],
  'as another name of a function': ["(setf (fdefinition 'alias) #'car)", "(fboundp 'alias)"],
};

describe('what a fresh load would define', () => {
  it.each(Object.entries(CONDITIONAL))(
    'stays where its file defines only what is missing, %s',
    async (_, [source, expression]) => {
      const project = await LispProject.start({
        'app.asd': system('app', '(:file "a")'),
        'a.lisp': source,
      });
      await project.loadSystem('app');
      for (const text of [source, `${source}\n;; a comment`, `${source}\n(defun more () 1)`]) {
        project.write({ 'a.lisp': text });
        for (const load of ['loadSystem', 'loadFile'] as const)
          expect(await project[load](load === 'loadFile' ? 'a.lisp' : 'app')).toMatchObject({
            outcome: 'ok',
            notes: [],
          });
        expect(await there(project, expression)).toBe(true);
      }
    },
  );

  it('stays when the form that defines only what is missing has moved to another file', async () => {
    const guarded = "(unless (fboundp 'guarded) (defun guarded () 1))";
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "b") (:file "a")', ':serial t'),
      'a.lisp': guarded,
      'b.lisp': '',
    });
    await project.loadSystem('app');
    project.write({ 'a.lisp': '(defun other () 1)', 'b.lisp': guarded });
    expect(await project.loadSystem('app')).toMatchObject({
      outcome: 'ok',
      notes: [],
    });
    expect(await there(project, "(fboundp 'guarded)")).toBe(true);
  });

  it('stays in files outside of the project', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-libraries-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const library = path.join(home, 'common-lisp');
    writeFiles(library, {
      'other/other-lib.asd': system('other-lib', '(:file "lib")'),
      'other/lib.lisp': '(defun ours () 1) (defun theirs () 2)',
    });
    const project = await LispProject.start({}, [library]);
    await project.loadSystem('other-lib');
    writeFiles(library, { 'other/lib.lisp': '(defun ours () 1)' });
    expect(await project.loadSystem('other-lib')).toMatchObject({
      outcome: 'ok',
      notes: [],
      stdout: expect.stringContaining('compiling'),
    });
    expect((await project.evaluate('(theirs)')).values).toEqual([['2']]);
  });

  it('belongs to the file whose load defined it, not to that of the function’s code', async () => {
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "a") (:file "b")', ':serial t'),
      'a.lisp': '(defun adder (n) (lambda (x) (+ x n)))\n(defun original () 1)',
      'b.lisp': "(setf (fdefinition 'add5) (adder 5)\n (fdefinition 'alias) #'original)",
    });
    await project.loadSystem('app');
    project.write({
      'a.lisp': '(defun adder (n) (lambda (x) (+ x n)))\n(defun original () 2)',
    });
    expect((await project.loadFile('a.lisp')).notes).toEqual([]);
    expect((await project.evaluate('(list (add5 1) (alias))')).values).toEqual([['(6 1)']]);
    project.write({ 'b.lisp': '' });
    expect((await project.loadFile('b.lisp')).notes).toEqual([
      expect.stringMatching(/ADD5.*ALIAS|ALIAS.*ADD5/),
    ]);
    expect(await there(project, "(or (fboundp 'add5) (fboundp 'alias))")).toBe(false);
  });
});

describe('what a load takes out', () => {
  it('is what a plain LOAD has defined, too', async () => {
    const project = await LispProject.start({
      'a.lisp': '(defun lost () 1)\n(eval `(defun ,(intern "EVALUATED") () 1))',
    });
    await project.evaluate('(load "a.lisp")');
    project.write({ 'a.lisp': '(defun other () 1)' });
    expect((await project.loadFile('a.lisp')).notes).toEqual([
      expect.stringMatching(/(LOST|EVALUATED).*(LOST|EVALUATED)/),
    ]);
  });

  it('is told with its uses: subclasses, methods, and files that name it', async () => {
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "a") (:file "b")', ':serial t'),
      'a.lisp': "(defclass base () ()) (defclass shape () ()) (deftype small () '(integer 0 9))",
      'b.lisp':
        "(defclass derived (base) ()) (defgeneric area (x)) (defmethod area ((x shape)) 1) (defun small-p (x) (typep x 'small))",
    });
    await project.loadSystem('app');
    project.write({ 'a.lisp': '' });
    const { notes } = await project.loadFile('a.lisp');
    for (const told of ['BASE (class)', 'SMALL (type)', 'DERIVED', 'AREA (SHAPE)', project.file('b.lisp')])
      expect(notes.join()).toContain(told);
  });

  it('is not what the file itself still uses, and that is told', async () => {
    const project = await LispProject.start({
      'a.lisp': '(defun once (x) x)\n(defun twice (x) (once (once x)))',
    });
    await project.loadFile('a.lisp');
    project.write({
      'a.lisp': '(defun one (x) x)\n(defun twice (x) (once (once x)))',
    });
    expect((await project.loadFile('a.lisp')).notes).toEqual([
      expect.stringMatching(/ONCE \(function\).*still uses/),
    ]);
  });

  it('is a form that was commented out or disabled', async () => {
    const project = await LispProject.start({
      'a.lisp': '(defun one () 1) (defun two () 2) (defun three () 3)',
    });
    await project.loadFile('a.lisp');
    project.write({
      'a.lisp': '; (defun one () 1)\n#+(or) (defun two () 2)\n#| (defun three () 3) |#',
    });
    expect((await project.loadFile('a.lisp')).notes).toHaveLength(1);
    expect(await there(project, "(or (fboundp 'one) (fboundp 'two) (fboundp 'three))")).toBe(false);
  });
});

/** Each file has a package of its own. */
function packaged(n: number, text: string): string {
  return `(defpackage :f${n} (:use :cl))\n(in-package :f${n})\n${text}\n`;
}

function inPackage(n: number, expression: string): string {
  return `(let ((*package* (find-package :f${n}))) (eval (read-from-string ${JSON.stringify(expression)})))`;
}
