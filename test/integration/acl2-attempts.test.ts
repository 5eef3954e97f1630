/** Suggestions are tried before they are offered, and say what came of it. */
import { expect, it } from 'vitest';
import type { Suggestion } from '../../electron/contract/proof';
import { proofOf, startImage } from './acl2-fixture';
import type { TestImage } from './test-image';

const WORLD = `(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defun how-many (e x) (if (consp x) (+ (if (equal e (car x)) 1 0) (how-many e (cdr x))) 0))
(defun mix (x y) (declare (xargs :measure (+ (acl2-count x) (acl2-count y))))
  (cond ((atom x) y) ((atom y) x) (t (cons (car x) (mix y (cdr x))))))
(defun two (x) (list x x))
(defthm len-two (equal (len (two x)) 2) :rule-classes nil)
(in-theory (disable two (:executable-counterpart two)))
(defstub p (x) t)
(defun-sk some-p (y) (exists x (and (p x) (equal (len x) y))))
(in-theory (disable some-p some-p-suff))`;

async function prepared(): Promise<TestImage> {
  const session = await startImage();
  expect((await session.evaluate(WORLD)).outcome).toBe('ok');
  return session;
}

async function suggestionsAfter(session: TestImage, form: string): Promise<Suggestion[]> {
  const before = (await session.evaluate('(+ 1 2)')).report?.proof?.command;
  const evaluated = await session.evaluate(form);
  expect(evaluated.outcome).toBe('error');
  const after = await session.evaluate('(+ 1 2)');
  expect([after.values, after.report?.proof?.command]).toEqual([[['3']], before]);
  expect([after.stdout, after.stderr]).toEqual(['', '']);
  return proofOf(evaluated).events.at(-1)?.suggestions ?? [];
}

/** Theorems that fail, and the form that proves them. */
const CLOSED = [
  ['(thm (equal (car (two x)) x))', /enable two/],
  ['(thm (equal (+ 1 (len (two (list a b)))) 3))', /:use \(:instance len-two \(x \(list a b\)\)\)/],
  [
    '(thm (implies (and (p a) (equal (len a) 3)) (some-p 3)))',
    /:use \(:instance some-p-suff \(y 3\) \(x a\)\)/,
  ],
  [
    '(thm (equal (how-many e (mix (mix a b) c)) (+ (how-many e a) (how-many e b) (how-many e c))))',
    /^\(defthm how-many-of-mix .*\(\+ \(how-many k1 x\) \(how-many k1 y\)\)/,
  ],
] as const;

it('what closes the goal comes first and says so', async () => {
  const session = await prepared();
  for (const [form, expected] of CLOSED) {
    const [first] = await suggestionsAfter(session, form);
    expect([form, first?.form, first?.text]).toEqual([
      form,
      expect.stringMatching(expected),
      expect.stringContaining('Tried: it is proved.'),
    ]);
    expect((await session.evaluate(first?.form ?? '')).outcome).toBe('ok');
  }
  expect((await session.evaluate(CLOSED[3][0])).outcome).toBe('ok');
});

it('a function whose arguments get smaller in a way that ACL2 does not see is admitted after the suggested lemmas', async () => {
  const session = await prepared();
  await session.evaluate('(defun half (x) (if (endp x) nil (cons (car x) (half (cddr x)))))');
  const sort =
    '(defun sort2 (x) (if (or (endp x) (endp (cdr x))) x (mix (sort2 (half x)) (sort2 (half (cdr x))))))';
  const [first] = await suggestionsAfter(session, sort);
  expect(first).toMatchObject({
    kind: 'lemma',
    text: expect.stringMatching(/Submit (\(defthm half-acl2-count .*) first\. Tried: it is proved\.$/),
    form: expect.stringMatching(/^\(defthm half-acl2-count-less \(implies .* :rule-classes :linear\)$/),
  });
  const [, before = ''] = /Submit (.*) first/.exec(first?.text ?? '') ?? [];
  expect((await session.evaluate(`${before} ${first?.form} ${sort}`)).outcome).toBe('ok');
});

it('what does not help says so, and nothing of a trial remains', async () => {
  const session = await prepared();
  const suggestions = await suggestionsAfter(
    session,
    '(thm (implies (true-listp y) (equal (how-many e (app x y)) (len (app x y)))))',
  );
  for (const { text } of suggestions) expect(text).not.toContain('it is proved');
  expect((await session.evaluate(':pe how-many-of-app')).outcome).toBe('error');
});

it('nothing counts as proved in a mode that admits events without a proof', async () => {
  const session = await prepared();
  await session.evaluate('(program)');
  const suggestions = await suggestionsAfter(session, '(thm (equal (car (two x)) x))');
  expect(suggestions.map(({ text }) => text).join()).not.toContain('Tried');
});
