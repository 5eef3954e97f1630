/** How ACL2 images end, and how full stacks and heaps are reported. The limit of the heap itself: acl2-limits. */
import { describe, expect, it } from 'vitest';
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

/** Reads memory after an array. How far the host gets is its own affair; GCL survives some of it with an error. */
const READS_FAR = `(assign far (compress1 'far '((:header :dimensions (3) :maximum-length 10 :name far) (0 . 1))))
  (set-guard-checking nil)
  (defun far (n far) (declare (xargs :mode :program)) (let ((v (aref1 'far far n))) (if (consp v) (len (car v)) (length v))))
  (far 10 (@ far)) (far 30 (@ far)) (far 99999999 (@ far))`;

it('a form that damages the memory ends the image, and is lost with it', async () => {
  const image = await startImage();
  const answer = await image.evaluate(READS_FAR);
  expect([answer.outcome, answer.condition]).toEqual(['crashed', null]);
  expect((await image.image.ended).expected).toBe(false);
});

describe('a form that fills a stack', () => {
  it('is an error, and the session continues', async () => {
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
  it('stays within its limit', async () => {
    // ACL2 itself takes some of it, on SBCL most of 256 MiB.
    const heapMiB = process.env.ACL2 === undefined ? 256 : 768;
    const image = await startImage({ heapMiB });
    // 80 MB each: more than the limit together.
    for (let round = 0; round < 5; round += 1) {
      const answer = await image.evaluate('(len (make-list 5000000))');
      // The collector's lines are no output of the form.
      expect([answer.values, answer.stderr]).toEqual([[['5000000']], '']);
    }
    const used = await image.image.usage();
    expect(used?.memoryBytes).toBeLessThan(heapMiB * 1024 * 1024);
  });
});

describe('a form that fills the memory', () => {
  it('continues while collecting frees enough', async () => {
    const image = await startImage({ heapMiB: process.env.ACL2 === undefined ? 512 : 1536 });
    const answer = await image.evaluate('(len (make-list 25000000))');
    expect([answer.values, answer.stderr]).toEqual([[['25000000']], '']);
  });
});

describe('ending an image', () => {
  it('ends an idle and a busy image', async () => {
    const idle = await engine.start(await startRequest());
    await idle.end();
    expect(await idle.ended).toMatchObject({ expected: true });
    const busy = await startImage();
    const { settled } = await busy.running('(prog2$ (cw "ready~%") (sleep 1000))');
    await busy.image.end();
    expect(await settled).toMatchObject({ outcome: 'crashed', notes: ['ACL2 was killed by SIGKILL.'] });
  });
});

describe('discovery', () => {
  it('offers what the table of engines promises', async () => {
    expect(offered((await startImage()).image)).toEqual(promised('acl2'));
  });

  it('returns the version and the path', async () => {
    expect(await engine.discover()).toMatchObject({
      engine: 'acl2',
      available: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      path: expect.stringMatching(/saved_acl2/),
    });
  });

  it('reports the memory in use', async () => {
    const image = await startImage();
    expect((await image.image.usage())?.memoryBytes).toBeGreaterThan(1_000_000);
  });
});
