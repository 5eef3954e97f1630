/** A real Emacs with each version of SLIME, attached to a session that loads that version's Lisp half. */
import { describe, expect, it } from 'vitest';
import { evaluate } from '../integration/sessions-fixture';
import { attachedSession, OWN_THREADS, threadsOf, valuesOf } from '../integration/slime-fixture';
import { PATIENT } from '../started-harbor';
import { VERSIONS } from './slime-versions';

describe.each(VERSIONS)('SLIME $name', ({ folder }) => {
  const attached = attachedSession({ slime: folder });

  it('shares the image, and has a REPL with output of its own', async () => {
    const { session, emacs } = attached();
    await evaluate(session, '(defvar *shared* 1)').settled;
    expect(await emacs.evaluate('(incf *shared* 40)')).toBe('("" "41")');
    expect(await emacs.repl('(dotimes (i 3) (print i))')).toBe('0 \n1 \n2 \nNIL');
    expect(await emacs.repl('(list *shared* (princ "out"))')).toBe('out\n(41 "out")');
    expect(await valuesOf(session, '*shared*')).toEqual(['41']);
  });

  it('debugs and interrupts its own', async () => {
    const { session, emacs } = attached();
    await evaluate(session, '(defvar *done* nil)').settled;
    await emacs.begin('(restart-case (error "no such ~A" :quay) (use-another () (setf *done* t)))');
    expect(await emacs.do('(test-debugger)')).toMatch(/^\(1 "no such QUAY" \("USE-ANOTHER"/);
    await emacs.do('(test-restart "USE-ANOTHER")');
    await expect.poll(() => valuesOf(session, '*done*'), PATIENT).toEqual(['T']);
    await emacs.begin('(progn (setf *done* :begun) (loop))');
    await expect.poll(() => valuesOf(session, '*done*'), PATIENT).toEqual([':BEGUN']);
    await emacs.do('(slime-interrupt)');
    expect(await emacs.do('(test-debugger)')).toMatch(/Interrupt/);
    await emacs.do('(test-restart "*ABORT")');
    expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
  });

  it('comes and goes, and leaves no thread behind', async () => {
    const { session, emacs, port, ports, anotherEmacs } = attached();
    for (let round = 1; round <= 3; round += 1) {
      const other = anotherEmacs();
      await other.connect(port);
      await other.begin('(error "left in the debugger")');
      await other.do('(test-debugger)');
      await other.end();
      await expect.poll(() => valuesOf(session, '(length swank::*connections*)'), PATIENT).toEqual(['1']);
    }
    expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
    expect(await ports.stop(session.id)).toEqual({ closed: true, threads: [] });
    await expect.poll(() => threadsOf(session), PATIENT).toEqual(OWN_THREADS);
  });
});
