/** What would end or hang an ordinary Lisp process: a true answer each time, and the image goes on or is said to be gone. */
import { describe, expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

describe('the image goes on after', () => {
  it.each([
    [
      'recursion without end',
      '(labels ((down (n) (1+ (down n)))) (down 0))',
      'SB-KERNEL::CONTROL-STACK-EXHAUSTED',
    ],
    ['one huge allocation', '(make-array 10000000000)', 'SB-KERNEL::HEAP-EXHAUSTED-ERROR'],
    [
      'a heap that fills',
      '(let ((all nil)) (loop (push (make-array 1000) all)))',
      'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED',
    ],
    [
      'conses that fill it',
      '(defvar *all* nil) (loop (push 1 *all*))',
      'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED',
    ],
  ])('%s', async (_what, code, type) => {
    const image = await startImage();
    const { outcome, condition } = await image.evaluate(code);
    expect({ outcome, type: condition?.type }).toEqual({ outcome: 'error', type });
    await image.evaluate('(defparameter *all* nil) (sb-ext:gc :full t)');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('the same again and again', async () => {
    const image = await startImage();
    const types: (string | undefined)[] = [];
    for (let round = 0; round < 5; round += 1) {
      types.push((await image.evaluate('(labels ((down (n) (1+ (down n)))) (down 0))')).condition?.type);
      types.push((await image.evaluate('(make-array 10000000000)')).condition?.type);
      types.push(
        (await image.evaluate('(let ((all nil)) (loop (push (make-array 1000) all)))')).condition?.type,
      );
    }
    const round = [
      'SB-KERNEL::CONTROL-STACK-EXHAUSTED',
      'SB-KERNEL::HEAP-EXHAUSTED-ERROR',
      'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED',
    ];
    expect(types).toEqual([...round, ...round, ...round, ...round, ...round]);
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('the end of the thread that evaluates', async () => {
    const image = await startImage();
    const { outcome, notes } = await image.evaluate('(defvar *kept* 5) (sb-thread:abort-thread)');
    expect(outcome).toBe('interrupted');
    expect(notes).toEqual(['The code ended the thread that evaluated it; a new thread serves the session.']);
    expect((await image.evaluate('*kept*')).values).toEqual([['5']]);
  });

  it('the deletion of the agent’s package', async () => {
    const image = await startImage();
    await image.evaluate('(delete-package :lisp-harbor-agent)');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
    expect((await image.evaluate('(car 1)')).condition?.type).toBe('TYPE-ERROR');
  });
});

describe('the image is said to be gone after', () => {
  it.each([
    ['(sb-ext:exit :code 7)', 'SBCL exited with code 7'],
    ['(sb-ext:exit :code 8 :abort t)', 'SBCL exited with code 8'],
    ['(sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigkill)', 'SBCL was killed by SIGKILL'],
    [
      '(sb-unix:unix-close 3) (print 1)',
      'SBCL exited with code 97 because its wire to the harbor was broken from within',
    ],
  ])('%s', async (code, description) => {
    const image = await startImage();
    const { outcome, notes, values, stdout } = await image.evaluate(
      `:before (progn (write-line "bye") (finish-output)) ${code}`,
    );
    expect({ outcome, stdout, note: notes[0] }).toEqual({
      outcome: 'crashed',
      stdout: 'bye\n',
      note: `${description}.`,
    });
    expect(values.slice(0, 2)).toEqual([[':BEFORE'], ['NIL']]);
    expect(await image.image.ended).toEqual({ description, expected: false });
  });

  it('an evaluation that is asked for when it is', async () => {
    const image = await startImage();
    await image.evaluate('(sb-ext:exit :code 7)');
    expect(await image.evaluate('(+ 1 2)')).toMatchObject({ outcome: 'crashed', forms: [] });
  });
});
