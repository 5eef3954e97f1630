/** What `load`, `run_tests` and `eval` say of the way on where one is known, in one line, through a started harbor. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { system, writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;

const FILES = {
  'shop.asd': `${system('shop', '(:file "shop")')}
${system('shop/tests', '', ':depends-on ("shop")')}
${system('shop/lost', '', ':depends-on ("nowhere")')}`,
  'shop.lisp': '(defun price (n) (* 2 n))\n',
  'locked.lisp': '(defun alexandria:flatten (tree) (list tree))\n',
  'homeless.lisp': '(in-package :nowhere-at-all)\n(defun f () 1)\n',
  'reading.lisp': '(defun f () (nowhere-at-all:g 1))\n',
  'own.lisp': '(defun car (x) x)\n',
  'structures.lisp': '(defstruct crate a b)\n',
};

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
  writeFiles(harbor.project, FILES);
});
afterAll(() => harbor.stop());

const failing = async (tool: string, args: Record<string, unknown>): Promise<string> => {
  const { isError, text } = await call(client, tool, args);
  expect(isError, text).toBe(true);
  expect(text.length, text).toBeLessThan(900);
  expect(text).not.toMatch(/LISP-HARBOR:|caught ERROR/);
  return text;
};

it('a package that is locked because its library is loaded is loaded fresh', async () => {
  await call(client, 'load', { system: 'alexandria' });
  expect(await failing('load', { path: 'locked.lisp' })).toContain(
    'Package ALEXANDRIA is locked because its library is loaded: use `load` with fresh: true',
  );
  expect(await failing('load', { path: 'own.lisp' })).toContain('Package COMMON-LISP belongs to the Lisp');
});

it('a structure or a constant that has another definition is changed by a restart, or is new in a new image', async () => {
  const { session } = (await call<{ session: string }>(client, 'open_session')).structured;
  await call(client, 'eval', { session, code: '(defstruct crate a) (defconstant +most+ 1)' });
  const way =
    'offers the restart CONTINUE, which takes the new definition. `load` without arguments starts a new image.';
  const structure = { session, code: '(defstruct crate a b)' };
  expect(await failing('eval', structure)).toContain(
    `This image has structure CRATE with other slots. \`eval\` with on_error: "debug" ${way}`,
  );
  expect(await failing('eval', { session, code: '(defconstant +most+ 2)' })).toContain(
    `This image has constant +MOST+ with another value. \`eval\` with on_error: "debug" ${way}`,
  );
  expect(await failing('load', { session, path: 'structures.lisp' })).toContain(
    'This image has structure CRATE with other slots. `load` with fresh: true loads into a new image.',
  );
  const held = await call(client, 'eval', { ...structure, on_error: 'debug' });
  expect(held.text).not.toContain('This image has');
  expect((await call(client, 'debug', { session, action: 'abort' })).text).not.toContain('This image has');
  await call(client, 'eval', { ...structure, on_error: 'debug' });
  const taken = await call(client, 'debug', { session, action: 'restart', restart: 'CONTINUE' });
  expect(taken).toMatchObject({ isError: false, structured: { evaluation: { outcome: 'ok' } } });
  const again = await call(client, 'load', { session, path: 'structures.lisp', fresh: true });
  expect(again.isError, again.text).toBe(false);
});

it('of a system that is missing the project’s are told, and those of the machine that are called like it', async () => {
  expect(await failing('load', { system: 'shop/tsts' })).toMatch(/There is no system shop\/tsts\..* shop/);
  expect(await failing('load', { system: 'alexandrai' })).toMatch(/Near: .*alexandria/);
  expect(await failing('load', { system: 'shop/lost' })).toMatch(/There is no system nowhere\./);
});

it('of a package that is missing it is said to be loaded first', async () => {
  for (const path of ['homeless.lisp', 'reading.lisp'])
    expect(await failing('load', { path })).toContain('Load the system that defines package NOWHERE-AT-ALL');
});

it('where there are no tests the systems are told that may have some', async () => {
  const session = (await call<{ session: string }>(client, 'open_session')).structured.session;
  expect(await failing('run_tests', { session })).toContain('In the project there are: shop.');
  const { text } = await call(client, 'run_tests', { session, system: 'shop' });
  expect(text).toMatch(
    /shop has no tests of a framework that is known here.*Systems of tests: shop\/tests\./,
  );
});

it('another Common Lisp says the same of what is missing', async () => {
  const opened = await call<{ session: string }>(client, 'open_session', { engine: 'ecl' });
  const { session } = opened.structured;
  const missing = await call(client, 'load', { session, system: 'shpo' });
  expect(missing.text).toContain('There is no system shpo. In the project there are: shop.');
  const homeless = await call(client, 'load', { session, path: 'homeless.lisp' });
  expect(homeless.text).toContain('Load the system that defines package NOWHERE-AT-ALL');
});
