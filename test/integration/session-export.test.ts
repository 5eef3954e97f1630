/** A session's definitions as a source file, which a fresh image loads: real images, a real history. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sessionSource } from '../../electron/sessions/export/session-source';
import type { Session } from '../../electron/sessions/session/session';
import { evaluate, type SessionsFixture, sessionsFixture } from './sessions-fixture';

async function run(session: Session, ...codes: string[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const code of codes) outcomes.push((await evaluate(session, code).settled).outcome);
  return outcomes;
}

async function values(session: Session, code: string): Promise<string[] | undefined> {
  const { condition, forms } = await evaluate(session, code).settled;
  return condition ? [condition.message] : forms.at(-1)?.values;
}

/** Loads the file with SBCL's own LOAD, as a person would, into a session of its own. */
async function loaded(fixture: SessionsFixture, text: string): Promise<Session> {
  const file = path.join(fixture.project, 'exported.lisp');
  writeFileSync(file, text);
  const fresh = await fixture.open();
  expect(await values(fresh, `(progn (load ${JSON.stringify(file)}) :loaded)`)).toEqual([':LOADED']);
  return fresh;
}

it('holds every kind of definition, each in its package, and a fresh image takes it', async () => {
  const fixture = sessionsFixture();
  const session = await fixture.open();
  await run(
    session,
    ';; λ🌊 before\n(defpackage :tide (:use :cl) (:export #:height)) (in-package :tide) (defvar *levels* (list 1 2))',
    '(defmacro twice (form) `(list ,form ,form)) (defun height (x) (twice (+ x (first *levels*))))',
    '(defstruct (buoy (:copier nil)) name) (defclass chart () ((scale :initform 3 :accessor scale)))',
    '(defmethod print-object ((it buoy) stream) (format stream "~~~a~~" (buoy-name it)))',
    '(in-package :cl-user) (defun user (x) (tide:height x)) (setf tide::*levels* (list 100))',
    '(let ((count 0)) (defun counted () (incf count)))',
    '(defun tide::inside () :inside) (+ 1 2) (print :noise)',
  );
  const { text, definitions } = await sessionSource(session, fixture.history.evaluations);
  expect(definitions).toBe(10);
  expect(text).toMatch(/^;;;; ABOUTME: Definitions of session "/);
  expect(text).not.toMatch(/noise|\(\+ 1 2\)|setf/);
  expect(text.match(/in-package/g)).toHaveLength(3);
  const fresh = await loaded(fixture, text);
  expect(await values(fresh, '(user 1)')).toEqual(['(2 2)']);
  expect(await values(fresh, '(progn (counted) (counted))')).toEqual(['2']);
  expect(
    await values(fresh, '(list (tide::make-buoy :name 1) (tide::scale (make-instance (quote tide::chart))))'),
  ).toEqual(['(~1~ 3)']);
  expect(await values(fresh, '(tide::inside)')).toEqual([':INSIDE']);
});

it('has the last of what was defined again, and macros before their uses', async () => {
  const fixture = sessionsFixture();
  const session = await fixture.open();
  await run(
    session,
    '(defmacro unit () :old) (defun area () (unit)) (defmacro mark () :was) (defun marked () (mark))',
    '(defun helper () :one)',
    '(defmacro unit () :new)',
    '(defmacro late () :late) (defun helper () (late)) (defun area () (list (unit) (helper)))',
    '(defmacro mark () :is)',
  );
  const { text } = await sessionSource(session, fixture.history.evaluations);
  expect(text).not.toMatch(/:old|:one|:was/);
  expect(await values(await loaded(fixture, text), '(list (area) (marked))')).toEqual(['((:NEW :LATE) :IS)']);
});

it('leaves out what files hold, what failed, and what a reset has thrown away', async () => {
  const fixture = sessionsFixture();
  const session = await fixture.open();
  writeFileSync(
    path.join(fixture.project, 'kept.lisp'),
    '(defpackage :kept (:use :cl))\n(in-package :kept)\n(defun in-file () 1)\n',
  );
  await run(session, '(defpackage :gone (:use :cl)) (use-package :gone) (defun gone () 1)');
  await (await session.reset({ client: 'tester', grant: null, kind: 'load', code: ':fresh' }, [])).settled;
  const outcomes = await run(
    session,
    '(progn (lisp-harbor:load-file "kept.lisp") (make-package "Bare one" :use (list :cl)))',
    '(in-package :kept) (defun beside () (in-file))',
    '(in-package "Bare one") (defun odd () 2) (in-package :cl-user)',
    '(progn (defun broken () 3) (error "after it"))',
  );
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'error']);
  const { text, definitions } = await sessionSource(session, fixture.history.evaluations);
  expect(definitions).toBe(2);
  expect(text).toContain(
    'Omitted, because their forms failed, were redacted or need a readtable without a name: BROKEN (function).\n',
  );
  expect(text).not.toMatch(/gone|defun in-file|defun broken/i);
  const fresh = await loaded(fixture, text);
  expect(await values(fresh, '(list (kept::beside) (|Bare one|::odd))')).toEqual(['(1 2)']);
});

it('has what an image that died knew, once that has come back', async () => {
  const fixture = sessionsFixture();
  const session = await fixture.open();
  await run(
    session,
    '(defpackage :tide (:use :cl)) (in-package :tide) (use-package :sb-ext) (defun height () 1)',
  );
  expect(await run(session, '(sb-ext:exit :abort t)', '(defun depth () 2)')).toEqual(['crashed', 'ok']);
  const { text, definitions } = await sessionSource(session, fixture.history.evaluations);
  expect(definitions).toBe(3);
  expect(text.match(/in-package/g)).toHaveLength(2);
  const fresh = await loaded(fixture, text);
  expect(await values(fresh, '(list (tide::height) (tide::depth))')).toEqual(['(1 2)']);
});

it('of nothing defined is a file that loads, and of an engine without knowledge is refused', async () => {
  const fixture = sessionsFixture();
  const session = await fixture.open();
  await run(session, '(+ 1 2)');
  const { text, definitions } = await sessionSource(session, fixture.history.evaluations);
  expect(definitions).toBe(0);
  await loaded(fixture, text);
  await evaluate(session, '(sb-ext:exit :abort t)').settled;
  await expect(sessionSource(session, fixture.history.evaluations)).rejects.toMatchObject({
    code: 'image_lost',
  });
});
