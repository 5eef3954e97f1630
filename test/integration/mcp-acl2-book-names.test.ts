/** A book is named with or without `.lisp`, wherever one is taken. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let plain: Client;
let prover: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  plain = await harbor.client();
  prover = await harbor.client('legacy', { profile: 'acl2' });
  writeFiles(harbor.project, {
    'sub/app.lisp':
      '(in-package "ACL2")\n(defun app (x y) (append x y))\n(defthm app-is-append (equal (app x y) (append x y)))\n',
  });
});
afterAll(() => harbor.stop());

const NAMES = ['sub/app', 'sub/app.lisp'];

const TAKING: [string, (path: string) => object][] = [
  ['load', (path) => ({ path })],
  ['run_tests', (path) => ({ path })],
  ['run_tests', (path) => ({ path, framework: 'final-check' })],
  ['run_tests', (path) => ({ path, framework: 'final-check', test: 'app-is-append' })],
];

it.each(sampled('tools that take a book', TAKING, 2))('by %s', async (tool, args) => {
  for (const name of NAMES) {
    const { session } = (await call<{ session: string }>(plain, 'open_session', { engine: 'acl2' }))
      .structured;
    const { isError, text } = await call(plain, tool, { ...args(name), session });
    expect([name, isError, text]).toEqual([name, false, expect.stringMatching(/app/i)]);
  }
});

it('of the system by load, whether the community books are installed or not', async () => {
  const results: boolean[] = [];
  for (const system of ['arithmetic/top', 'arithmetic/top.lisp']) {
    const { session } = (await call<{ session: string }>(plain, 'open_session', { engine: 'acl2' }))
      .structured;
    const { isError, text } = await call(plain, 'load', { system, session });
    expect(text).toContain('arithmetic/top');
    results.push(isError);
  }
  expect(results[0]).toBe(results[1]);
});

const PROVER_TAKING: [string, object][] = [
  ['acl2_include_book', {}],
  ['acl2_certify_book', {}],
  ['final_check', {}],
  ['final_check', { claim: 'app-is-append' }],
];

it.each(sampled('prover tools that take a book', PROVER_TAKING, 2))(
  'by %s of the prover’s profile',
  async (tool, args) => {
    for (const book_path of NAMES) {
      const { isError, text } = await call(prover, tool, { ...args, book_path });
      expect([book_path, isError, text]).toEqual([book_path, false, expect.stringMatching(/app/i)]);
    }
  },
);

it('by a name that is not there it is said to be a file that is not', async () => {
  const { session } = (await call<{ session: string }>(plain, 'open_session', { engine: 'acl2' })).structured;
  for (const path of ['sub/ap', 'sub/ap.lisp'])
    expect((await call(plain, 'run_tests', { path, framework: 'final-check', session })).text).toMatch(
      /^file_missing: sub\/ap\.lisp .* app\.lisp/,
    );
});
