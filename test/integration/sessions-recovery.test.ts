/** A session whose image is gone: what comes back, what does not, and that both are said. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

/** Ends the image from outside, as the kernel does when memory is short, and waits until the session knows. */
async function kill(session: Session): Promise<void> {
  process.kill(await pidOf(session), 'SIGKILL');
  await expect.poll(() => session.state, PATIENT).toBe('lost');
}

async function told(session: Session, code: string): Promise<{ values: string[]; notes: string }> {
  const { forms, notes, condition } = await evaluate(session, code).settled;
  expect(condition).toBeNull();
  return { values: forms.at(-1)?.values ?? [], notes: noteTexts(notes).join('\n') };
}

/** Evaluations that change the reader, a definition under it, and an expression that is true of its meaning. */
const READERS: Readonly<Record<string, readonly [before: string, definition: string, right: string]>> = {
  'another float format': [
    "(setf *read-default-float-format* 'double-float)",
    '(defun third-of () 0.1) (defconstant +pi2+ 6.283185307179586)',
    '(and (eql (third-of) 0.1d0) (eql +pi2+ 6.283185307179586d0))',
  ],
  'another base': ['(setf *read-base* 8)', '(defun perm () 644)', '(= (perm) 420.)'],
  'another base, set in a function': [
    '(defun octal () (setf *read-base* 8)) (octal)',
    '(defun perm () 644)',
    '(= (perm) 420.)',
  ],
  'another case of symbols': [
    '(setf (readtable-case *readtable*) :invert)',
    "(defun camelCase () 'fooBar)",
    '(string= (symbol-name (camelCase)) "fooBar")',
  ],
  'its own readtable with another case': [
    '(setf *readtable* (copy-readtable)) (setf (readtable-case *readtable*) :preserve)',
    "(DEFUN keptCase () 'Kept)",
    '(STRING= (SYMBOL-NAME (keptCase)) "Kept")',
  ],
  'nicknames of its package': [
    '(defpackage :long.name (:use :cl)) (sb-ext:add-package-local-nickname :ln :long.name)',
    '(defun ln::foo () 1)',
    "(= 1 (funcall (find-symbol (string '#:foo) :long.name)))",
  ],
  'nicknames that a function added': [
    "(defpackage :long.name (:use :cl)) (funcall 'sb-ext:add-package-local-nickname :ln :long.name)",
    '(defun ln::foo () 1)',
    '(= 1 (ln::foo))',
  ],
  'features that nothing repeats': [
    '(let ((list (list :by-let))) (setf *features* (append list *features*)))',
    '(defun featured () #+by-let 1 #-by-let 2)',
    '(= 1 (featured))',
  ],
  'a macro character': [
    "(set-macro-character #\\! (lambda (s c) (declare (ignore c)) (list 'quote (read s))))",
    '(defun banged () !yes)',
    "(eq (banged) 'yes)",
  ],
};

/** What one evaluation defines, and an expression that is true where it came back. */
const MIXED: Readonly<Record<string, readonly [code: string, right: string]>> = {
  'in a PROGN that also calls it': ['(progn (defun f () 1) (f))', '(= 1 (f))'],
  'under a condition': ['(when t (defun f () 1))', '(= 1 (f))'],
  'inside a LET with other forms': ['(let ((n 1)) (incf n) (defun f () n) (f))', '(= 2 (f))'],
  'by a macro of any name': [
    '(defmacro make-answer (name) `(defun ,name () 42)) (make-answer f)',
    '(= 42 (f))',
  ],
  'by a function': [
    "(defun define-it (name) (setf (fdefinition name) (constantly 7))) (define-it 'f)",
    '(= 7 (f))',
  ],
  'in a loop': ["(dolist (name '(f g)) (eval `(defun ,name () ',name)))", "(and (eq 'f (f)) (eq 'g (g)))"],
  'and removed again': ["(defun f () 1) (fmakunbound 'f)", "(not (fboundp 'f))"],
};

