/** What a session has defined goes to files by its names alone, and is no longer told as unsaved: a real image, a real harbor. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const inProject = (file: string) => path.join(harbor.project, file);
const held = (file: string) => readFileSync(inProject(file), 'utf8');
const save = (args: Record<string, unknown>) => call(client, 'write_file', args);
const unsaved = async () =>
  (await call<{ results: { text: string }[]; total: number }>(client, 'find', { kind: 'unsaved', query: '' }))
    .structured;

const SHOP = '(defpackage :shop (:use :cl))\n(in-package :shop)\n\n(defun price (x) x)\n';

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

it('changes definitions where they stand, adds others and makes new files', async () => {
  writeFileSync(inProject('shop.lisp'), SHOP);
  await call(client, 'load', { path: 'shop.lisp' });
  await evaluate(
    client,
    "(in-package :shop) (defun price (x) :wrong) (defun total (xs)\n  (reduce #'+ xs :key #'price))",
  );
  await evaluate(client, '(defun price (x) ; twice\n  (* 2 x))');
  await evaluate(
    client,
    '(defvar *rate* 3) (defun left-alone () 1) (defclass item () ()) (defmethod print-object ((x item) s) 1)',
  );
  const { text, isError } = await save({ path: 'shop.lisp', definitions: ['price', 'shop::total'] });
  expect([isError, text]).toEqual([
    false,
    expect.stringMatching(
      /^Wrote 2 definitions\n; replaced defun price\n; added defun total\n; shop\.lisp · hash [0-9a-f]{12} · before: history:\d+$/,
    ),
  ]);
  expect(held('shop.lisp')).toBe(
    "(defpackage :shop (:use :cl))\n(in-package :shop)\n\n(defun price (x) ; twice\n  (* 2 x))\n\n(defun total (xs)\n  (reduce #'+ xs :key #'price))\n"
      .replace("\n\n(defun total (xs)\n  (reduce #'+ xs :key #'price))\n", '\n')
      .replace('(defun price', "(defun total (xs)\n  (reduce #'+ xs :key #'price))\n\n(defun price"),
  );
  expect((await unsaved()).results.map((each) => each.text)).toEqual([
    expect.stringContaining('*RATE*'),
    expect.stringContaining('LEFT-ALONE'),
    'ITEM',
    expect.stringContaining('PRINT-OBJECT'),
  ]);
  const rest = await save({ path: 'new/rest.lisp', definitions: true });
  expect(rest.structured).toMatchObject({ created: true, definitions: 4 });
  expect(held('new/rest.lisp')).toBe(
    '(in-package :shop)\n\n(defvar *rate* 3)\n\n(defun left-alone () 1)\n\n(defclass item () ())\n\n(defmethod print-object ((x item) s) 1)\n',
  );
  expect(await unsaved()).toMatchObject({ results: [], total: 0 });
});

it('tells what is defined anew since as unsaved again, and refuses what is not there', async () => {
  await evaluate(client, '(defun shop::price (x) (* 3 x))');
  expect((await unsaved()).results.map((each) => each.text)).toEqual([expect.stringContaining('PRICE')]);
  expect((await save({ path: 'shop.lisp', definitions: ['tottal'] })).text).toMatch(
    /tottal is not an unsaved definition.*PRICE/,
  );
  expect((await save({ path: 'shop.txt', definitions: true })).text).toMatch(/not a Lisp file/);
  expect((await save({ path: 'shop.lisp', definitions: true, content: '' })).text).toMatch(
    /either content or definitions/,
  );
  expect((await save({ path: 'shop.lisp', definitions: true, expected_hash: 'x' })).text).toMatch(
    /^hash_mismatch/,
  );
  expect((await unsaved()).total).toBe(1);
  await save({ path: 'shop.lisp', definitions: true });
  expect((await save({ path: 'shop.lisp', definitions: true })).text).toMatch(
    /no definitions that are not in a file/,
  );
  expect(held('shop.lisp')).toContain('(defun shop::price (x) (* 3 x))');
  expect(await values(client, '(progn (load "shop.lisp") (shop::total (list 1 2)))')).toEqual(['9']);
});

it('is what close_session tells, after a new image too', async () => {
  await evaluate(client, '(defun cl-user::gone () 1)');
  const { structured } = await call<{ sessions: { session: string }[] }>(client, 'images');
  const session = structured.sessions[0]?.session;
  await evaluate(client, '(sb-ext:exit :abort t)');
  expect(await values(client, '(cl-user::gone)')).toEqual(['1']);
  const told = (await call(client, 'close_session', { session })).text;
  expect(told).toMatch(/in no file: [^,]*GONE \(function\)\./);
});

it('is that of the session which is named, a world of ACL2 too', async () => {
  const open = async (engine: string) =>
    (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;
  const [lisp, world] = [await open('sbcl'), await open('acl2')];
  await evaluate(client, '(defun only-there () 1)', { session: lisp });
  await evaluate(client, '(defun app2 (x y) (append x y))', { session: world });
  expect((await save({ session: lisp, path: 'there.lisp', definitions: true })).isError).toBe(false);
  expect(held('there.lisp')).toContain('(defun only-there () 1)');
  expect((await save({ session: world, path: 'app2.lisp', definitions: true })).isError).toBe(false);
  expect(held('app2.lisp')).toContain('(defun app2 (x y) (append x y))');
});

/** Definitions under a changed reader, and an expression that is true of each in a fresh image that loaded the file. */
const READ_DIFFERENTLY: readonly (readonly [state: string, definition: string, right: string])[] = [
  [
    "(setf *read-default-float-format* 'double-float)",
    '(defun floats () (list 0.1 1e3 2.5f0 "0.1"))',
    '(equal (floats) \'(0.1d0 1d3 2.5f0 "0.1"))',
  ],
  [
    '(setf *read-base* 8)',
    '(defun octals () (list 644 -17 10. #xFF 1/10))',
    "(equal (octals) '(420 -15 10 255 1/8))",
  ],
  ['(setf *read-base* 16.)', '(defun hex () (list ff 10 (car (list 1))))', "(equal (hex) '(255 16 1))"],
  ['(setf *read-base* 10.)', '(defpackage :far.away (:use :cl) (:export #:two))', '(find-package :far.away)'],
  [
    '(sb-ext:add-package-local-nickname :fa :far.away)',
    "(defun fa::near () '(fa:two fa::three))",
    "(equal (far.away::near) '(far.away:two far.away::three))",
  ],
  [
    '(setf (readtable-case *readtable*) :invert)',
    "(defun camelCase (&key aKey) (list 'fooBar 'plain 'SHOUT :Key aKey))",
    '(equal (mapcar #\'string (|camelCase|)) \'("fooBar" "PLAIN" "shout" "Key" "NIL"))',
  ],
];

