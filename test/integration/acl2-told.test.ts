/** What an agent is told of a prover's odd moments: what waits, what was skipped, replaced, disabled or watched. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const CAR_APP = '(defthm car-app (implies (consp x) (equal (car (app x y)) (car x))))';
const CASE = '(thm (implies (consp a) (equal (car (app a c)) (car a))))';
const FIB = '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});
afterAll(() => harbor.stop());

/** A client with a session of its own. */
async function prover(): Promise<{ client: Client; tell: (name: string, args: object) => Promise<string> }> {
  const client = await harbor.client('legacy', { profile: 'acl2' });
  return { client, tell: async (name, args) => (await call(client, name, { ...args })).text };
}

it('what waits for its turn says that it is queued, and is an answer of the prover in the end', async () => {
  const { client, tell } = await prover();
  await tell('admit', { code: FIB });
  const running = await tell('acl2_evaluate', { code: '(fib 70)', timeout: 0.1 });
  const [, first] = /running as (job-\d+)/.exec(running) ?? [];
  for (const [tool, args] of [
    ['admit', { code: APP }],
    ['check_theorem', { code: '(equal x x)' }],
    ['query_event', { name: 'fib' }],
  ] as const)
    expect(await tell(tool, args)).toMatch(new RegExp(`; queued as job-\\d+ behind ${first} `));
  await tell('job', { job: first, action: 'cancel' });
  await expect
    .poll(async () => (await call(client, 'query_event', { name: 'app' })).isError, PATIENT)
    .toBe(false);
});

it('an error has no level of any debugger', async () => {
  const { client, tell } = await prover();
  const failed = await call(client, 'acl2_evaluate', { code: '(car 7)' });
  expect(failed.text).not.toMatch(/level/);
  expect(JSON.stringify(failed.structured)).not.toMatch(/level|restarts|frames/);
  for (const code of ['(undefined-function 1)', '(defun f (x) (g x))', '(thm (equal x y))', ')'])
    for (const tool of ['admit', 'eval_with_output', 'check_theorem'])
      expect(await tell(tool, { code }), code).not.toMatch(/debugger/);
});

it('of several forms each is told, also where the last is refused for its rule', async () => {
  const { tell } = await prover();
  const told = await tell('admit', {
    code: '(defthm fits (equal (car (cons p q)) p)) (defthm refused (equal p q))',
  });
  expect(told).toMatch(/DEFTHM FITS: admitted/);
  expect(told).toMatch(/DEFTHM REFUSED: failed/);
  const alone = await tell('admit', { code: '(defthm refused (equal p q))' });
  expect(alone).toContain('[The formula by itself]');
});

it('what a command was puffed to is told as admitted without proofs', async () => {
  const { tell } = await prover();
  await tell('admit', { code: '(encapsulate () (defun one (x) x) (defun two (x) x))' });
  const puffed = await tell('acl2_evaluate', { code: ':puff 1' });
  expect(puffed).toMatch(/^PUFF: skipped$/m);
  expect(puffed).not.toMatch(/undone/);
  expect(puffed).toMatch(/^; rests on skip-proofs/m);
});

it('what a world rests on is named each time, in full once and when there is more of it', async () => {
  const { tell } = await prover();
  const trust = async (code: string) =>
    (await tell('acl2_evaluate', { code })).match(/^; ([^·\n]*?) ·/m)?.[1];
  const skipped = await trust('(skip-proofs (defthm bad (equal x y) :rule-classes nil))');
  expect(skipped).toMatch(/^rests on skip-proofs \(.*BAD.*\)$/);
  expect(await trust('(defun one (x) x)')).toMatch(/^rests on skip-proofs \(.*BAD.*\)$/);
  expect(await trust('(+ 1 2)')).toMatch(/^rests on skip-proofs \(.*BAD.*\)$/);
  expect(await trust('(defaxiom worse (equal (one x) 3))')).toBe(`${skipped}, axiom (WORSE)`);
  expect(await trust('(defun two (x) x)')).toMatch(/^rests on skip-proofs \(.*BAD.*\), axiom \(WORSE\)$/);
});

it('a monitor that waits for a person does not end the proof', async () => {
  const { tell } = await prover();
  await tell('admit', { code: `${APP} ${CAR_APP}` });
  const told = await tell('acl2_evaluate', {
    code: `(brr t) (monitor 'car-app t) ${CASE} ${CASE} (brr nil)`,
  });
  expect(told).toContain('THM: proved');
  expect(told).toContain('| 1 (:REWRITE CAR-APP) produced (CAR A).');
  expect(told).not.toMatch(/failed|Abort/);
});

it('of a rule that is watched it is said that it is disabled', async () => {
  const { tell } = await prover();
  await tell('admit', { code: `${APP} ${CAR_APP} (in-theory (disable car-app))` });
  const observed = (rule: string) => tell('acl2_observe_rules', { code: CASE, rules: [rule] });
  for (const rule of ['car-app', '(:rewrite car-app)'])
    expect(await observed(rule)).toMatch(/CAR-APP\)? is disabled: it is tried only if/);
  expect(await observed('(:definition app)')).not.toContain('is disabled');
});

