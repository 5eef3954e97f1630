/** Emacs and an agent in one image: they share what is defined and disturb each other in nothing else. */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { evaluate } from './sessions-fixture';
import { attachedSession, threadsOf, valuesOf } from './slime-fixture';

describe('Emacs in a sandbox without a network', () => {
  const attached = attachedSession({ unconfined: false });

  it('is in the image that the agent uses', async () => {
    const { session, emacs } = attached();
    expect(session.view().sandbox.confined).toBe(true);
    await evaluate(session, '(defvar *shared* 1) (defun twice (n) (* 2 n))').settled;
    expect(await emacs.evaluate('(incf *shared* (twice 20))')).toBe('("" "41")');
    expect(await emacs.repl('(defun thrice (n) (* 3 n))')).toBe('THRICE');
    expect(await valuesOf(session, '(list *shared* (thrice 5))')).toEqual(['(41 15)']);
  });

  it('is told to the agent, once', async () => {
    const { session, emacs, port } = attached();
    await evaluate(session, 't').settled;
    const notes = async () => noteTexts((await evaluate(session, 't').settled).notes);
    expect(await notes()).toEqual([]);
    await (await session.reset({ client: 'tester', grant: null, kind: 'eval', code: 't' }, [])).settled;
    await emacs.do('(test-disconnected)');
    await emacs.connect(port);
    expect(await notes()).toEqual([expect.stringMatching(/attached.*SLIME/)]);
    expect(await notes()).toEqual([]);
  });
});

describe('while Emacs is attached', () => {
  const attached = attachedSession();

  it('each has its own output, last values, package and printer', async () => {
    const { session, emacs } = attached();
    await evaluate(session, '(list :of-the-agent)').settled;
    expect(await emacs.repl('(progn (princ "for Emacs") :of-emacs)')).toBe('for Emacs\n:OF-EMACS');
    expect(await valuesOf(session, '*')).toEqual(['(:OF-THE-AGENT)']);
    expect(await emacs.repl('*')).toBe(':OF-EMACS');
    await emacs.repl('(in-package :cl)');
    await emacs.repl('(setf *print-base* 16)');
    expect(await emacs.repl('255')).toBe('FF');
    const { stdout, forms } = await evaluate(session, '(princ 255)').settled;
    expect({ stdout, forms }).toMatchObject({ stdout: '255', forms: [{ values: ['255'] }] });
    expect(session.package).toBe('CL-USER');
    await emacs.repl('(cl:in-package :cl-user)');
  });

  it('both evaluate at the same time', async () => {
    const { session, emacs } = attached();
    await evaluate(session, '(defvar *gate* (sb-thread:make-semaphore))').settled;
    const running = evaluate(
      session,
      '(princ "before") (sb-thread:wait-on-semaphore *gate*) (princ "after")',
    );
    const opening = '(progn (princ "meanwhile") (sb-thread:signal-semaphore *gate*) :opened)';
    expect(await emacs.evaluate(opening)).toBe('("meanwhile" ":OPENED")');
    expect(await running.settled).toMatchObject({ outcome: 'ok', stdout: 'beforeafter' });
  });

  it('what is longer than either side may send unasked passes both ways', async () => {
    const { session, emacs } = attached();
    await emacs.do('(setq big (make-string 1000000 ?é))');
    await emacs.do("(slime-eval (list 'cl:setf 'cl-user::*big* big))");
    const looked = '(list (length *big*) (char-code (char *big* 999999)))';
    expect(await valuesOf(session, looked)).toEqual(['(1000000 233)']);
    expect(await emacs.do("(equal big (slime-eval 'cl-user::*big*))")).toBe('t');
  });

  it('code that floods the tunnel ends the connection and nothing else', async () => {
    const { session, emacs, port } = attached();
    const flood = `(let ((id (lisp-harbor-agent::tunnel-id (first lisp-harbor-agent::*tunnels*))))
      (dotimes (i 1000 :flooded)
        (lisp-harbor-agent::send "tunnel-octets" "tunnel" id "octets" (make-string 32768 :initial-element #\\a))))`;
    expect(await valuesOf(session, flood)).toEqual([':FLOODED']);
    await emacs.do('(test-disconnected)');
    await emacs.connect(port);
    expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
  });

  it('its threads say whose they are', async () => {
    const { session } = attached();
    const others = (await threadsOf(session)).filter((name) => !/^(lisp-harbor|main thread)/.test(name));
    expect(others.length).toBeGreaterThan(2);
    for (const name of others) expect(name).toMatch(/^SLIME /);
  });
});