describe('a definition comes back as the same definition', () => {
  it.each(Object.entries(READERS))('that was read with %s', async (_, [before, definition, right]) => {
    const session = await sessionsFixture().open();
    await evaluate(session, before).settled;
    expect(await evaluate(session, definition).settled).toMatchObject({ outcome: 'ok' });
    const [there] = (await told(session, right)).values;
    await kill(session);
    const { values, notes } = await told(session, right);
    expect(values).toEqual([there]);
    expect(there).not.toBe('NIL');
    expect(notes).not.toContain('defun');
  });

  it.each(Object.entries(MIXED))('that was made %s', async (_, [code, right]) => {
    const session = await sessionsFixture().open();
    await evaluate(session, code).settled;
    await kill(session);
    expect((await told(session, right)).values).toEqual(['T']);
  });

  it('in the package in which it was requested, in any case of letters and by any name', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defpackage :shop (:use :cl) (:nicknames :store))').settled;
    const requests = [
      ['cl-user', '(defun one () 1)'],
      ['store', '(defun two () 2)'],
      ['Shop', '(defun three () 3)'],
    ] as const;
    for (const [name, code] of requests)
      await session.evaluate({ client: 'tester', grant: null, kind: 'eval', code, package: name }).settled;
    await kill(session);
    const { values, notes } = await told(session, '(list (one) (shop::two) (shop::three))');
    expect(values).toEqual(['(1 2 3)']);
    expect(notes).not.toContain('Not evaluated again');
  });

  it('or is named, where the reader that read it does not come back', async () => {
    const session = await sessionsFixture().open();
    const enable =
      '(let ((table (copy-readtable))) (set-macro-character #\\{ (lambda (s c) (declare (ignore s c)) 42) nil table) (setf *readtable* table) nil)';
    await evaluate(session, enable).settled;
    await evaluate(session, '(defun braced () {) (defun plain () 1)').settled;
    await kill(session);
    const { values, notes } = await told(session, '(list (fboundp (quote braced)) (plain))');
    expect(values).toEqual(['(NIL 1)']);
    expect(notes).toMatch(/\(defun braced \(\) \{\) \(it was read with a readtable/);
  });

  it('without what else its form did', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    const file = path.join(project, 'once.txt');
    const write = `(with-open-file (out "${file}" :direction :output :if-exists :append :if-does-not-exist :create) (write-line "x" out))`;
    await evaluate(session, `(progn (defun f () 1) ${write})`).settled;
    await kill(session);
    const { values, notes } = await told(
      session,
      `(list (f) (with-open-file (in "${file}") (file-length in)))`,
    );
    expect(values).toEqual(['(1 2)']);
    expect(notes).toContain('it defines nothing');
  });
});

