/** What agents are told of the way on where ACL2's world, or its files, are not what they take them for. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { type Files, writeFiles } from './loading-fixture';

const FRESH = '`load` with fresh: true';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

async function open() {
  const { session } = (await call<{ session: string }>(client, 'open_session', { engine: 'acl2' }))
    .structured;
  const tell = (tool: string, args: object) => call(client, tool, { ...args, session });
  return { load: (args: object) => tell('load', args), run: (code: string) => tell('eval', { code }), tell };
}

const book = (...forms: string[]): string => ['(in-package "ACL2")', ...forms, ''].join('\n');
const write = (files: Files) => writeFiles(harbor.project, files);

describe('a name that is in use', () => {
  it('from an earlier load is loaded fresh, or taken back', async () => {
    const { load } = await open();
    write({ 'changing.lisp': book('(defun changing (x) x)') });
    await load({ path: 'changing.lisp' });
    write({ 'changing.lisp': book('(defun changing (x) (list x))') });
    const refused = await load({ path: 'changing.lisp' });
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining(
        `This world already has CHANGING: ${FRESH} loads into a new one, or :ubt CHANGING undoes`,
      ),
    ]);
    expect((await load({ path: 'changing.lisp', fresh: true })).isError).toBe(false);
  });

  it('from an evaluation is taken back', async () => {
    const { run } = await open();
    await run('(defthm there (equal x x) :rule-classes nil)');
    const { text } = await run('(defthm there (equal (car (cons x y)) x))');
    expect(text).toContain('This world already has THERE: :ubt THERE undoes');
    expect(text).not.toContain(FRESH);
    expect((await run(':ubt there (defthm there (equal (car (cons x y)) x))')).isError).toBe(false);
  });

  it.each([
    ['twice in the file itself', { 'twice.lisp': book('(defun twice (x) x)', '(defun twice (x) (list x))') }],
    [
      'in a book that the file includes',
      {
        'low.lisp': book('(defun twice (x) x)'),
        'twice.lisp': book('(include-book "low")', '(defun twice (x) (list x))'),
      },
    ],
    ['in ACL2 itself', { 'twice.lisp': book('(defun binary-append (x) x)') }],
  ])('%s has no such way', async (_what, files: Files) => {
    const { load } = await open();
    write(files);
    const { isError, text } = await load({ path: 'twice.lisp' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/in\s+use/)]);
    expect(text).not.toContain('already has');
  });
});

describe('a package that is not there', () => {
  const WAY = 'Package MINE is defined by a DEFPKG';

  it.each([
    ['of a book’s IN-PACKAGE', 'load', { path: 'mine.lisp' }],
    ['in a form of a file', 'load', { path: 'uses.lisp' }],
    ['of a book that is certified', 'run_tests', { path: 'mine.lisp' }],
    ['in a book that is certified', 'run_tests', { path: 'uses.lisp' }],
    ['of a book that is checked', 'run_tests', { path: 'mine.lisp', framework: 'final-check' }],
    ['of a book that is included', 'eval', { code: '(include-book "mine")' }],
    ['in a form', 'eval', { code: '(mine::f 3)' }],
    ['of IN-PACKAGE', 'eval', { code: '(in-package "MINE")' }],
    ['to evaluate in', 'eval', { code: '(+ 1 2)', package: 'MINE' }],
  ])('%s is told with where it is defined', async (_what, tool, args) => {
    const { tell } = await open();
    write({
      'mine.lisp': '(in-package "MINE")\n(defun f (x) x)\n',
      'uses.lisp': book('(defun g (x) (mine::f x))'),
    });
    const { isError, text } = await tell(tool, args);
    expect([isError, text]).toEqual([true, expect.stringContaining(WAY)]);
    expect(text).toContain('shop.acl2 or cert.acl2');
  });
});

it('a book that is in the world and has changed since is not told as redundant alone', async () => {
  const { load, run } = await open();
  write({ 'inner.lisp': book('(defun inner (x) x)'), 'outer.lisp': book('(include-book "inner")') });
  await load({ path: 'outer' });
  expect((await load({ path: 'outer' })).text).not.toContain('changed since');
  write({ 'inner.lisp': book('(defun inner (x) (list x))') });
  for (const { text } of [await load({ path: 'outer' }), await run('(include-book "inner")')]) {
    expect(text).toMatch(/redundant/);
    expect(text).toMatch(new RegExp(`changed since they were included: \\S*inner\\.lisp\\. ${FRESH}`));
  }
  const { text } = await load({ path: 'outer', fresh: true });
  expect(text).not.toContain('changed since');
  expect((await run('(inner 1)')).text).toContain('(1)');
});
