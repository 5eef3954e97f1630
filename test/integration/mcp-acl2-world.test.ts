/** ACL2's world through the tools of a started harbor: described, searched, loaded, lost and built again. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

const books = temporaryFolder('books');
let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  writeFiles(books, { 'lists/top.lisp': '(in-package "ACL2")\n(defun from-the-books (x) x)\n' });
  harbor = await StartedHarbor.start({ args: ['--books', books] });
  client = await harbor.client();
});
afterAll(() => harbor.stop());

async function openAcl2(): Promise<string> {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'acl2' });
  return structured.session;
}

interface View {
  session: string;
  pid: number | null;
  state: string;
}

async function view(session: string): Promise<View | undefined> {
  const { structured } = await call<{ sessions: View[] }>(client, 'images');
  return structured.sessions.find((each) => each.session === session);
}

it('describes names and finds them, in data and in text', async () => {
  const session = await openAcl2();
  await evaluate(client, `${APP} ${ASSOC}`, { session });
  const described = await call(client, 'describe', { symbol: 'app-assoc', session });
  expect(described.structured).toMatchObject({
    definitions: [{ kind: 'theorem', command: 2, rules: [{ rune: '(:REWRITE APP-ASSOC)', enabled: true }] }],
  });
  for (const part of [
    'theorem APP-ASSOC · command 2',
    '(EQUAL (APP (APP X Y) Z)',
    'rules: (:REWRITE APP-ASSOC)',
  ])
    expect(described.text).toContain(part);
  const found = await call(client, 'find', { query: 'app', kind: 'caller', session });
  expect(found.text).toMatch(/^calls APP \(X Y\) · command 1\ncalls APP-ASSOC · command 2$/);
  const theorems = await call(client, 'find', {
    query: 'app',
    kind: 'apropos',
    only: ['theorem'],
    limit: 1,
    session,
  });
  expect(theorems.structured).toMatchObject({ results: [{ text: 'APP-ASSOC' }] });
  const expanded = await call(client, 'describe', { form: '(cond (a b))', session });
  expect(expanded.structured).toMatchObject({ expansion: '(IF A B NIL)' });
  expect((await call(client, 'describe', { symbol: 'app', disassemble: true, session })).text).toMatch(
    /^not_supported/,
  );
});

it('loads files and books, tells what fails with its line, and begins anew', async () => {
  const session = await openAcl2();
  writeFiles(harbor.project, {
    'good.lisp': `${APP}\n\n${ASSOC}\n`,
    'bad.lisp': '(defun f (x) x)\n\n(defthm wrong\n  (equal (f x) 3))\n',
    'book.lisp': `(in-package "ACL2")\n${APP}\n`,
  });
  const loaded = await call(client, 'load', { path: 'good.lisp', session });
  expect([loaded.isError, loaded.text]).toEqual([
    false,
    expect.stringMatching(/^good\.lisp:3 DEFTHM APP-ASSOC: admitted/m),
  ]);
  const failed = await call(client, 'load', { path: 'bad.lisp', session });
  expect([failed.isError, failed.text]).toEqual([
    true,
    expect.stringMatching(/^bad\.lisp:3 DEFTHM WRONG: failed/m),
  ]);
  const book = await call(client, 'load', { path: 'book', session });
  expect([book.isError, book.text]).toEqual([false, expect.stringContaining('uncertified-book')]);
  expect((await call(client, 'load', { path: 'none', session })).text).toMatch(/^file_missing/);

  await call(client, 'load', { system: 'lists/top', session });
  const again = await call(client, 'load', { session });
  expect(again.isError).toBe(false);
  expect((await evaluate(client, '(from-the-books 3)', { session })).structured.values).toEqual(['3']);
  expect((await evaluate(client, '(app nil 3)', { session })).isError).toBe(true);
  expect((await call(client, 'run_tests', { path: 'book.lisp', session })).text).toContain('1 passed');
  expect((await call(client, 'run_tests', { system: 'good', session })).text).toMatch(/^not_supported/);
});

it('is back after kill -9, what was loaded included, and says how', async () => {
  const session = await openAcl2();
  writeFiles(harbor.project, { 'lost.lisp': `${APP}\n` });
  await call(client, 'load', { path: 'lost.lisp', session });
  await evaluate(client, `${ASSOC} (thm (equal x x)) (app nil nil)`, { session });
  writeFiles(harbor.project, { 'lost.lisp': '(defun other (x) x)\n' });
  process.kill((await view(session))?.pid ?? Number.NaN, 'SIGKILL');
  await expect.poll(async () => (await view(session))?.state, PATIENT).toBe('lost');
  const { structured, text } = await evaluate(client, '(app nil 3)', { session });
  expect(structured.values).toEqual(['3']);
  expect(text).toContain('2 forms of the history, evaluated again');
  expect(text).toContain('Proofs were repeated; none was skipped.');
  const { structured: described } = await call(client, 'describe', { symbol: 'app', session });
  expect(described).toMatchObject({ definitions: [{ command: 1, source: { path: 'lost.lisp' } }] });
});

it('names what no file holds when the session is closed', async () => {
  const session = await openAcl2();
  const own = '(defun twice (x) (cons x x)) (defthm car-of-twice (equal (car (twice x)) x))';
  await evaluate(client, own, { session });
  expect((await call(client, 'close_session', { session })).text).toContain(
    'TWICE (function), CAR-OF-TWICE (theorem)',
  );
});

it('opens a second session with the same world', async () => {
  const session = await openAcl2();
  await evaluate(client, `${APP} ${ASSOC}`, { session });
  const branched = await call<{ session: string }>(client, 'checkpoint', {
    action: 'branch',
    replay: true,
    session,
  });
  const { structured } = await evaluate(client, '(app nil 3)', { session: branched.structured.session });
  expect(structured.values).toEqual(['3']);
});
