/** What a session of ACL2 may use: processor time, output, memory, and the prover's own limits. */
import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { MEMORY_NOTE } from '../../electron/images/acl2/evaluation-monitor';
import { PIGEONS } from '../pigeons';
import { rounds, sampled } from '../rounds';
import { proofOf, startImage, verdicts } from './acl2-fixture';

const FIB = `(defun fib (n) (declare (xargs :mode :program))
  (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))`;

const spent = (seconds: number) =>
  new RegExp(`^The evaluation was interrupted .*limit of ${seconds} s of processor time`);

describe('processor time', () => {
  it('beyond the limit ends a proof, which keeps its checkpoints, and nothing else', async () => {
    const image = await startImage();
    await image.evaluate(PIGEONS);
    // Until the first goal is a checkpoint a slow machine may need a second; the other one takes any a minute.
    const answer = await image.evaluate('(thm (and (equal (app x y) z) (pigeons 8)))', { cpuSeconds: 3 });
    expect(answer).toMatchObject({ outcome: 'interrupted', notes: [expect.stringMatching(spent(3))] });
    expect(proofOf(answer).events).toMatchObject([
      { verdict: 'interrupted', checkpoints: { top: [{ form: '(EQUAL (APP X Y) Z)' }] } },
    ]);
    expect(await image.evaluate('(app 1 2)', { cpuSeconds: 1 })).toMatchObject({ outcome: 'ok', notes: [] });
  });

  it('beyond the limit ends a function', async () => {
    const image = await startImage();
    await image.evaluate(FIB);
    const answer = await image.evaluate('(fib 80)', { cpuSeconds: 1 });
    expect(answer).toMatchObject({ outcome: 'interrupted', notes: [expect.stringMatching(spent(1))] });
    expect((await image.evaluate('(fib 10)')).values).toEqual([['55']]);
  });
});

describe('output', () => {
  it('beyond the limit is cut in the middle, and the error is still reported', async () => {
    const image = await startImage();
    const gaps: number[] = [];
    let text = '';
    const code = '(cw "~x0~%" (make-list 20000 :initial-element (quote some-symbol))) (car 3)';
    const answer = await image.image.evaluate({ id: 1, code, outputChars: 10_000 }, (_stream, piece, gap) => {
      text += piece;
      if (gap) gaps.push(gap);
    });
    expect(text).toHaveLength(10_000);
    expect(text).toMatch(/^\(SOME-SYMBOL/);
    expect(text).toMatch(/guard/i);
    expect(answer.condition?.message).toMatch(/guard for the function call/);
    expect(noteTexts(answer.notes)).toEqual([
      expect.stringContaining(`${gaps[0]} characters between them were dropped`),
    ]);
  });
});

describe('the prover’s own limits', () => {
  it.each([
    [
      '(with-prover-step-limit 500 (defthm holes (pigeons 5) :rule-classes nil))',
      { steps: -500 },
      /step-limit/,
    ],
    [
      '(set-prover-step-limit 500) (defthm holes (pigeons 5) :rule-classes nil)',
      { steps: -500 },
      /step-limit/,
    ],
    [
      '(with-prover-time-limit 1/10 (defthm holes (pigeons 8) :rule-classes nil))',
      { abortCauses: [expect.stringMatching('TIME')] },
      /Out of time/,
    ],
  ])('are set by a form, and reported: %s', async (code, figures, reason) => {
    const image = await startImage();
    await image.evaluate(PIGEONS);
    const answer = await image.evaluate(code);
    expect(answer).toMatchObject({ outcome: 'error', condition: { message: expect.stringMatching(reason) } });
    expect(proofOf(answer).events.at(-1)).toMatchObject({ verdict: 'failed', figures });
  });
});

/**
 * Limit in seconds of processor time, which a busy machine doubles. Filling takes a few, and ten more are enough to notice that
 * nothing is freed. Without our monitor, ACL2 on GCL continues for minutes, and ACL2 on SBCL exits.
 */
const ENOUGH_S = 30;

const FILLING = [
  ['a value', '(len (make-list 200000000))', rounds({ usual: 1, soak: 2 })],
  ['a state global', '(assign pile (make-list 200000000))', 1],
  ['a proof', '(thm (equal (len (make-list-ac 200000000 nil nil)) x))', 1],
] as const;

describe('full memory', () => {
  it.each(sampled('filling', FILLING, 1))(
    'by %s ends the form soon, and keeps the world',
    async (_of, code, times) => {
      const image = await startImage({ heapMiB: process.env.ACL2 === undefined ? 320 : 512 });
      await image.evaluate(
        '(assign kept 7) (defun app2 (x y) (if (consp x) (cons (car x) (app2 (cdr x) y)) y))',
      );
      let before = 0;
      for (let round = 0; round < times; round += 1) {
        const answer = await image.evaluate(code);
        expect(answer).toMatchObject({ outcome: 'interrupted', notes: noteTexts([MEMORY_NOTE]) });
        // The collector's lines are no output of the form.
        expect(answer.stderr).not.toMatch(/Heap exhausted|GC/);
        const { cpuSeconds } = (await image.image.usage()) ?? { cpuSeconds: Number.NaN };
        expect(cpuSeconds - before).toBeLessThan(ENOUGH_S);
        before = cpuSeconds;
      }
      expect((await image.evaluate('(list (@ kept) (len (make-list 1000000)))')).values).toEqual([
        ['(7 1000000)'],
      ]);
      expect(verdicts(await image.evaluate('(thm (equal (app2 nil x) x))'))).toEqual(['proved']);
    },
    240_000,
  );

  it('of one huge number is an error, and keeps the world', async () => {
    const image = await startImage({ heapMiB: 512 });
    const answer = await image.evaluate('(assign kept 7) (integer-length (ash 1 8000000000))');
    expect(['error', 'interrupted']).toContain(answer.outcome);
    expect(answer.stderr).not.toMatch(/Heap exhausted|GC/);
    expect((await image.evaluate('(@ kept)')).values).toEqual([['7']]);
  });
});
