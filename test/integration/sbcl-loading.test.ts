/** Loading systems and files into SBCL images: the report of each problem with its location. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { LispProject, system, writeFiles } from './loading-fixture';

/** Files that cannot be compiled. */
const BROKEN = {
  'a form that does not end': '(defun answer () 2',
  'a parenthesis too many': '(defun answer () 2))',
  'a token that cannot be read': '(defun answer () nowhere:there)',
  'a macro that fails': '(defmacro oops () (error "on purpose"))\n(defun answer () (oops))',
  'an error while it is compiled': '(eval-when (:compile-toplevel) (error "on purpose"))',
};

/**
 * Sets the dates of a project file and its compiled form, by seconds from now, to simulate the passage of
 * time.
 */
async function date(project: LispProject, name: string, ages: { source: number; compiled?: number }) {
  const now = Math.floor(Date.now() / 1000);
  utimesSync(project.file(name), now + ages.source, now + ages.source);
  if (ages.compiled === undefined) return;
  const at = now + ages.compiled;
  const compiled = `(asdf:apply-output-translations (compile-file-pathname ${lispString(project.file(name))}))`;
  await project.evaluate(`(sb-posix:utime (namestring ${compiled}) ${at} ${at})`);
}

describe('a system', () => {
  it('is found in the project and below it, compiled and loaded with what it depends on', async () => {
    const project = await LispProject.start({
      'lib/base.asd': system('base', '(:file "base")'),
      'lib/base.lisp': '(defun base () :base)',
      'app.asd': system('app', '(:file "app")', ':depends-on ("base")'),
      'app.lisp': '(defun app () (list (base) :app))',
    });
    const loaded = await project.loadSystem('app');
    expect(loaded).toMatchObject({ outcome: 'ok', values: [['("app")']], warnings: [] });
    expect(loaded.report).toEqual({ loaded: ['app', 'base'], failures: [], runs: [] });
    expect(loaded.stdout).toBe(
      `; compiling ${project.file('lib/base.lisp')}\n; compiling ${project.file('app.lisp')}\n`,
    );
    expect((await project.evaluate('(app)')).values).toEqual([['(:BASE :APP)']]);
  });

  it('is compiled again after an edit, also one in the same second, and only then', async () => {
    const project = await LispProject.start({
      'app.asd': system('app', '(:file "app")'),
      'app.lisp': '(defun answer () 1)',
    });
    const anHourAgo = Date.now() / 1000 - 3600;
    for (const name of ['app.asd', 'app.lisp']) utimesSync(project.file(name), anHourAgo, anHourAgo);
    await project.loadSystem('app');
    const unchanged = await project.loadSystem('app');
    expect(unchanged.stdout).toBe('');
    expect(unchanged.report).toBeUndefined();
    project.write({ 'app.lisp': '(defun answer () 42)' });
    await project.loadSystem('app');
    expect((await project.evaluate('(answer)')).values).toEqual([['42']]);
  });

  describe.each(Object.entries(BROKEN))('whose file has %s after it was loaded', (_, broken) => {
    it('fails as often as it is loaded or tested, until the file is mended', async () => {
      const project = await LispProject.start({
        'app.asd': system('app', '(:file "app")'),
        'app.lisp': '(defun answer () 1)',
      });
      await project.loadSystem('app');
      await date(project, 'app.lisp', { source: -120, compiled: -60 });
      project.write({ 'app.lisp': broken });
      await date(project, 'app.lisp', { source: -30 });
      for (const _ of [1, 2]) expect((await project.loadSystem('app')).outcome).toBe('error');
      expect((await project.runTests(':system "app"')).outcome).toBe('error');
      project.write({ 'app.lisp': '(defun answer () 42)' });
      expect((await project.loadSystem('app')).outcome).toBe('ok');
      expect((await project.evaluate('(answer)')).values).toEqual([['42']]);
    });
  });

  it('that is written after another one was looked for is found too', async () => {
    const project = await LispProject.start({ 'a.asd': system('a', '') });
    await project.loadSystem('a');
    project.write({ 'later/b.asd': system('b', '') });
    expect((await project.loadSystem('b')).report?.loaded).toEqual(['b']);
  });

  it('comes from the libraries of the machine, Quicklisp’s installed ones among them', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-libraries-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    writeFiles(home, {
      'quicklisp/dists/quicklisp/software/ql-lib/ql-lib.asd': system('ql-lib', ''),
      'common-lisp/own-lib/own-lib.asd': system('own-lib', ''),
    });
    const libraries = ['quicklisp', 'common-lisp'].map((name) => path.join(home, name));
    const project = await LispProject.start({}, libraries);
    expect((await project.loadSystem('ql-lib', 'own-lib')).report?.loaded).toEqual(['own-lib', 'ql-lib']);
    const missing = await project.loadSystem('nowhere');
    expect(missing.notes.join()).toContain(`Quicklisp is in ${home}/quicklisp/`);
  });

  it('that does not exist is named, and how systems are found', async () => {
    const project = await LispProject.start({});
    const { outcome, condition, notes } = await project.loadSystem('nowhere');
    expect(outcome).toBe('error');
    expect(condition?.message).toContain('nowhere');
    expect(notes.join()).toMatch(/no system nowhere.*Quicklisp is not installed/);
    expect(condition?.frames.map(({ call }) => call)).toEqual(['(LISP-HARBOR:LOAD-SYSTEM "nowhere")']);
  });

  it('shows the frames of the user alone, methods for functions of ASDF among them', async () => {
    const project = await LispProject.start({
      'own.asd': `(defclass own-file (cl-source-file) ())
(defmethod perform ((o load-op) (c own-file)) (error "on purpose"))
${system('own', '(:file "own")', ':default-component-class own-file')}`,
      'own.lisp': '',
    });
    const { condition } = await project.loadSystem('own');
    const calls = condition?.frames.map(({ call }) => call) ?? [];
    expect(calls).toEqual([
      expect.stringMatching(/:METHOD ASDF\/ACTION:PERFORM \(ASDF\/LISP-ACTION:LOAD-OP \S*OWN-FILE\)/),
      '(LISP-HARBOR:LOAD-SYSTEM "own")',
    ]);
  });

  it('with a missing dependency, a circular one, or a definition that cannot be read, fails with the reason', async () => {
    const project = await LispProject.start({
      'needs.asd': system('needs', '', ':depends-on ("absent")'),
      'one.asd': system('one', '', ':depends-on ("two")'),
      'two.asd': system('two', '', ':depends-on ("one")'),
      'torn.asd': '(defsystem "torn" :components (',
    });
    const missing = await project.loadSystem('needs');
    expect(missing.condition).toMatchObject({ type: expect.stringContaining('MISSING-DEPENDENCY') });
    expect(missing.condition?.message).toContain('absent');
    expect((await project.loadSystem('one')).condition?.type).toContain('CIRCULAR-DEPENDENCY');
    expect((await project.loadSystem('torn')).condition?.type).toContain('LOAD-SYSTEM-DEFINITION-ERROR');
    expect((await project.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });
});

/** Every form here means trouble; the comment has characters of two, three and four octets. */
const TROUBLE = `(defpackage :trouble (:use :cl))
(in-package :trouble)
;; äöü → 😀 and a ( in a comment
(defun wrong (x)
  (let ((y 1))
    (list x
          (+ 1 "two"))))

#+no-such-feature (defun left out)
(defun malformed ()
  (list 1 '(a b)
    (let ((a b c)) a)))

(defmacro broken (x) (error "no ~a today" x))
(defun uses-broken () (broken 3))
`;

describe('the compiler', () => {
  it('has each warning and error told with file, line, column, form and definition', async () => {
    const project = await LispProject.start({
      'trouble.asd': system('trouble', '(:file "trouble")'),
      'trouble.lisp': TROUBLE,
    });
    const { outcome, condition, warnings, report } = await project.loadSystem('trouble');
    const file = project.file('trouble.lisp');
    expect(outcome).toBe('error');
    expect(condition?.type).toContain('COMPILE-FILE-ERROR');
    expect(warnings.filter(({ severity }) => severity !== 'note')).toMatchObject([
      { severity: 'style-warning', file, line: 5, column: 9, source: '(Y 1)', context: 'DEFUN WRONG' },
      { severity: 'warning', file, line: 7, column: 11, source: '(+ 1 "two")', context: 'DEFUN WRONG' },
    ]);
    expect(report?.failures).toMatchObject([
      { file, line: 12, column: 11, source: '(A B C)', context: 'DEFUN MALFORMED' },
      { file, line: 15, column: 23, source: '(BROKEN 3)', message: expect.stringContaining('no 3 today') },
    ]);
    expect(report?.loaded).toEqual([]);
  });

  it('does not keep a file from being loaded for mere warnings, but for errors', async () => {
    const project = await LispProject.start({
      'warns.lisp': '(defun warns () (later 1)\n  nowhere)\n',
      'fails.lisp': '(defun fine () 1)\n(defun fails () (let ((a b c)) a))\n',
    });
    const warned = await project.loadFile('warns.lisp');
    expect(warned).toMatchObject({ outcome: 'ok', values: [[`"${project.file('warns.lisp')}"`]] });
    expect(warned.warnings).toMatchObject([
      { severity: 'style-warning', message: expect.stringMatching(/undefined function.*LATER/), column: 17 },
      { severity: 'warning', message: expect.stringMatching(/undefined variable.*NOWHERE/), line: 1 },
    ]);
    const failed = await project.loadFile('fails.lisp');
    expect(failed.condition?.message).toContain('did not compile and was not loaded: 1 error.');
    expect((await project.evaluate('(fboundp (quote fine))')).values).toEqual([['NIL']]);
  });

  it('says of evaluated code what it means, as before, without a place', async () => {
    const project = await LispProject.start({});
    const { warnings } = await project.evaluate('(defun f (x) (+ 1 "two"))');
    expect(warnings).toContainEqual(expect.objectContaining({ severity: 'warning', source: '(+ 1 "two")' }));
    for (const warning of warnings) expect(warning).not.toHaveProperty('file');
  });
});

describe('the reader', () => {
  it('tells the character that it stopped at', async () => {
    const project = await LispProject.start({
      'unknown.lisp': '(defun a () 1)\n\n(defun b () (foo:bar 1))\n',
    });
    const { report } = await project.loadFile('unknown.lisp');
    expect(report?.failures).toEqual([
      {
        type: 'SB-INT:SIMPLE-READER-PACKAGE-ERROR',
        message: 'Package FOO does not exist.',
        file: project.file('unknown.lisp'),
        line: 3,
        column: 20,
      },
    ]);
  });

  it('tells where the form begins that never ends', async () => {
    const project = await LispProject.start({ 'open.lisp': '(defun a () 1)\n\n  (defun b () (list 1\n' });
    expect((await project.loadFile('open.lisp')).report?.failures).toMatchObject([
      { type: 'END-OF-FILE', line: 3, column: 3 },
    ]);
  });
});

describe('loading', () => {
  it('tells the top-level form whose evaluation failed, beside the usual condition', async () => {
    const project = await LispProject.start({
      'late.lisp': '(defun first-of (x) (car x))\n\n(progn (print 1)\n  (first-of 3))\n',
    });
    const { outcome, condition, report, stdout } = await project.loadFile('late.lisp');
    expect(outcome).toBe('error');
    expect(condition?.type).toBe('TYPE-ERROR');
    expect(condition?.frames[0]?.call).toBe('(FIRST-OF 3)');
    expect(report?.failures).toMatchObject([
      { type: 'TYPE-ERROR', file: project.file('late.lisp'), line: 4, column: 3, source: '(first-of 3)' },
    ]);
    expect(stdout).toContain('1');
  });

  it('says nothing of errors that the file handles itself', async () => {
    const project = await LispProject.start({ 'calm.lisp': '(defvar *x* (ignore-errors (car 1)))\n' });
    expect((await project.loadFile('calm.lisp')).report).toBeUndefined();
  });

  it('takes an .asd file for its system', async () => {
    const project = await LispProject.start({
      'node_modules/odd/odd.asd': system('odd', '(:file "odd")'),
      'node_modules/odd/odd.lisp': '(defun odd () 1)',
    });
    expect((await project.loadSystem('odd')).outcome).toBe('error');
    expect((await project.loadFile('node_modules/odd/odd.asd')).report?.loaded).toEqual(['odd']);
  });

  it('tells also of systems that evaluated code loads by itself', async () => {
    const project = await LispProject.start({ 'a.asd': system('a', '') });
    expect((await project.evaluate('(asdf:load-system "a")')).report?.loaded).toEqual(['a']);
    expect((await project.evaluate('(+ 1 2)')).report).toBeUndefined();
  });

  it('leaves nothing in the project', async () => {
    const project = await LispProject.start({
      'a.asd': system('a', '(:file "a")'),
      'a.lisp': '(defun a () 1)',
      'b.lisp': '(defun b () 1)',
    });
    await project.loadSystem('a');
    await project.loadFile('b.lisp');
    const { values } = await project.evaluate('(mapcar #\'pathname-type (directory "*.*"))');
    expect(values).toEqual([['("asd" "lisp" "lisp")']]);
  });
});
