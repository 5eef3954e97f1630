/** Formulas are told as the prover has them: no table, setting or package of the session makes them read as others. */
import { expect, it } from 'vitest';
import { form as read } from '../forms';
import { proofOf, startImage } from './acl2-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const FALSE = '(thm (implies (and (true-listp x) (< 10 (len y))) (equal (app x y) (append y x))))';
const GOAL = '(IMPLIES (AND (TRUE-LISTP X) (< 10 (LEN Y))) (EQUAL (APP X Y) (APPEND Y X)))';

const TELL_TRUE = `(defun tell-true (term iff-flg wrld)
  (declare (ignore term iff-flg wrld) (xargs :guard t))
  '(equal x x))
(table user-defined-functions-table 'untranslate 'tell-true)`;

const TELL_BEFORE = `(defun tell-before (term wrld)
  (declare (ignore term wrld) (xargs :guard t))
  ''t)
(table user-defined-functions-table 'untranslate-preprocess 'tell-before)`;

it.each([
  ['an untranslation of its own', TELL_TRUE],
  ['a preprocessing of its own', TELL_BEFORE],
  [
    'other names for functions',
    "(table untrans-table 'app '(append . t)) (table untrans-table 'binary-append nil)",
  ],
  ['another base of numbers', '(set-print-base 2 state)'],
  ['another case', '(set-print-case :downcase state)'],
  ['short lists', '(set-print-length 1 state) (set-print-level 1 state)'],
  ['little room in a line', '(set-print-right-margin 20 state) (set-fmt-hard-right-margin 20 state)'],
  ['much that is hidden', '(set-evisc-tuple (evisc-tuple 1 1 nil nil) :sites :all :iprint nil)'],
  [
    'what is hidden by rule',
    '(set-evisc-tuple (list (list (cons \'(equal x y) "hidden")) nil nil nil) :sites :all)',
  ],
])('are what they are in a session with %s', async (_what, setting) => {
  const image = await startImage();
  await image.evaluate(`${APP} ${setting}`);
  const { outcome, report } = await image.evaluate(FALSE);
  expect(outcome).toBe('error');
  const [goal] = report?.proof?.events[0]?.checkpoints?.top ?? [];
  expect(goal?.form).toBe(GOAL);
  expect(goal?.text.replaceAll(/\s+/g, ' ')).toBe(GOAL);
});

it('have prefixes where a name without one would read as another', async () => {
  const image = await startImage();
  await image.evaluate(
    '(defpkg "OWN" (set-difference-eq *acl2-exports* \'(append))) (in-package "OWN") (acl2::defstub append (x) acl2::t)',
  );
  const answer = await image.evaluate('(acl2::thm (acl2::equal (append x) (acl2::car x)))');
  const [goal] = proofOf(answer).events[0]?.checkpoints?.reverted ?? [];
  expect(goal?.text.replaceAll(/\s+/g, ' ')).toBe('(EQUAL (OWN::APPEND OWN::X) (CAR OWN::X))');
});

it('of what is built, observed and described are so too', async () => {
  const image = await startImage();
  const world = image.image.world;
  await image.evaluate(`${APP} (defthm app-nil (implies (true-listp x) (equal (app x nil) x))) ${TELL_TRUE}`);
  const built = await image.evaluate(
    world?.buildCode(read('(equal (app x nil) (append x nil))'), read('((:dv 1))')) ?? '',
  );
  expect(proofOf(built).builder?.goals[0]?.conclusion).toBe('(EQUAL (APP X NIL) (APPEND X NIL))');
  const observed = await image.evaluate(
    world?.observeCode(read('(thm (equal (app (app x y) nil) x))'), [read('app-nil')]) ?? '',
  );
  expect(proofOf(observed).observation?.attempts[0]).toMatchObject({
    target: '(APP (APP X Y) NIL)',
    failure: ':HYP 1 rewrote to (TRUE-LISTP (APP X Y)).',
  });
  expect((await image.evaluate('(table user-defined-functions-table)')).values).toEqual([
    ['((UNTRANSLATE . TELL-TRUE))'],
  ]);
});

const LIE = `(list (list (cons '(equal x x) "(EQUAL X (NOT X))")) nil nil nil)`;

/** What the commands of ACL2 show of a theorem, in a session that would show another one. */
it.each([
  ['an evisceration of all sites', `(set-evisc-tuple ${LIE} :sites :all :iprint :same)`],
  ['an evisceration of values', `(set-ld-evisc-tuple ${LIE} state)`],
  ['a table of evisceration', `(table evisc-table '(equal x x) "(EQUAL X (NOT X))")`],
  ['an untranslation', TELL_TRUE.replace("'(equal x x)", "'(equal x (not x))")],
])('are shown by commands as they are in a session with %s', async (_what, setting) => {
  const image = await startImage();
  await image.evaluate(`(defthm fact (equal x x) :rule-classes nil) ${setting}`);
  for (const command of [':pe fact', ':pf fact', ':pcb :max', ':pe! fact']) {
    const { stdout } = await image.evaluate(command);
    expect([command, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      command,
      expect.not.stringContaining('NOT X'),
    ]);
  }
  expect((await image.evaluate(':pe fact')).stdout).toContain('(EQUAL X X)');
  expect((await image.evaluate(':pf fact')).stdout).toMatch(/\(EQUAL X X\)|T\b/);
});