describe('an image that is killed', () => {
  it('comes back with its definitions, packages, classes and readtable, in the package it was in', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defpackage :shop (:use :cl)) (in-package :shop)').settled;
    await evaluate(session, '(defvar *stock* 3) (defun price (x) (* 2 x))').settled;
    await evaluate(session, '(defclass item () ((name :initarg :name :reader name)))').settled;
    await evaluate(session, '(let ((n 41)) (defun counter () (incf n)))').settled;
    await evaluate(
      session,
      '(set-macro-character #\\! (lambda (s c) (declare (ignore c)) (list (quote price) (read s))))',
    ).settled;
    await kill(session);
    const { values, notes } = await told(
      session,
      '(list (package-name *package*) *stock* !21 (counter) (name (make-instance (quote item) :name 7)))',
    );
    expect(values).toEqual(['("SHOP" 3 42 42 7)']);
    expect(notes).toContain('generation 2');
    expect(notes).toContain('7 forms of the history, evaluated again');
  });

  it('says what was not evaluated again', async () => {
    const session = await sessionsFixture().open();
    const row = evaluate(session, '(defvar *x* 1) (print *x*) (setf *x* 2)');
    await row.settled;
    await kill(session);
    const { values, notes } = await told(session, '*x*');
    expect(values).toEqual(['1']);
    expect(notes).toContain(
      `Not evaluated again: #${row.id} (setf *x* 2) (it assigns); #${row.id} (print *x*)`,
    );
  });

  it('says the rest in brief, what failed first, and all of it to who asks', async () => {
    const session = await sessionsFixture().open();
    const listed = Array.from({ length: 30 }, (_, index) => `(list "a value that only returned" ${index})`);
    await evaluate(session, `(defvar *flag* nil) ${listed.join(' ')}`).settled;
    await evaluate(session, '(setf *flag* t)').settled;
    await evaluate(session, '(progn (defvar *s* (if *flag* 1 (error "no flag"))))').settled;
    await kill(session);
    const { notes } = await told(session, '1');
    const unconfined = noteTexts(session.sandboxNotes).join('\n');
    expect(notes.replace(unconfined, '').length).toBeLessThanOrEqual(400);
    expect(notes).toMatch(/generation 2.*no flag.*threads/s);
    const all = noteTexts(session.recoveryNotes).join(' ');
    expect(all).toContain('generation 2');
    expect(all.length).toBeGreaterThan(notes.length);
  });

  it('replays what came to its end before an error, and nothing after it', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defun a () 1) (error "no") (defun b () 2)').settled;
    await kill(session);
    expect((await told(session, '(list (a) (fboundp (quote b)))')).values).toEqual(['(1 NIL)']);
  });

  it('evaluates each form in the package it was evaluated in', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defpackage :one (:use :cl)) (defpackage :two (:use :cl))').settled;
    await session.evaluate({
      client: 'tester',
      grant: null,
      kind: 'eval',
      code: '(defvar *a* 1)',
      package: 'ONE',
    }).settled;
    // Asked for while the session is still in CL-USER.
    const entering = evaluate(session, '(sleep 0.2) (in-package :two)');
    const inside = evaluate(session, '(defvar *b* 2)');
    await Promise.all([entering.settled, inside.settled]);
    await kill(session);
    expect((await told(session, '(list one::*a* two::*b* (package-name *package*))')).values).toEqual([
      '(1 2 "TWO")',
    ]);
  });

  it('loads again what was loaded, whose files may have changed', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    mkdirSync(path.join(project, 'lib'));
    writeFileSync(path.join(project, 'lib/lib.asd'), '(defsystem "lib" :components ((:file "lib")))');
    writeFileSync(path.join(project, 'lib/lib.lisp'), '(defun answer () 1)');
    await evaluate(session, '(asdf:load-system "lib")').settled;
    writeFileSync(path.join(project, 'lib/lib.lisp'), '(defun answer () 42)');
    const later = Date.now() / 1000 + 60;
    utimesSync(path.join(project, 'lib/lib.lisp'), later, later);
    await kill(session);
    expect((await told(session, '(answer)')).values).toEqual(['42']);
  });

  it('has its definitions again after the next time as well', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defun a () 1)').settled;
    await kill(session);
    await evaluate(session, '(defun b () (1+ (a)))').settled;
    await kill(session);
    expect((await told(session, '(b)')).values).toEqual(['2']);
  });

  it('leaves out reader evaluation, and says so', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defun a () #.(+ 1 2))').settled;
    await kill(session);
    const { values, notes } = await told(session, '(fboundp (quote a))');
    expect(values).toEqual(['NIL']);
    expect(notes).toContain('(defun a () #.(+ 1 2))');
  });

  it('goes on when a definition fails this time', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    const file = path.join(project, 'once.txt');
    writeFileSync(file, 'x');
    await evaluate(
      session,
      `(defvar *text* (with-open-file (in "${file}") (read-line in))) (delete-file "${file}")`,
    ).settled;
    await evaluate(session, '(defun after () :here)').settled;
    await kill(session);
    const { values, notes } = await told(session, '(after)');
    expect(values).toEqual([':HERE']);
    expect(notes).toContain('FILE-DOES-NOT-EXIST');
  });

  it('does without when bringing back ends the new image, and says so', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    const flag = path.join(project, 'second');
    await evaluate(
      session,
      `(defparameter *end* (if (probe-file "${flag}") (sb-ext:exit :code 3 :abort t) 1)) (with-open-file (o "${flag}" :direction :output))`,
    ).settled;
    await kill(session);
    const { values, notes } = await told(session, '(boundp (quote *end*))');
    expect(values).toEqual(['NIL']);
    expect(notes).toContain('ended early');
    expect(notes).toContain('code 3');
  });

  it('can be given up while it comes back', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    const flag = path.join(project, 'second');
    await evaluate(
      session,
      `(defparameter *wait* (if (probe-file "${flag}") (loop) 1)) (with-open-file (o "${flag}" :direction :output))`,
    ).settled;
    await kill(session);
    const waiting = evaluate(session, '(+ 1 2)');
    await expect.poll(() => session.state, PATIENT).toBe('starting');
    expect(await session.cancel(waiting)).toBe(true);
    expect((await waiting.settled).outcome).toBe('interrupted');
    expect((await told(session, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('a reset begins with nothing, also after the image is killed', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defun gone () 1)').settled;
    const reset = await session.reset(
      { client: 'tester', grant: null, kind: 'load', code: '(lisp-harbor:load-system)' },
      [],
    );
    expect(noteTexts((await reset.settled).notes).join()).toContain('because it was reset');
    await kill(session);
    expect((await told(session, '(fboundp (quote gone))')).values).toEqual(['NIL']);
  });
});
