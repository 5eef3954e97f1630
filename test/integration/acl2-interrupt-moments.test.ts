/** Interrupts of a real ACL2 at any moment: as a form begins, while it is read, while its record is written, too late. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { rounds } from '../rounds';
import { complaints, startImage } from './acl2-fixture';
import type { TestImage } from './test-image';

/** Enough for each form to be interrupted without delay, and at three moments after one. */
const ROUNDS = rounds({ usual: 36, soak: 500 });

/** Milliseconds after which an interrupt is sent, at most. */
const LATEST = 5;

const FIB = `(defun fib (n) (declare (xargs :mode :program))
  (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))`;

/** What ends only when it is interrupted. */
const ENDLESS = ['(fib 70)', `${'(+ 1 2) '.repeat(100)} (fib 70)`];

/** What may be over before: its record is long, or takes a while to read, or it changes the world. */
const SHORT = [
  '(make-list 1000)',
  '(+ 1 2)',
  `(quote (${'a '.repeat(30_000)}))`,
  '(cw "~x0~%" (make-list 3000))',
  '(thm (equal (append (append x y) z) (append x (append y z))))',
  '(defthm wrong (equal (append x y) (append y x)))',
  '(defun f (x) (if (consp x) (f (cdr x)) x)) (u)',
];

/** Whatever the interrupt came to, the next evaluation is none of its business. */
async function goesOn(image: TestImage, moment: string): Promise<void> {
  expect(await image.evaluate('(+ 1 2)'), moment).toMatchObject({ outcome: 'ok', values: [['3']] });
}

it(`stops what runs, and nothing else, ${ROUNDS} times`, { timeout: 60_000 + ROUNDS * 3_000 }, async () => {
  const image = await startImage();
  await image.evaluate(FIB);
  const forms = [...SHORT, ...ENDLESS];
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = forms[round % forms.length] ?? '';
    const milliseconds = round % 4 === 0 ? 0 : Math.random() * LATEST;
    const moment = `${code.slice(-40)} after ${milliseconds} ms`;
    const settled = image.evaluate(code);
    // Without any delay it is sent before ACL2 has even read what it was asked.
    if (milliseconds > 0) await delay(milliseconds);
    const told = image.interrupt('cooperative');
    if (round % 5 === 0) void image.interrupt('cooperative');
    const { outcome, condition } = await settled;
    expect(await told, moment).toBe(true);
    if (ENDLESS.includes(code)) expect(outcome, moment).toBe('interrupted');
    else expect(['interrupted', 'ok', 'error'], moment).toContain(outcome);
    expect(condition?.type ?? '', moment).not.toBe('Raw Lisp error');
    await goesOn(image, moment);
  }
  expect(complaints).toEqual([]);
});

it('does nothing when it comes between two evaluations', async () => {
  const image = await startImage();
  for (let round = 0; round < 20; round += 1) {
    const earlier = image.evaluate('(make-list 1000)');
    await earlier;
    expect(await image.interrupt('cooperative')).toBe(true);
    await goesOn(image, `round ${round}`);
  }
});