it('that no proof was skipped is not said of a world with one that was', async () => {
  const { tell } = await prover();
  await tell('admit', {
    code: `${APP} (skip-proofs (defthm skipped (equal (app x y) (app y x)) :rule-classes nil))`,
  });
  await tell('acl2_checkpoint', { action: 'save', name: 'with-skipped' });
  const branched = await tell('acl2_checkpoint', { action: 'branch', name: 'with-skipped' });
  const [session_id] = /acl2-\w+/.exec(branched) ?? [];
  const told = await tell('acl2_evaluate', { code: '(+ 1 2)', session_id });
  expect(branched + told).toMatch(/Proofs were repeated, except those that had been skipped before/);
  expect(branched + told).not.toMatch(/none was skipped/);
});

describe('in a package without ACL2’s symbols', () => {
  it('the tools of the prover work', async () => {
    const { client, tell } = await prover();
    await tell('admit', { code: `${APP} (defpkg "BARE" nil)` });
    await tell('acl2_evaluate', { code: '(in-package "BARE")' });
    for (const [tool, args] of [
      ['check_theorem', { code: '(acl2::equal x x)' }],
      ['check_theorem', { code: '(thm (acl2::equal x x))' }],
      ['acl2_check_provable', { conjecture: '(acl2::defthm a (acl2::equal x x))' }],
      ['suggest_proofs', { conjecture: '(acl2::equal x x)' }],
      ['verify_guards', { function_name: 'acl2::app' }],
      ['query_event', { name: 'acl2::app' }],
      ['acl2_check_syntax', { code: '(acl2::equal x x)' }],
      ['trace_execution', { function_name: 'acl2::app', action: 'trace' }],
      ['trace_execution', { function_name: 'acl2::app', action: 'untrace' }],
    ] as const) {
      const { isError, text } = await call(client, tool, args);
      expect([tool, isError, text]).toEqual([tool, false, text]);
    }
    expect(await tell('acl2_include_book', { book_path: 'nowhere' })).toMatch(/nowhere\.lisp/);
  });
});

it('an admitted event has no reasons for a failure, though its proof tried what it abandoned', async () => {
  const { tell } = await prover();
  const told = await tell('admit', {
    code: `(defun rv (x) (if (consp x) (append (rv (cdr x)) (list (car x))) nil))
      (defthm rv-rv (implies (true-listp x) (equal (rv (rv x)) x)))`,
  });
  expect(told).toContain('DEFTHM RV-RV: admitted');
  expect(told).not.toMatch(/aborted by|gave up|checkpoints/);
});

it('what a form introduced is named, not the tables that it changed', async () => {
  const { tell } = await prover();
  const told = await tell('admit', {
    code: '(encapsulate () (set-ignore-ok t) (table fruit 1 2) (defun pear (x y) (cons x y)) (table fruit 2 3))',
  });
  expect(told).toMatch(/within: DEFUN PEAR$/m);
});

it('an event to undo is named in the current package, and by its own', async () => {
  const { tell } = await prover();
  await tell('admit', {
    code: `(defun bar (x) x) (defpkg "OWN" '(defun)) (in-package "OWN") (defun foo (x) x) (defun bar (x) x)`,
  });
  expect(await tell('acl2_undo', { name: 'bar' })).toContain('the last command of the world is 3');
  expect(await tell('acl2_undo', { name: 'acl2::car' })).toMatch(/^unknown_symbol/);
  expect(await tell('acl2_undo', { name: 'acl2::bar' })).toContain('the last command of the world is 0');
});

const VACUOUS = /^; note: None of the tested values satisfies the hypotheses/m;

it('a proved theorem whose hypotheses no tested value satisfies is remarked, and no other', async () => {
  const { tell } = await prover();
  for (const code of [
    '(thm (implies (and (consp x) (atom x)) (equal x 3)))',
    '(defthm vac (implies (and (integerp x) (< x 0) (< 5 x)) (equal x y)) :rule-classes nil)',
  ])
    expect(await tell('acl2_evaluate', { code }), code).toMatch(VACUOUS);
  for (const code of [
    '(thm (equal (car (cons x y)) x))',
    '(thm (implies (and (integerp x) (< 300 x)) (not (equal x 2))))',
    '(thm (implies (and (symbol-listp x) (equal (len x) 7)) (consp x)))',
    '(encapsulate (((h *) => *)) (local (defun h (x) x)) (defthm h-of-h (implies (h x) (h x)) :rule-classes nil))',
    '(thm (implies (and (h x) (not (h x))) (equal x y)))',
  ])
    expect(await tell('acl2_evaluate', { code }), code).not.toMatch(VACUOUS);
});
