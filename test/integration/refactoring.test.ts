/** Refactoring a loaded project in a real harbor: what its image updates, and what the answer advises where it cannot. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { system } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

/** Files of an hour ago, unless they are edited: ASDF compares seconds. */
function write(files: Record<string, string>, age = 3600): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(harbor.project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const at = Date.now() / 1000 - age;
    utimesSync(file, at, at);
  }
}

const load = (args: Record<string, unknown>) => call<{ outcome: string }>(client, 'load', args);

it('loads afresh after a structure has become a class, whatever the polluted image had compiled', async () => {
  const structure = '(defpackage :shape (:use :cl))\n(in-package :shape)\n(defstruct point (x 0) (y 0))\n';
  const users =
    '(in-package :shape)\n(defun sum (p) (+ (point-x p) (point-y p)))\n(defun make () (make-point :x 1 :y 2))\n';
  write({
    'shape/shape.asd': system('shape', '(:file "a") (:file "b")', ':serial t'),
    'shape/a.lisp': structure,
    'shape/b.lisp': users,
  });
  await load({ system: 'shape' });
  expect(await values(client, '(shape::sum (shape::make))')).toEqual(['3']);
  write(
    {
      'shape/a.lisp': `(defpackage :shape (:use :cl))
(in-package :shape)
(defclass point () ((x :initarg :x :accessor point-x) (y :initarg :y :accessor point-y)))
(defun make-point (&key x y) (make-instance 'point :x x :y y))
`,
    },
    0,
  );
  const refused = await load({ system: 'shape' });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('fresh: true');
  // In the polluted image the users compile with the old structure.
  await evaluate(client, '(ignore-errors (asdf:compile-system "shape" :force t))');
  expect((await load({ system: 'shape', fresh: true })).structured.outcome).toBe('ok');
  expect(await values(client, '(shape::sum (shape::make))')).toEqual(['3']);
});

it('reuses no file that an image compiled after its definitions had changed', async () => {
  write({
    'inlined/inlined.asd': system('inlined', '(:file "m") (:file "u")', ':serial t'),
    'inlined/m.lisp': '(defmacro inlined-value () 1)',
    'inlined/u.lisp': '(defun uses-inlined () (inlined-value))',
  });
  await load({ system: 'inlined' });
  const compiled =
    '(compile-file "inlined/u.lisp" :output-file (asdf:apply-output-translations (compile-file-pathname (truename "inlined/u.lisp"))))';
  await evaluate(client, `(defmacro inlined-value () 99) (load ${compiled})`);
  expect(await values(client, '(uses-inlined)')).toEqual(['99']);
  // A new process with the same systems, from the compiled files that it may use.
  await load({});
  expect(await values(client, '(uses-inlined)')).toEqual(['1']);
});

it('takes an export along that was renamed or removed, and keeps those that other code made', async () => {
  const files = (exported: string) => ({
    'pv/pv.asd': system('pv', '(:file "package") (:file "code")', ':serial t'),
    'pv/package.lisp': `(defpackage #:pv (:use #:cl) (:export #:${exported} #:kept))`,
    'pv/code.lisp': `(in-package #:pv)\n(defun ${exported} () 1)\n(defun kept () 2)\n(export 'added)\n`,
  });
  write(files('old'));
  await load({ system: 'pv' });
  const renamed = await call(client, 'edit_form', {
    operation: 'rename',
    form_name: 'pv:old',
    new_name: 'new',
  });
  expect(renamed.isError).toBe(false);
  const loaded = await load({ system: 'pv' });
  expect(loaded.text).toMatch(/PV no longer exports OLD/);
  expect(loaded.structured.outcome).toBe('ok');
  expect(
    await values(
      client,
      '(list (pv:new) (mapcar (lambda (name) (nth-value 1 (find-symbol name :pv))) \'("OLD" "NEW" "KEPT")))',
    ),
  ).toEqual(['(1 (:INTERNAL :EXTERNAL :EXTERNAL))']);
});

/** Refused redefinitions: what an image has, and the form that it refuses. */
const REFUSED: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'a package with more exports': [
    '(defpackage :q (:export #:a)) (export (intern "B" :q) :q)',
    '(defpackage :q (:export #:a))',
  ],
  'a package that shadows': ['(defpackage :q (:shadow #:car))', '(defpackage :q)'],
  'a class that was a structure': ['(defstruct q)', '(defclass q () ())'],
  'a structure with other slots': ['(defstruct q a)', '(defstruct q a b)'],
  'a class that was a type': ["(deftype q () 'integer)", '(defclass q () ())'],
  'a generic function that was a function': ['(defun q (x) x)', '(defgeneric q (x))'],
  'a generic function with another lambda list': [
    '(defgeneric q (x)) (defmethod q (x) x)',
    '(defgeneric q (x y))',
  ],
  'a method with another lambda list': ['(defgeneric q (x))', '(defmethod q (x y) y)'],
  'a constant with another value': ['(defconstant q 1)', '(defconstant q 2)'],
  'a variable that was a constant': ['(defconstant q 1)', '(defvar q 2)'],
};

it.each(Object.entries(REFUSED))('tells the way out that works: %s', async (kind, [before, after]) => {
  const name = `refused-${Object.keys(REFUSED).indexOf(kind)}`;
  const named = (text: string) => text.replaceAll(/\bq\b/gi, name);
  write({ [`${name}.lisp`]: named(before) });
  await load({ path: `${name}.lisp` });
  write({ [`${name}.lisp`]: named(after) }, 0);
  const refused = await load({ path: `${name}.lisp` });
  if (refused.structured.outcome !== 'ok') expect(refused.text).toContain('fresh: true');
  expect((await load({ path: `${name}.lisp`, fresh: true })).structured.outcome).toBe('ok');
});
