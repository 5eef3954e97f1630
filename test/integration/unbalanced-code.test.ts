/** Code that does not end is refused before any of it runs, unless the session may read it otherwise than the standard says. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const opened = async (engine: string) =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

const rows = async (session: string) =>
  (await call<{ rows: unknown[] }>(client, 'history', { session })).structured.rows;

const UNBALANCED = [
  ['(list 1', 'The ( at line 2, column 1 is not closed. Likely fix: add `)` at the end of line 2.'],
  ['(list 1))', 'The ) at line 2, column 9 closes nothing. Likely fix: remove the `)` at line 2, column 9.'],
  ['(list "a)', 'The string at line 2, column 7 is not ended. Likely fix: add `"` at line 2, column 9.'],
] as const;

describe.each([
  ['sbcl', '(defvar *begun* t)'],
  ['ecl', '(defvar *begun* t)'],
  ['acl2', '(defun begun () t)'],
  ['nbb', '(def begun true)'],
])('in %s', (engine, definition) => {
  it.each(sampled(`unbalanced in ${engine}`, UNBALANCED, 1))(
    '%s is refused, and nothing before it runs',
    async (code, message) => {
      const session = await opened(engine);
      const { text, isError } = await evaluate(client, `${definition}\n${code}`, { session });
      expect({ text, isError }).toEqual({
        text: `unbalanced_code: ${message} Nothing was evaluated.`,
        isError: true,
      });
      expect(await rows(session)).toEqual([]);
      await call(client, 'close_session', { session });
    },
  );
});

it('is refused at a debugger level and where a value is inspected as well', async () => {
  await evaluate(client, '(defun halve (x) (/ x 2)) (halve :a)', { on_error: 'debug' });
  const refused = /^unbalanced_code: The \( at line 1, column 1 is not closed/;
  expect((await call(client, 'debug', { action: 'eval', code: '(list x' })).text).toMatch(refused);
  expect((await call(client, 'inspect', { code: '(list 1' })).text).toMatch(refused);
  await call(client, 'debug', { action: 'abort' });
});

describe.each(['sbcl', 'ecl'])('a session of %s whose readtable is its own', (engine) => {
  it('reads by it, and again by the standard when that is back', async () => {
    const session = await opened(engine);
    const own = `(progn (setf *readtable* (copy-readtable))
      (set-macro-character #\\| (lambda (stream char) (read-line stream) (values))))`;
    await evaluate(client, own, { session });
    expect(await values(client, '(list 1 | (and so on\n 2)', { session })).toEqual(['(1 2)']);
    await evaluate(client, '(setf *readtable* (copy-readtable nil))', { session });
    const { text } = await evaluate(client, '(list 1 | (and so on\n 2)', { session });
    expect(text).toMatch(/^unbalanced_code: /);
  });
});

const OPEN = `(FIRST area [r]\n  (list r r)\n\n(FIRST around [r]\n  (list r))\n`;
const lisp = OPEN.replaceAll('FIRST', 'defun').replaceAll('[r]', '(r)');
const clojure = OPEN.replaceAll('FIRST', 'defn');
/** After a line that is whole. */
const AT = 'The ( at line 2, column 1 is not closed. Likely fix: add `)` at the end of line 3.';

describe.each([
  ['sbcl', 'open.lisp', `(defvar *begun* t)\n${lisp}`],
  ['ecl', 'open.lisp', `(defvar *begun* t)\n${lisp}`],
  ['acl2', 'open.lisp', `(in-package "ACL2")\n${lisp}`],
  ['clojure', 'open.clj', `(ns open)\n${clojure}`],
  ['nbb', 'open.cljs', `(ns open)\n${clojure}`],
])('a file in %s', (engine, file, text) => {
  it('is refused before any of it is loaded or tested', async () => {
    writeFiles(harbor.project, { [file]: text });
    const session = await opened(engine);
    for (const tool of ['load', 'run_tests']) {
      const { text: told, isError } = await call(client, tool, { session, path: file });
      const refused = `unbalanced_code: ${file}: ${AT} Nothing of it was loaded.`;
      expect({ told, isError }).toEqual({ told: refused, isError: true });
    }
    expect(await rows(session)).toEqual([]);
    await call(client, 'close_session', { session });
  });
});

it('a book in ACL2 is refused as the file that it is', async () => {
  writeFiles(harbor.project, { 'open.lisp': `(in-package "ACL2")\n${lisp}` });
  const session = await opened('acl2');
  const { text } = await call(client, 'load', { session, path: 'open' });
  expect(text).toBe(`unbalanced_code: open.lisp: ${AT} Nothing of it was loaded.`);
});

it('a file with syntax of its own is left to its engine', async () => {
  const own = `(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable))
  (set-macro-character #\\! (lambda (stream char) (read-line stream) (values))))
! (and so on
(defvar *own* 1)`;
  writeFiles(harbor.project, { 'own.lisp': own });
  const session = await opened('sbcl');
  await call(client, 'load', { session, path: 'own.lisp' });
  expect(await values(client, '*own*', { session })).toEqual(['1']);
});

describe('what the engine read alone', () => {
  it.each([
    [
      'sbcl',
      'half',
      {
        'half.asd': '(defsystem "half" :components ((:file "whole") (:file "shut")))',
        'whole.lisp': '(defun whole () 1)',
        'shut.lisp': `(defvar *begun* t)\n${lisp}`,
      },
      'shut.lisp',
    ],
    [
      'clojure',
      'uses',
      {
        'src/uses.clj': '(ns uses (:require [shut]))',
        'src/shut.clj': `(ns shut)\n${clojure}`,
        'deps.edn': '{}',
      },
      'src/shut.clj',
    ],
    [
      'nbb',
      'usesjs',
      { 'src/usesjs.cljs': '(ns usesjs (:require [shut]))', 'src/shut.cljs': `(ns shut)\n${clojure}` },
      'src/shut.cljs',
    ],
  ])('is looked at where it did not load: %s', async (engine, system, files, file) => {
    writeFiles(harbor.project, files);
    const session = await opened(engine);
    const { text, isError } = await call(client, 'load', { session, system });
    expect(isError).toBe(true);
    expect(text).toContain(`\n; note: ${file}: ${AT}`);
    await call(client, 'close_session', { session });
  });
});
