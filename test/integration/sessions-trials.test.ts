/** What is tried in a branch of a session's image: its answer is real, and the session is as it was. */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

function tried(session: Session, code: string) {
  return session.evaluate({ client: 'tester', grant: null, kind: 'try', code });
}

/** Has the image take its time between being told that its branch wrote something and reading it. */
const SLOW_RELAY = `(sb-int:encapsulate 'lisp-harbor-agent::poll 'late
  (lambda (poll wanted waiting) (prog1 (funcall poll wanted waiting) (sleep 0.05))))`;

/** In the second form, so that the image is told of the first one meanwhile. */
const PRINTS_LAST = `1 (progn (sleep 0.02)
  (sb-unix:unix-write 1 (make-array 10 :element-type '(unsigned-byte 8) :initial-element 120) 0 10))`;

describe('what is tried', () => {
  it('sees the state, answers as always, and changes nothing', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defvar *x* (list 1))').settled;
    const row = await tried(session, '(print :hello) (warn "w") (push 2 *x*) (in-package :keyword)').settled;
    expect(row).toMatchObject({
      kind: 'try',
      outcome: 'ok',
      package: 'CL-USER',
      stdout: expect.stringContaining(':HELLO'),
    });
    expect(row.warnings).toHaveLength(1);
    expect(row.forms[2]?.values).toEqual(['(2 1)']);
    expect(noteTexts(row.notes).join()).toContain('discarded');
    expect((await evaluate(session, '*x*').settled).forms[0]?.values).toEqual(['(1)']);
    expect(session.view().generation).toBe(1);
  });

  it.each([
    ['an error', '(error "no")', 'error'],
    ['an exit', '(sb-ext:exit :code 3 :abort t)', 'crashed'],
    ['heap exhaustion', '(let (l) (loop (push (make-array 100000) l)))', 'error'],
  ])('survives %s', async (_what, code, outcome) => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(defvar *x* 1)').settled;
    const pid = await pidOf(session);
    expect((await tried(session, code).settled).outcome).toBe(outcome);
    expect((await evaluate(session, '*x*').settled).forms[0]?.values).toEqual(['1']);
    expect(await pidOf(session)).toBe(pid);
  });

  it('tells all that it printed, also where that has come with its end', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, SLOW_RELAY).settled;
    expect(await tried(session, PRINTS_LAST).settled).toMatchObject({
      outcome: 'ok',
      stdout: 'x'.repeat(10),
    });
  });

  it('is interrupted like anything else, the session untouched', async () => {
    const session = await sessionsFixture().open();
    const running = tried(session, '(loop (sleep 0.1))');
    await expect.poll(() => session.state, PATIENT).toBe('running');
    expect(await session.cancel(running)).toBe(true);
    expect((await running.settled).outcome).toBe('interrupted');
    expect((await evaluate(session, '(+ 1 2)').settled).forms[0]?.values).toEqual(['3']);
    expect(session.view().generation).toBe(1);
  });

  it('is ended when it cannot be interrupted, the session untouched', async () => {
    const session = await sessionsFixture().open();
    const running = tried(session, '(sb-sys:without-interrupts (loop (sleep 1)))');
    await expect.poll(() => session.state, PATIENT).toBe('running');
    expect(await session.cancel(running)).toBe(true);
    expect((await running.settled).outcome).not.toBe('ok');
    expect((await evaluate(session, '(+ 1 2)').settled).forms[0]?.values).toEqual(['3']);
    expect(session.view().generation).toBe(1);
  });

  it('is refused while threads live, which are named', async () => {
    const session = await sessionsFixture().open();
    await evaluate(session, '(sb-thread:make-thread (lambda () (sleep 1000)) :name "poller")').settled;
    const row = await tried(session, '1').settled;
    expect(row.outcome).toBe('refused');
    expect(noteTexts(row.notes).join()).toContain('poller');
  });

  it('does not come back with a new image', async () => {
    const session = await sessionsFixture().open();
    await tried(session, '(defun f () 1)').settled;
    process.kill(await pidOf(session), 'SIGKILL');
    await expect.poll(() => session.state, PATIENT).toBe('lost');
    expect((await evaluate(session, "(fboundp 'f)").settled).forms[0]?.values).toEqual(['NIL']);
  });
});
