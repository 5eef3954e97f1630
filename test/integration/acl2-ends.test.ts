/** What ends an ACL2 image, or nearly does, and how it is told. */
import { describe, expect, it } from 'vitest';
import { MEMORY_NOTE } from '../../electron/images/acl2/evaluation-monitor';
import { engine, proofOf, startImage, startRequest } from './acl2-fixture';
import { offered, promised } from './engines-table';

describe('a form that ends the process', () => {
  it.each([
    ['(good-bye)', 'ACL2 exited with code 0.'],
    ['(exit 3)', 'ACL2 exited with code 3.'],
    ["(ld '((car 3)) :ld-error-action '(:exit 4))", 'ACL2 exited with code 4.'],
  ])('%s', async (code, note) => {
    const image = await startImage();
    const answer = await image.evaluate(`(defun f (x) x) ${code}`);
    expect(answer).toMatchObject({ outcome: 'crashed', condition: null });
    expect(answer.notes[0]).toBe(note);
    expect(proofOf(answer).events).toMatchObject([{ verdict: 'admitted' }]);
    expect(await image.evaluate('(+ 1 2)')).toMatchObject({ outcome: 'crashed' });
    expect(await image.image.ended).toEqual({ description: note.slice(0, -1), expected: false });
  });
});

describe('a form that fills a stack', () => {
  it('fails and says so, and the session goes on', async () => {
    const image = await startImage();
    const answer = await image.evaluate(
      '(defun deep (n) (declare (xargs :mode :program)) (if (zp n) 0 (+ 1 (deep (- n 1))))) (deep 100000000)',
    );
    expect(answer.outcome).toBe('error');
    expect(answer.condition?.message).toMatch(/stack/i);
    expect((await image.evaluate('(deep 10)')).values).toEqual([['10']]);
  });
});

describe('the memory of an image', () => {
  it('stays within its limit whatever garbage is made', async () => {
    // ACL2 itself takes some of it, on SBCL most of 256 MiB.
    const heapMiB = process.env.ACL2 === undefined ? 256 : 768;
    const image = await startImage({ heapMiB });
    // 80 MB each: more than the limit together.
    for (let round = 0; round < 12; round += 1) {
      const answer = await image.evaluate('(len (make-list 5000000))');
      // The collector's lines are nobody's.
      expect([answer.values, answer.stderr]).toEqual([[['5000000']], '']);
    }
    const used = await image.image.usage();
    expect(used?.memoryBytes).toBeLessThan(heapMiB * 1024 * 1024);
  });
});

describe('a form that fills the memory', () => {
  it('goes on while it gains something, however much is collected for that', async () => {
    const image = await startImage({ heapMiB: process.env.ACL2 === undefined ? 512 : 1536 });
    const answer = await image.evaluate('(len (make-list 25000000))');
    expect([answer.values, answer.stderr]).toEqual([[['25000000']], '']);
  });

  it('is stopped soon after its limit, and says why', async () => {
    const image = await startImage({ heapMiB: 512 });
    await image.evaluate('(defun f (x) x)');
    const answer = await image.evaluate('(len (make-list 300000000))');
    expect([answer.outcome, answer.notes, answer.stderr]).toEqual(['interrupted', [MEMORY_NOTE], '']);
    expect((await image.evaluate('(f 1)')).values).toEqual([['1']]);
    // On GCL it takes 15 s until all is taken.
    expect((await image.image.usage())?.cpuSeconds).toBeLessThan(25);
  });
});

describe('ending an image', () => {
  it('ends an idle one and a busy one', async () => {
    const idle = await engine.start(await startRequest());
    await idle.end();
    expect(await idle.ended).toMatchObject({ expected: true });
    const busy = await startImage();
    await busy.evaluate('(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))');
    const { settled } = await busy.running('(prog2$ (cw "ready~%") (fib 70))');
    await busy.image.end();
    expect(await settled).toMatchObject({ outcome: 'crashed', notes: ['ACL2 was killed by SIGKILL.'] });
  });
});

describe('discovery', () => {
  it('offers what the table of engines promises', async () => {
    expect(offered((await startImage()).image)).toEqual(promised('acl2'));
  });

  it('tells the version, and where ACL2 is', async () => {
    expect(await engine.discover()).toMatchObject({
      engine: 'acl2',
      available: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      path: expect.stringMatching(/saved_acl2/),
    });
  });

  it('tells its memory', async () => {
    const image = await startImage();
    expect((await image.image.usage())?.memoryBytes).toBeGreaterThan(1_000_000);
  });
});
