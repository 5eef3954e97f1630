/** Interrupts in SBCL: the evaluation ends, its state is preserved, the next one is not affected. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../started-harbor';
import { startImage } from './sbcl-fixture';

describe('a cooperative interrupt', () => {
  it.each([
    ['(loop)'],
    ['(sleep 100)'],
    ['(loop (ignore-errors (error "x")))'],
    ['(handler-case (loop) (condition () (loop)))'],
    ['(loop (make-array 100))'],
    ['(sb-ext:run-program "sleep" (list "100") :search t)'],
    ['(sb-thread:join-thread (sb-thread:make-thread (lambda () (sleep 100))))'],
  ])('ends %s and keeps the state', async (code) => {
    const image = await startImage();
    const { settled } = await image.running(
      `(defparameter *kept* 7) (progn (write-line "ready") (finish-output) ${code})`,
    );
    expect(await image.interrupt('cooperative')).toBe(true);
    expect(await settled).toMatchObject({ outcome: 'interrupted', condition: null, values: [['*KEPT*']] });
    expect((await image.evaluate('*kept*')).values).toEqual([['7']]);
  });

  it('runs the cleanup forms', async () => {
    const image = await startImage();
    const { settled } = await image.running(`
      (defvar *cleaned* nil)
      (unwind-protect (progn (write-line "ready") (finish-output) (loop)) (setf *cleaned* t))`);
    await image.interrupt('cooperative');
    await settled;
    expect((await image.evaluate('*cleaned*')).values).toEqual([['T']]);
  });

  it('ends an evaluation that has only just been sent', async () => {
    const image = await startImage();
    const settled = image.evaluate('(loop)');
    expect(await image.interrupt('cooperative')).toBe(true);
    expect((await settled).outcome).toBe('interrupted');
  });

  it('does nothing to an evaluation that is over', async () => {
    const image = await startImage();
    await image.evaluate('1');
    expect(await image.interrupt('cooperative')).toBe(true);
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('never hits the next evaluation', async () => {
    const image = await startImage();
    for (let round = 0; round < 50; round += 1) {
      const first = image.evaluate('(dotimes (i 20000) (random 10))');
      const interrupted = image.interrupt('cooperative');
      await first;
      expect(await image.evaluate('(dotimes (i 20000 :whole) (random 10))')).toMatchObject({
        outcome: 'ok',
        values: [[':WHOLE']],
      });
      await interrupted;
    }
  });
});

it('an insistent interrupt ends cleanup forms that loop', async () => {
  const image = await startImage();
  const { settled } = await image.running(
    '(unwind-protect (progn (write-line "ready") (finish-output) (loop)) (loop))',
  );
  await image.interrupt('cooperative');
  expect(await image.interrupt('insistent')).toBe(true);
  expect((await settled).outcome).toBe('interrupted');
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('interrupts that gather while code lets none in are no more than one', async () => {
  const image = await startImage();
  const folder = temporaryFolder('interrupts');
  await image.evaluate('(defvar *kept* 7)');
  const { settled } = await image.running(`(sb-sys:without-interrupts
    (write-line "ready") (finish-output) (loop until (probe-file "${folder}/go-on")))`);
  for (let asked = 0; asked < 20; asked += 1) expect(await image.interrupt('cooperative')).toBe(true);
  writeFileSync(`${folder}/go-on`, '');
  expect((await settled).outcome).toBe('interrupted');
  expect((await image.evaluate('*kept*')).values).toEqual([['7']]);
});

it('SIGINT interrupts the evaluation', async () => {
  const image = await startImage();
  const { outcome } = await image.evaluate(
    '(progn (sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigint) (loop))',
  );
  expect(outcome).toBe('interrupted');
});

it('an image that is stuck refuses interrupts, and can be ended', async () => {
  const image = await startImage();
  const { settled } = await image.running('(progn (write-line "ready") (finish-output) (loop))');
  const usage = await image.image.usage();
  process.kill(usage?.pid ?? Number.NaN, 'SIGSTOP');
  expect(await image.interrupt('cooperative')).toBe(false);
  await image.image.end();
  expect((await settled).outcome).toBe('crashed');
  expect(await image.image.ended).toEqual({ description: 'SBCL was killed by SIGKILL', expected: true });
});

it('end() does not wait for code that cannot be interrupted', async () => {
  const image = await startImage();
  const { settled } = await image.running(
    '(sb-sys:without-interrupts (write-line "ready") (finish-output) (loop))',
  );
  await image.image.end();
  expect((await settled).outcome).toBe('crashed');
  expect(await image.image.ended).toMatchObject({ expected: true });
});
