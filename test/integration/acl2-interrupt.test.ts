/** Interrupts of a real ACL2: the proof stops, its checkpoints are kept, the world is what it was. */
import { describe, expect, it } from 'vitest';
import { ENDLESS, PIGEONS } from '../pigeons';
import { proofOf, startImage } from './acl2-fixture';

describe('an endless proof', () => {
  it('ends when it is interrupted once, 50 times in a row, and the world stays', async () => {
    const image = await startImage();
    const before = proofOf(await image.evaluate(PIGEONS)).command;
    for (let round = 0; round < 50; round += 1) {
      const { settled } = await image.running(ENDLESS);
      expect(await image.interrupt('cooperative')).toBe(true);
      const answer = await settled;
      expect(answer.outcome, `round ${round}`).toBe('interrupted');
      expect(proofOf(answer)).toMatchObject({ command: before, events: [{ verdict: 'interrupted' }] });
      expect((await image.evaluate("(app '(1) '(2))")).values).toEqual([['(1 2)']]);
    }
    expect((await image.evaluate('(thm (equal (app (app x y) z) (app x (app y z))))')).outcome).toBe('ok');
  }, 300_000);

  it('keeps the checkpoints that it has met', async () => {
    const image = await startImage();
    await image.evaluate(PIGEONS);
    const { settled } = await image.running(ENDLESS);
    await image.interrupt('cooperative');
    const event = proofOf(await settled).events[0];
    expect(event?.figures?.abortCauses).toContain('INTERRUPT');
    expect(event?.checkpoints).not.toBeNull();
  });
});

describe('an interrupt', () => {
  it.each([[':logic'], [':program']])('ends a function in %s mode that runs', async (mode) => {
    const image = await startImage();
    await image.evaluate(`(defun fib (n)
      (declare (xargs :mode ${mode}))
      (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))`);
    const { settled } = await image.running('(prog2$ (cw "ready~%") (fib 70))');
    await image.interrupt('cooperative');
    await Promise.race([settled, image.interrupt('insistent')]);
    expect((await settled).outcome).toBe('interrupted');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('ends a long row of short forms', async () => {
    const image = await startImage();
    const { settled } = await image.running(`(cw "ready~%") ${'(+ 1 1) '.repeat(50_000)}`);
    await image.interrupt('cooperative');
    expect((await settled).outcome).toBe('interrupted');
  });

  it('is told as one where code takes it for an error of its own', async () => {
    const image = await startImage();
    image.image.rawLisp?.allow();
    await image.evaluate('(defttag :raw)');
    const code =
      '(progn! (set-raw-mode t) (handler-case (progn (cw "ready~%") (loop)) (error () (error "another"))))';
    const { settled } = await image.running(code);
    await image.interrupt('cooperative');
    await Promise.race([settled, image.interrupt('insistent')]);
    const answer = await settled;
    expect(answer).toMatchObject({ outcome: 'interrupted', condition: null });
    expect(proofOf(answer).events.map(({ verdict }) => verdict)).not.toContain('failed');
  });
});
