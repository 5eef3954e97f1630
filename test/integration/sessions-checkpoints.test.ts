/** States of sessions on real SBCL: saved, listed, gone back to, branched, dropped; and what is tried and thrown away. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

/** Saving compacts and writes 50 MB: seconds of a core. */
vi.setConfig({ testTimeout: 120_000 });

const TESTER: Client = { key: 'tester', scopes: new Set(['read', 'evaluate']) };
const BY_TESTER = { client: TESTER, grant: null };
const OTHER: Client = { key: 'other', scopes: new Set(['read', 'evaluate']) };
const PERSON: Client = { key: 'window', scopes: new Set(['read', 'evaluate', 'admin']) };

async function value(session: Session, code: string): Promise<string | undefined> {
  const { forms, condition } = await evaluate(session, code).settled;
  expect(condition).toBeNull();
  return forms.at(-1)?.values[0];
}

async function kill(session: Session): Promise<void> {
  process.kill(await pidOf(session), 'SIGKILL');
  await expect.poll(() => session.state, PATIENT).toBe('lost');
}

describe('a checkpoint', () => {
  it('takes a session back: values, functions, and the package; it is not dropped while that began from it', async () => {
    const { open, sessions, checkpoints, checkpointFiles } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *x* 1) (defun f () :old) (defpackage :p (:use :cl)) (in-package :p)')
      .settled;
    const saved = await checkpoints.save(session, BY_TESTER, 'before');
    expect(saved).toMatchObject({ name: 'before', session: session.id, package: 'P', usedBy: [] });
    expect(saved.bytes).toBeGreaterThan(1_000_000);
    await evaluate(session, '(in-package :cl-user) (setf *x* 2) (defun f () :new)').settled;
    await checkpoints.restore(session, saved, BY_TESTER, { discard: true });
    const back = await evaluate(session, '(list cl-user::*x* (cl-user::f) (package-name *package*))').settled;
    expect(back.forms.at(-1)?.values).toEqual(['(1 :OLD "P")']);
    expect(noteTexts(back.notes).join()).toContain(
      'generation 2) because it was restored from checkpoint before',
    );
    await expect(checkpoints.drop(checkpoints.find({ id: saved.id }, TESTER))).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(session.id),
    });
    expect(readdirSync(checkpointFiles)).toHaveLength(1);
    await sessions.close(session);
    await checkpoints.drop(checkpoints.find({ id: saved.id }, TESTER));
    expect(readdirSync(checkpointFiles)).toEqual([]);
    expect(checkpoints.list(TESTER)).toEqual([]);
  });

  it('is restored after the present state was saved, once, so that it can come back', async () => {
    const { open, checkpoints } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *x* 1)').settled;
    const one = await checkpoints.save(session, BY_TESTER, 'one');
    await evaluate(session, '(setf *x* 2)').settled;
    const { savedAs } = await checkpoints.restore(session, one, BY_TESTER);
    expect(await value(session, '*x*')).toBe('1');
    await evaluate(session, '(setf *x* 3)').settled;
    const back = await checkpoints.restore(session, savedAs ?? one, BY_TESTER);
    expect(await value(session, '*x*')).toBe('2');
    const [three, list] = [back.savedAs ?? one, checkpoints.list(TESTER)];
    await checkpoints.restore(session, three, BY_TESTER);
    const again = await checkpoints.restore(session, one, BY_TESTER);
    expect([again.savedAs?.name, await value(session, '*x*')]).toEqual([three.name, '1']);
    // The second state was looked at before it was left, and saved again; the third was not.
    expect(checkpoints.list(TESTER)).toHaveLength(list.length + 1);
  });

  it('is not restored over a state that cannot be saved, unless that is discarded: what runs is interrupted, what waits never begins', async () => {
    const { open, checkpoints } = sessionsFixture();
    const session = await open();
    const saved = await checkpoints.save(session, BY_TESTER, 'before');
    const refused = async (code: string) => {
      const { generation } = session;
      await expect(checkpoints.restore(session, saved, BY_TESTER)).rejects.toMatchObject({
        code,
        message: expect.stringContaining('Nothing is restored'),
      });
      expect(session.generation).toBe(generation);
      const { savedAs } = await checkpoints.restore(session, saved, BY_TESTER, { discard: true });
      expect([savedAs, session.generation]).toEqual([null, generation + 1]);
    };
    await evaluate(session, '(sb-thread:make-thread (lambda () (sleep 60)) :name "pump")').settled;
    await refused('threads_running');
    const works = [evaluate(session, '(loop (sleep 0.1))'), evaluate(session, '(defvar *ran* t)')];
    await expect.poll(() => session.state, PATIENT).toBe('running');
    await refused('busy');
    for (const { settled } of works) expect((await settled).outcome).toBe('interrupted');
    expect(await value(session, "(boundp '*ran*)")).toBe('NIL');
  });

  it('is what a lost image begins from, with what was evaluated since', async () => {
    const { open, checkpoints } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *x* 1) (setf *x* 2)').settled;
    await checkpoints.save(session, BY_TESTER, 'two');
    await evaluate(session, '(defun since () (+ *x* 40))').settled;
    await kill(session);
    expect(await value(session, '(since)')).toBe('42');
  });

  it('becomes a session of its own, which goes on when the first one has ended', async () => {
    const { open, sessions, checkpoints, project } = sessionsFixture();
    const first = await open();
    await evaluate(first, '(defvar *x* (list 1 2))').settled;
    const saved = await checkpoints.save(first, BY_TESTER);
    await sessions.close(first);
    const from = checkpoints.origin(saved);
    const second = await sessions.open({ client: 'tester', project, engine: 'sbcl', from });
    expect(await value(second, '(setf (first *x*) 7) *x*')).toBe('(7 2)');
    await kill(second);
    expect(await value(second, '*x*')).toBe('(1 2)');
    expect(checkpoints.list(TESTER)[0]?.usedBy).toEqual([second.id]);
  });

  it('that is dropped leaves a session what it began with before', async () => {
    const { open, checkpoints } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *x* 1) (setf *x* 2)').settled;
    const saved = await checkpoints.save(session, BY_TESTER);
    await checkpoints.drop(saved);
    await kill(session);
    expect(await value(session, '*x*')).toBe('1');
  });

  it('has a name of its own among those of a client in a project, and is seen by that client and the person only', async () => {
    const { open, checkpoints, project } = sessionsFixture();
    const session = await open();
    await checkpoints.save(session, BY_TESTER, 'same');
    expect(checkpoints.list(OTHER)).toEqual([]);
    expect(() => checkpoints.find({ name: 'same', project }, OTHER)).toThrow(/no checkpoint same/);
    expect(checkpoints.list(PERSON).map(({ name }) => name)).toEqual(['same']);
    await expect(checkpoints.save(session, BY_TESTER, 'same')).rejects.toMatchObject({
      code: 'bad_arguments',
    });
    expect((await checkpoints.save(session, BY_TESTER)).name).not.toBe('same');
  });

  it('waits for nobody: a session that evaluates is busy', async () => {
    const { open, checkpoints } = sessionsFixture();
    const session = await open();
    const running = evaluate(session, '(sleep 100)');
    await expect.poll(() => session.state, PATIENT).toBe('running');
    await expect(checkpoints.save(session, BY_TESTER)).rejects.toMatchObject({ code: 'busy' });
    await session.cancel(running);
    await running.settled;
  });

  it('is not saved while threads live, which are named; a replay opens a session all the same', async () => {
    const { open, sessions, checkpoints, project } = sessionsFixture();
    const session = await open();
    await evaluate(
      session,
      '(defun f () 5) (defvar *t* (sb-thread:make-thread (lambda () (sleep 1000)) :name "poller"))',
    ).settled;
    await expect(checkpoints.save(session, BY_TESTER)).rejects.toMatchObject({
      code: 'threads_running',
      message: expect.stringContaining('poller'),
    });
    const from = checkpoints.replayed(session);
    const second = await sessions.open({ client: 'tester', project, engine: 'sbcl', from });
    expect(noteTexts(second.pendingNotes).join()).toContain('2 forms of the history, evaluated again');
    expect(await value(second, '(f)')).toBe('5');
    await kill(second);
    expect(await value(second, '(f)')).toBe('5');
  });

  it('outlives the harbor; what has lost its file or its row is tidied away', async () => {
    const { open, checkpoints, checkpointFiles, history } = sessionsFixture();
    const session = await open();
    const saved = await checkpoints.save(session, BY_TESTER, 'kept');
    await checkpoints.tidy();
    expect(checkpoints.list(TESTER).map(({ name }) => name)).toEqual(['kept']);
    history.checkpoints.remove(saved.id);
    await checkpoints.tidy();
    expect(readdirSync(checkpointFiles)).toEqual([]);
    expect(existsSync(checkpointFiles)).toBe(true);
  });
});
