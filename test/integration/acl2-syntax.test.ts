/** Forms that are checked and not evaluated: nothing runs, and world and session are afterwards as they were. */
import { expect, it } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { OneForm } from '../../electron/source/code';
import { issues, startImage } from './acl2-fixture';
import type { TestImage } from './test-image';

function check(image: TestImage, text: string) {
  return image.evaluate(image.image.world?.checkCode(text) ?? '');
}

it.each([
  ['', ['0', '0']],
  ['; nothing\n', ['0', '0']],
  ['(defun f (x) x) (f 1)', ['2', '2']],
  ['(defun f (x) (if (zp x) 1 (f (+ 1 x)))) (defthm false (equal (f x) 2))', ['2', '2']],
  ['(defmacro m (x) `(list ,x)) (m (f 3))', null],
  [
    '(mutual-recursion (defun f (x) (and (consp x) (g (cdr x)))) (defun g (x) (and (consp x) (f (cdr x))))) (thm (f x))',
    ['2', '2'],
  ],
  ['(progn (defun f (x) x) (local (defthm a (f x)))) (skip-proofs (defun g (x) (f x))) (g 1)', ['3', '3']],
  ['(in-package "ACL2-USER") (acl2::rfix x)', ['2', '2']],
  ['(defun-sk s (x) (exists y (equal x y))) (s 1 2) (unknown)', ['3', '1']],
  ['(include-book "nowhere") (its-function 1)', ['2', '1']],
  ['(er-progn (defun f (x) x) (value 3)) (f 1)', ['2', '1']],
  ['(cons 1 "text λ ) (") :pe app', ['2', '2']],
])('%s', async (text, counts) => {
  const image = await startImage();
  const answer = await check(image, text);
  expect([answer.outcome, answer.values.at(-1)]).toEqual(counts === null ? ['error', []] : ['ok', counts]);
});

it.each([
  ['(car 1 2)', 'the form on line 1:  CAR takes 1 argument'],
  ['(defun f (x) x)\n\n; two\n(f 1 2)', 'the form on line 4:  F takes 1 argument'],
  ['(thm\n (f x))', 'the form on line 1:  The symbol F'],
  ['(defun f (x) y)', 'in ( DEFUN F ...):  The body of F is a free variable occurrence'],
  ['1\n(f', 'The text ends inside the form that starts on line 2'],
  ['1\nfoo::x', 'ackage'],
  ['#.(cw "ran")', 'supports #. syntax only'],
])('%s is told with its place', async (text, why) => {
  const image = await startImage();
  const answer = await check(image, text);
  expect(answer.condition?.message.replaceAll(/\s+/g, ' ')).toContain(why.replaceAll(/\s+/g, ' '));
});

it('evaluates nothing, and leaves no definition and no setting behind', async () => {
  const image = await startImage();
  await image.evaluate('(defun f (x) (* 2 x)) (set-ld-skip-proofsp t state) (assign flag :kept)');
  for (const text of [
    '(cw "ran~%") (princ$ "ran" *standard-co* state) (assign flag :ran)',
    '(defun f (x) (list x)) (defun evil (x) x) (skip-proofs (defthm bad nil :rule-classes nil)) (assign flag :ran)',
    "(make-event (er-progn (assign flag :ran) (value '(defun evil (x) x))))",
    "(progn (defun evil (x) x)) (progn (make-event (er-progn (assign flag :ran) (value '(value-triple 1)))))",
    '(defun evil (x) x)) (assign flag :ran) (list (list',
    `${lispString('" ) (assign flag :ran) (list "')}`,
    '(set-ld-skip-proofsp nil state) (ubt! 1) (in-package "KEYWORD") :q (good-bye)',
    '(defthm bad (equal x y) :hints ((er-progn (assign flag :ran) (value nil))))',
    '(f',
  ])
    expect((await check(image, text)).stdout).not.toMatch(/^ran/m);
  const answer = await image.evaluate('(f 4) (@ flag) (@ ld-skip-proofsp) (@ ld-redefinition-action)');
  expect(answer.values).toEqual([['8'], [':KEPT'], ['T'], ['NIL']]);
  expect((await image.evaluate('(evil 1)')).outcome).toBe('error');
  expect((await image.image.world?.commands({ limit: 9 }))?.total).toBe(1);
  expect(issues(await image.evaluate('(set-ld-skip-proofsp nil state)'))).not.toContain('skip-proofs');
});

it('is interrupted like any evaluation', async () => {
  const image = await startImage();
  await image.evaluate(
    '(defun spin (n) (declare (xargs :mode :program)) (if (equal n -1) n (spin (+ 1 n))))',
  );
  await image.evaluate('(defmacro endless () (prog2$ (cw "ready~%") (spin 0)))');
  const { settled } = await image.running(image.image.world?.checkCode('(defun g (x) (endless))') ?? '');
  await image.interrupt('cooperative');
  await Promise.race([settled, image.interrupt('insistent')]);
  expect((await settled).outcome).toBe('interrupted');
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

/** What a text hides behind escapes, comments and reader macros. */
const ODD = [
  ...['#\\)', '#\\(', '#\\"', '#\\;', '#\\Space', '#\\|', '"a)b"', '"\\")"', '"\\\\"', '"; a"', '"#|"'],
  ...['|a)b|', 'a|)|b', '|;|', '|#\\||', 'a\\)b', 'a\\ b', 'a\\;b', '\\(', ':key', '1.', '-1/2'],
  ...[
    '; c )\n a',
    '#| ) |# a',
    '#| #| ( |# |# a',
    "'a",
    "#'car",
    '`(a ,b ,@c)',
    '#b101',
    '#x-1F',
    '#o17',
    '#c(1 2)',
  ],
  ...['(a . b)', '()', '(#| a)b |# c)', '(a ; )\n)', 'λ', '"λ\u2028)"', 'a\u00a0', '#1=(a)', '#3r12'],
];

it('reads exactly one form where the harbor takes a text for one', async () => {
  const image = await startImage();
  const told: unknown[] = [];
  const taken = ODD.filter((text) => {
    try {
      return OneForm.read(text, 'common-lisp', 'text');
    } catch {
      return false;
    }
  });
  for (const text of taken) {
    const { outcome, values } = await check(image, `(quote\n${text}\n) t`);
    told.push([text, outcome, values.at(-1)?.[0]]);
  }
  expect(told).toEqual(taken.map((text) => [text, 'ok', '2']));
  expect(taken.length).toBeGreaterThan(30);
});