it('writes what was read differently so that the standard reader reads the same', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  const { session } = structured;
  for (const [state, definition] of READ_DIFFERENTLY) {
    await evaluate(client, state, { session });
    await evaluate(client, definition, { session });
  }
  await evaluate(client, '(setf *readtable* (copy-readtable nil))', { session });
  const saved = await save({ path: 'differently.lisp', definitions: true, session });
  expect(saved.isError).toBe(false);
  const fresh = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  const other = { session: fresh.structured.session };
  const loaded = await call(client, 'load', { path: 'differently.lisp', ...other });
  expect(loaded.text).not.toContain('Error');
  for (const [, , right] of READ_DIFFERENTLY)
    expect([right, await values(client, `(and ${right} t)`, other)]).toEqual([right, ['T']]);
});

it('names what only a readtable without a name reads', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  const { session } = structured;
  await evaluate(client, '(set-macro-character #\\{ (lambda (s c) (declare (ignore s c)) 42))', { session });
  await evaluate(client, '(defun braced () {) (defun plain () 1)', { session });
  const { text, structured: saved } = await save({ path: 'braced.lisp', definitions: true, session });
  expect(saved).toMatchObject({ definitions: 1 });
  expect(text).toMatch(/readtable.*BRACED/);
  expect(held('braced.lisp')).not.toContain('braced');
});

