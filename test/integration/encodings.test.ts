/** Files that no editor of ours wrote, in a real harbor: byte order marks, coding lines, Latin-1, carriage returns. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { system } from './loading-fixture';

const MARK = '\uFEFF';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const place = (file: string) => path.join(harbor.project, file);
const put = (file: string, text: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
  writeFileSync(place(file), Buffer.from(text, encoding));
const load = (args: Record<string, unknown>) =>
  call<{ outcome: string; notes: { kind: string }[] }>(client, 'load', args);
const codes = (form: string) => values(client, `(map 'list #'char-code ${form})`);

it('skips a byte order mark in code, in a file, in a system and in its definition', async () => {
  put('marked.lisp', `${MARK}(defun marked () 1)\n`);
  put('marks.asd', `${MARK}${system('marks', '(:file "in-system")')}`);
  put('in-system.lisp', `${MARK}(defun in-system () 2)\n`);
  expect((await load({ path: 'marked.lisp' })).structured.outcome).toBe('ok');
  expect((await load({ system: 'marks' })).structured.outcome).toBe('ok');
  expect(await values(client, `${MARK}(list (marked) (in-system) (load "marked.lisp"))`)).toEqual([
    '(1 2 T)',
  ]);
  // In the middle of a name it is a character as any other.
  expect(await values(client, `(length (symbol-name '|a${MARK}b|))`)).toEqual(['3']);
});

it.each([
  ['clojure', 'marked.clj', '(ns marked)\n(defn f [] 1)\n', '(marked/f)'],
  ['nbb', 'marked.cljs', '(ns marked)\n(defn f [] 1)\n', '(marked/f)'],
  ['acl2', 'marks.lsp', '(in-package "ACL2")\n(defun f () 1)\n', '(f)'],
])('skips a byte order mark in %s', async (engine, file, text, form) => {
  put(file, MARK + text);
  const opened = await call<{ session: string }>(client, 'open_session', { engine });
  const { session } = opened.structured;
  expect((await load({ path: file, session })).structured.outcome).toBe('ok');
  expect(await values(client, MARK + form, { session })).toEqual(['1']);
  await call(client, 'close_session', { session });
});

it('loads a file in the encoding of its coding line, by itself and in a system', async () => {
  put('latin.lisp', ';;; -*- Mode: Lisp; coding: iso-8859-1-unix; -*-\n(defun latin () "é")\n', 'latin1');
  put('russian.lisp', ';; -*- coding: koi8-r -*-\n(defun russian () "\xc1")\n', 'latin1');
  put('odd.asd', system('odd', '(:file "latin") (:file "russian")'));
  expect((await load({ path: 'latin.lisp' })).structured.notes).toEqual([]);
  expect(await codes('(latin)')).toEqual(['(233)']);
  await load({ system: 'odd' });
  expect(await codes("(concatenate 'string (latin) (russian))")).toEqual(['(233 1072)']);
  await call(client, 'edit_form', {
    ...{ path: 'latin.lisp', operation: 'replace', form_type: 'defun', form_name: 'latin' },
    content: '(defun latin () "êé")',
  });
  expect(readFileSync(place('latin.lisp'), 'latin1')).toContain('"êé"');
  await load({ path: 'latin.lisp' });
  expect(await codes('(latin)')).toEqual(['(234 233)']);
});

it('writes a text in the encoding that it declares, and keeps it', async () => {
  const text = ';;; -*- coding: latin-1 -*-\n(defun declared () "a")\n';
  await call(client, 'write_file', { path: 'declared.lisp', content: text.replace('"a"', '"Ã©"') });
  expect(readFileSync(place('declared.lisp'), 'latin1')).toContain('"Ã©"');
  await load({ path: 'declared.lisp' });
  expect(await codes('(declared)')).toEqual(['(195 169)']);
  const refused = await call(client, 'write_file', {
    path: 'refused.lisp',
    content: text.replace('"a"', '"€"'),
  });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('€')]);
});

it('says which file it reads as Latin-1 without a coding line, and none else', async () => {
  put('unsaid.lisp', '(defun unsaid () "é")\n', 'latin1');
  const loaded = await load({ path: 'unsaid.lisp' });
  expect(loaded.structured.outcome).toBe('ok');
  expect(loaded.text).toContain('unsaid.lisp is not UTF-8');
  expect(await codes('(unsaid)')).toEqual(['(233)']);
  put('plain.lisp', '(defun plain () "é€")\n');
  expect((await load({ path: 'plain.lisp' })).structured.notes).toEqual([]);
  expect(await codes('(plain)')).toEqual(['(233 8364)']);
});

it('shows the changed lines of a file with carriage returns as lines', async () => {
  put('returns.lisp', '(defun returns ()\r\n  1)\r\n');
  const { text } = await call(client, 'edit_form', {
    ...{ path: 'returns.lisp', operation: 'patch', form_type: 'defun', form_name: 'returns' },
    ...{ old_text: '  1', new_text: '  2\n  3' },
  });
  expect(text.split('\n').slice(0, 3)).toEqual(['-  1)', '+  2', '+  3)']);
  expect(readFileSync(place('returns.lisp'), 'utf8')).toBe('(defun returns ()\r\n  2\r\n  3)\r\n');
});

it('finds a qualified name by what it means: local nicknames, imports, exports', async () => {
  put(
    'names.lisp',
    `(defpackage :long.name (:use :cl) (:export #:made))
(defpackage :user.of (:use :cl) (:local-nicknames (:ln :long.name)))
(defpackage :importer (:use :cl) (:import-from :long.name #:made))
(defpackage :stranger (:use :cl))
(in-package :long.name)
(defun made () 1)
(in-package :user.of)
(list (ln:made))
(defun ln::other () 2)
(in-package :importer)
(list (made))
(in-package :stranger)
(sb-ext:add-package-local-nickname :late :long.name)
(list (made) (late:made))
(defun other () 3)
`,
  );
  const lines = async (query: string, kind: string) => {
    const found = await call<{ results: { source: { line: number } }[] }>(client, 'find', {
      ...{ query, kind, path: 'names.lisp' },
    });
    return found.structured.results.map(({ source }) => source.line);
  };
  expect(await lines('long.name:made', 'reference')).toEqual([8, 11, 14]);
  expect(await lines('ln:made', 'definition')).toEqual([6]);
  expect(await lines('stranger::made', 'reference')).toEqual([14]);
  expect(await lines('long.name::other', 'definition')).toEqual([9]);
  expect(await lines('other', 'definition')).toEqual([9, 15]);
});
