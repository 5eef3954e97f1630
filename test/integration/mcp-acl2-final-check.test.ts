/** Final checks as agents have them: of a session and of books, in the profile `acl2` and in the default one. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FinalCheck } from '../../electron/contract/proof';
import { type CallResult, call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { writeFiles } from './loading-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

type Checked = CallResult<{
  id: number;
  session: string;
  outcome: string;
  report?: { finalCheck?: FinalCheck };
}>;

let harbor: StartedHarbor;
let client: Client;
let plain: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client('legacy', { profile: 'acl2' });
  plain = await harbor.client();
});
afterAll(() => harbor.stop());

async function session(code: string): Promise<string> {
  const { structured } = await call<{ session: string }>(client, 'start_acl2_session', {});
  const { session: session_id } = structured;
  const { isError, text } = await call(client, 'acl2_evaluate', { code, session_id });
  expect([isError, text]).toEqual([false, expect.anything()]);
  return session_id;
}

function check(args: Record<string, unknown>): Promise<Checked> {
  return call(client, 'final_check', args);
}

it('a session is rebuilt from its commands, and the history keeps the report', async () => {
  const session_id = await session(
    `(defpkg "OWN" '(defthm equal)) ${APP} ${ASSOC} (in-package "OWN") (defthm x-is-x (equal (acl2::app x y) (acl2::app x y)) :rule-classes acl2::nil)`,
  );
  const passed = await check({ claim: 'x-is-x', session_id });
  expect(passed.text).toMatch(
    /^The theorem OWN::X-IS-X of lisp-harbor-session holds, rebuilt from sources\./,
  );
  expect([passed.isError, passed.text]).toEqual([
    false,
    expect.stringContaining('    (EQUAL (APP OWN::X OWN::Y)\n           (APP OWN::X OWN::Y))'),
  ]);
  const { id, report } = passed.structured;
  expect(report?.finalCheck?.files.map(({ file, text }) => [file, typeof text])).toEqual([
    ['lisp-harbor-session.lisp', 'string'],
    ['lisp-harbor-session.acl2', 'string'],
  ]);
  const kept = await call(plain, 'history', { id });
  for (const part of [
    'To repeat it',
    '(certify-book "lisp-harbor-session" ? nil',
    'Text of lisp-harbor-session.lisp',
  ])
    expect(kept.text).toContain(part);
});

it('of a session whose claim rests on what no book may hold nothing is told as proved', async () => {
  const skipped = await session(`${APP} (skip-proofs (defthm wrong (equal (app x y) (app y x))))`);
  const answer = await check({ claim: 'wrong', session_id: skipped });
  expect([answer.isError, answer.text]).toEqual([
    true,
    expect.stringMatching(
      /The session does not hold: [\s\S]*This skips\s+proofs[\s\S]*\(SKIP-PROOFS \(DEFTHM WRONG/,
    ),
  ]);
  expect(answer.text).not.toContain('INSIDE-SKIP-PROOFS');
  const unknown = await check({ claim: 'nowhere', session_id: skipped });
  expect(unknown.text).toMatch(/^unknown_symbol/);
  const function_ = await check({ claim: 'app', session_id: skipped });
  expect(function_.text).toMatch(/APP is not a theorem|app is not a theorem/);
});

it('what an agent says of the session’s own trust stays as it was', async () => {
  const session_id = await session('(skip-proofs (defthm wrong (equal (car x) x) :rule-classes nil))');
  writeFiles(harbor.project, { 'app.lisp': `(in-package "ACL2")\n${APP}\n${ASSOC}\n` });
  const checked = await check({ book_path: 'app', session_id });
  expect([checked.isError, checked.text]).toEqual([false, expect.stringContaining('Only ACL2 is trusted.')]);
  const { text } = await call(client, 'admit', { code: '(deflabel here)', session_id });
  expect(text).toContain('skip-proofs');
});

it('the books that a session has included are its own, and it can be clean by them', async () => {
  const { structured } = await call<{ session: string }>(plain, 'open_session', { engine: 'acl2' });
  const named = { session: structured.session };
  writeFiles(harbor.project, {
    'lists/app.lisp': `(in-package "ACL2")\n${APP}\n`,
    'lists/assoc.lisp': `(in-package "ACL2")\n(include-book "app")\n${ASSOC}\n`,
  });
  const included = await call(plain, 'eval', {
    code: `(include-book "${harbor.project}/lists/assoc")`,
    ...named,
  });
  expect(included.text).toContain('uncertified-book');
  await call(plain, 'eval', {
    code: '(defthm claim (equal (app (app a b) (app c d)) (app a (app b (app c d)))))',
    ...named,
  });
  const answer: Checked = await call(plain, 'run_tests', {
    framework: 'final-check',
    test: 'claim',
    ...named,
  });
  expect([answer.isError, answer.text]).toEqual([false, expect.stringContaining('Only ACL2 is trusted.')]);
  expect(answer.structured.report?.finalCheck?.files.map(({ file }) => file)).toEqual([
    'lisp-harbor-session.lisp',
    'lists/assoc.lisp',
    'lists/app.lisp',
  ]);
});

it('a definition that the sources have otherwise than the session is told by its name, and nothing holds', async () => {
  const book = (body: string) =>
    `(in-package "ACL2")\n(defun twice (x) ${body})\n(in-theory (disable twice))\n`;
  writeFiles(harbor.project, { 'numbers.lisp': book('(+ x x)') });
  const session_id = await session(
    `(include-book "${harbor.project}/numbers") (defthm same (equal (twice x) (twice x)) :rule-classes nil)`,
  );
  expect((await check({ claim: 'same', session_id })).text).toMatch(/^The theorem SAME .* holds/);
  writeFiles(harbor.project, { 'numbers.lisp': book('(* x x)') });
  const changed =
    'In the session, TWICE differs from the definition in its sources: (EQUAL (TWICE X) (BINARY-+ X X)); rebuilt: (EQUAL (TWICE X) (BINARY-* X X)).';
  for (const claim of ['same', undefined]) {
    const { isError, text } = await check({ session_id, ...(claim ? { claim } : {}) });
    expect([isError, text]).toEqual([true, expect.stringContaining(changed)]);
  }
});

it('what is LOCAL in a session is told as no part of what was rebuilt, and what is only constrained is told with what of', async () => {
  const session_id = await session(
    `(local (defthm kept-here (equal (car (cons x y)) x) :rule-classes nil)) (defun small (x) (natp x)) (encapsulate (((tiny *) => *)) (local (defun tiny (x) (declare (ignore x)) 1)) (defthm tiny-is-small (small (tiny x)))) (defthm claim (natp (tiny x)) :hints (("Goal" :use tiny-is-small)))`,
  );
  const all = await check({ session_id });
  expect([all.isError, all.text]).toEqual([false, expect.stringMatching(/^; .*LOCAL.*: KEPT-HERE\./m)]);
  const one = await check({ session_id, claim: 'claim' });
  expect(one.structured.report?.finalCheck?.functions.map(({ name }) => name)).toEqual(['TINY', 'SMALL']);
});

it('other engines have none, and say so', async () => {
  const answer = await call(plain, 'run_tests', { framework: 'final-check' });
  expect([answer.isError, answer.text]).toEqual([true, expect.stringMatching(/final-check|does not offer/)]);
});

it('in a session of another engine is refused with what it has, and that another session may do it', async () => {
  const { isError, text } = await call(plain, 'run_tests', { framework: 'final-check', test: 'app-assoc' });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(
      /final-check is not a test framework of \w+-\w+, a session of (?!acl2)\w+\. .*name that one/,
    ),
  ]);
});