it.each(['sbcl', 'nbb'])(
  'writes no definition of %s over one that another session changed, though it never loaded the file',
  async (engine) => {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    const own = { session: structured.session };
    const isLisp = engine === 'sbcl';
    const path = isLisp ? 'price.lisp' : 'price.cljs';
    const define = (value: number) => (isLisp ? `(defun price () ${value})` : `(defn price [] ${value})`);
    const space = isLisp ? '' : '(ns price)\n';
    await evaluate(client, `${space}${define(1)}`, own);
    expect((await save({ path, definitions: true, ...own })).isError).toBe(false);
    const edit = { path, operation: 'replace', form_type: isLisp ? 'defun' : 'defn', form_name: 'price' };
    await call(client, 'edit_form', { ...edit, content: define(2), ...own });
    await evaluate(client, define(3), own);
    // The session has seen its own edit.
    expect((await save({ path, definitions: ['price'], ...own })).isError).toBe(false);
    await evaluate(client, define(5), own);
    const other = await harbor.client('legacy', { profile: 'default' });
    await call(other, 'edit_form', { ...edit, content: define(4) });
    expect((await save({ path, definitions: ['price'], ...own })).text).toMatch(
      /^hash_mismatch: .*newer.*price/,
    );
    expect(held(path)).toContain(define(4));
  },
);

it('says of no definition that it is unsaved when its file has the same text, whoever wrote it', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  const { session } = structured;
  writeFileSync(inProject('same.lisp'), '(defun same () 1)\n');
  await evaluate(client, '(defun same () 1) (defun lost () 2)', { session });
  const { text } = await call(client, 'find', { kind: 'unsaved', query: '', session });
  expect([text.includes('SAME'), text.includes('LOST')]).toEqual([false, true]);
  const { text: closed } = await call(client, 'close_session', { session });
  expect([closed.includes('SAME'), closed.includes('LOST')]).toEqual([false, true]);
});

it('writes no definition over a newer one of the file, unless that is confirmed', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  const own = { session: structured.session };
  writeFileSync(inProject('newer.lisp'), '(defun kept () 1)\n\n(defun both () 0)\n');
  await call(client, 'load', { path: 'newer.lisp', ...own });
  await evaluate(client, '(defun both () 1)', own);
  // Another form has changed: nothing is lost.
  writeFileSync(inProject('newer.lisp'), '(defun kept () 2)\n\n(defun both () 0)\n');
  expect((await save({ path: 'newer.lisp', definitions: ['both'], ...own })).isError).toBe(false);
  expect(held('newer.lisp')).toBe('(defun kept () 2)\n\n(defun both () 1)\n');
  // What the session itself wrote before is no conflict.
  await evaluate(client, '(defun both () 2)', own);
  expect((await save({ path: 'newer.lisp', definitions: ['both'], ...own })).isError).toBe(false);
  await evaluate(client, '(defun both () 3)', own);
  const newer = '(defun kept () 2)\n\n(defun both () :newer)\n';
  writeFileSync(inProject('newer.lisp'), newer);
  const refused = await save({ path: 'newer.lisp', definitions: ['both'], ...own });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/newer.*both/)]);
  expect(held('newer.lisp')).toBe(newer);
  const { hash } = (await call<{ hash: string }>(client, 'read_file', { path: 'newer.lisp' })).structured;
  expect(
    (await save({ path: 'newer.lisp', definitions: ['both'], expected_hash: hash, ...own })).isError,
  ).toBe(false);
  expect(held('newer.lisp')).toContain('(defun both () 3)');
});
