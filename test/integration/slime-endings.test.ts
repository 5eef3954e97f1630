/** How Emacs and an image part: by Emacs, by the person who closes the port, by the image's end. Nothing stays behind. */
import { describe, expect, it } from 'vitest';
import { PATIENT } from '../started-harbor';
import { evaluate } from './sessions-fixture';
import { attachedSession, OWN_THREADS, threadsOf, valuesOf } from './slime-fixture';

describe('an image that lives on', () => {
  const attached = attachedSession();

  it('tells Emacs that nothing confines it', () => {
    expect(attached().emacs.said).toContain('Lisp Harbor: not sandboxed: started with --unconfined\n');
  });

  it('serves several Emacs, and goes on serving the others when one has gone', async () => {
    const { session, emacs, ports, port, anotherEmacs } = attached();
    const second = anotherEmacs();
    await second.connect(port);
    expect(ports.view).toMatchObject([{ connections: 2 }]);
    await emacs.evaluate('(defvar *shared* :first)');
    expect(await second.evaluate('*shared*')).toBe('("" ":FIRST")');
    await second.end();
    await expect.poll(() => ports.view, PATIENT).toMatchObject([{ connections: 1 }]);
    await expect.poll(() => valuesOf(session, '(length swank::*connections*)'), PATIENT).toEqual(['1']);
    expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
  });

  it('keeps no thread of an Emacs that has gone, also not one that waits in SLDB', async () => {
    const { session, emacs, port, anotherEmacs } = attached();
    await emacs.begin('(error "of Emacs")');
    await emacs.do('(test-debugger)');
    await emacs.end();
    await expect.poll(() => threadsOf(session), PATIENT).toEqual(OWN_THREADS);
    expect(await valuesOf(session, 'swank::*connections*')).toEqual(['NIL']);
    await anotherEmacs().connect(port);
  });

  it('keeps none when its port is closed, also not one that loops as it is ended', async () => {
    const { session, ports, port, anotherEmacs } = attached();
    const emacs = anotherEmacs();
    await emacs.connect(port);
    await evaluate(session, '(defvar *begun* nil)').settled;
    await emacs.begin('(progn (setf *begun* t) (unwind-protect (loop) (loop)))');
    await expect.poll(() => valuesOf(session, '*begun*'), PATIENT).toEqual(['T']);
    expect(await ports.stop(session.id)).toEqual({ closed: true, threads: [] });
    await expect.poll(() => threadsOf(session), PATIENT).toEqual(OWN_THREADS);
    await emacs.do('(test-disconnected)');
    expect(ports.view).toEqual([]);
    await expect(emacs.connect(port)).rejects.toThrow(/refused/);
    const again = await ports.open(session.id);
    expect(await ports.open(session.id)).toEqual(again);
    await emacs.connect(again.port);
  });
});

describe('an image that ends', () => {
  const attached = attachedSession();

  it('takes its connections along, and a fresh one is served when Emacs comes again', async () => {
    const { session, emacs, port, ports } = attached();
    await evaluate(session, '(sb-ext:exit :code 3 :abort t)').settled;
    await emacs.do('(test-disconnected)');
    await expect.poll(() => ports.view, PATIENT).toMatchObject([{ session: session.id, connections: 0 }]);
    expect(session.state).toBe('lost');
    await emacs.connect(port);
    expect(session.generation).toBe(2);
    expect(await emacs.evaluate('(defvar *shared* :again)')).toBe('("" "*SHARED*")');
    expect(await valuesOf(session, '*shared*')).toEqual([':AGAIN']);
  });

  it('with its session closes the port', async () => {
    const { sessions, session, emacs, ports, port } = attached();
    sessions.events.on('ended', (id) => void ports.ended(id));
    await sessions.close(session);
    await emacs.do('(test-disconnected)');
    await expect.poll(() => ports.view, PATIENT).toEqual([]);
    await expect(emacs.connect(port)).rejects.toThrow(/refused/);
  });
});
