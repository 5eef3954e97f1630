/** Sessions when something goes wrong around them: cancels that come late, a history that fails, folders that move. */
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { Listener } from '../../electron/sessions/listener';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

/** Ends the session's process from outside and waits until that is known. */
async function kill(session: Session): Promise<void> {
  process.kill(await pidOf(session), 'SIGKILL');
  await expect.poll(() => session.state, PATIENT).toBe('lost');
}

/** Whether a process runs; a zombie does not. */
const alive = (pid: number) => existsSync(`/proc/${pid}/exe`);

describe('a cancel', () => {
  it('that comes when the evaluation ends costs no image', async () => {
    const { open } = sessionsFixture();
    const session = await open();
    await evaluate(session, '(defvar *kept* 7)').settled;
    for (let round = 0; round < 100; round += 1) {
      const evaluation = evaluate(session, '(+ 1 2)');
      await delay(round % 4);
      await session.cancel(evaluation);
    }
    const { outcome, forms } = await evaluate(session, '*kept*').settled;
    expect({ outcome, forms }).toEqual({
      outcome: 'ok',
      forms: [{ code: '*kept*', values: ['7'], read: { package: 'COMMON-LISP-USER' } }],
    });
    expect(session.view().generation).toBe(1);
  });

  it('settles at once what waits for its turn', async () => {
    const { open } = sessionsFixture();
    const session = await open();
    const first = evaluate(session, '(loop (sleep 0.1))');
    const second = evaluate(session, '(defvar *never* 1)');
    expect(await session.cancel(second)).toBe(true);
    expect(await second.settled).toMatchObject({ outcome: 'interrupted', forms: [] });
    expect(await session.cancel(second)).toBe(false);
    expect(await session.cancel(first)).toBe(true);
    const { forms } = await evaluate(session, '(boundp (quote *never*))').settled;
    expect(forms[0]?.values).toEqual(['NIL']);
  });

  it('while a new image starts keeps the evaluation from running, and the news for the next one', async () => {
    const { open, project } = sessionsFixture();
    const session = await open();
    await kill(session);
    const evaluation = evaluate(
      session,
      '(with-open-file (out "ran" :direction :output) (write 1 :stream out))',
    );
    await expect.poll(() => session.state, PATIENT).toBe('starting');
    expect(await session.cancel(evaluation)).toBe(true);
    expect(await evaluation.settled).toMatchObject({ outcome: 'interrupted' });
    const next = await evaluate(session, '(+ 1 2)').settled;
    expect(noteTexts(next.notes).join('\n')).toContain('(generation 2)');
    expect(existsSync(`${project}/ran`)).toBe(false);
  });
});

describe('a history that cannot be written', () => {
  const WAITS = /history cannot be written.*queued in memory/;

  it('costs nobody an answer; what waits is there when it can be written', async () => {
    const { open, history, sessions } = sessionsFixture();
    const session = await open();
    const running = evaluate(session, '(progn (loop until (probe-file "go-on")) 42)');
    history.writer.database.pragma('query_only = on');
    const next = evaluate(session, '(defun kept () :kept)');
    await session.cancel(running);
    expect(noteTexts((await running.settled).notes).join('\n')).toMatch(WAITS);
    expect(noteTexts((await next.settled).notes).join('\n')).toMatch(WAITS);
    const other = await open();
    await sessions.close(other);
    history.writer.database.pragma('query_only = off');
    await expect.poll(() => history.notice, PATIENT).toBeNull();
    expect(history.evaluations.page({ limit: 2 }).rows).toMatchObject([
      { id: next.id, outcome: 'ok' },
      { id: running.id, outcome: 'interrupted' },
    ]);
    expect(noteTexts((await evaluate(session, '(kept)').settled).notes)).toEqual(
      noteTexts((await evaluate(session, '(kept)').settled).notes).filter((text) => !WAITS.test(text)),
    );
  });

  it('is no reason to forget what a lost image is made of', async () => {
    const { open, history } = sessionsFixture();
    const session = await open();
    history.writer.database.pragma('query_only = on');
    await evaluate(session, '(defun kept () :kept)').settled;
    await kill(session);
    const { forms, notes } = await evaluate(session, '(kept)').settled;
    expect(forms.at(-1)?.values).toEqual([':KEPT']);
    expect(noteTexts(notes).join('\n')).toMatch(/1 form of the history, evaluated again/);
  });

  it('is told by a listener', async () => {
    const { open, history, sessions } = sessionsFixture();
    const listener = new Listener(await open(), sessions.events, 'you');
    history.writer.database.pragma('query_only = on');
    await listener.submit('(+ 1 2)');
    expect(listener.transcript).toMatch(/\n3\n; The history cannot be written.*queued in memory.*\n\* $/);
  });
});

it('a watcher that throws harms no evaluation', async () => {
  const { open, sessions, told } = sessionsFixture();
  sessions.events.on('closed', () => {
    throw new Error('a defect');
  });
  expect(await evaluate(await open(), '(+ 1 2)').settled).toMatchObject({ outcome: 'ok' });
  expect(told).toHaveLength(1);
});

describe('a project', () => {
  it('in whose place code has put a link gets no new image', async () => {
    const { open, project } = sessionsFixture();
    const work = `${realpathSync(project)}/work`;
    mkdirSync(work);
    const session = await open(work);
    await kill(session);
    renameSync(work, `${work}-moved`);
    symlinkSync('/usr', work);
    const { outcome, notes } = await evaluate(session, '(directory "*")').settled;
    expect(outcome).toBe('crashed');
    expect(noteTexts(notes).join('\n')).toMatch(/no longer the approved folder/);
  });
});

describe('what is left', () => {
  it('of a program that code started: nothing, once its image has ended', async () => {
    const { open, sessions } = sessionsFixture();
    const session = await open();
    const { forms } = await evaluate(
      session,
      '(sb-ext:process-pid (sb-ext:run-program "sleep" (list "600") :search t :wait nil))',
    ).settled;
    const pid = Number(forms[0]?.values[0]);
    expect(alive(pid)).toBe(true);
    await sessions.close(session);
    await expect.poll(() => alive(pid), PATIENT).toBe(false);
  });

  it('of a session: no folder, whether it was closed or never began', async () => {
    const { open, sessions, folders, project } = sessionsFixture();
    const session = await open();
    await expect(open(`${project}/nowhere`)).rejects.toThrow(/no longer the approved folder/);
    expect(readdirSync(folders)).toEqual([session.id]);
    const closings = [sessions.close(session), sessions.close(session)];
    await closings[1];
    expect(session.state).toBe('ended');
    expect(readdirSync(folders)).toEqual([]);
    await closings[0];
    expect(() => evaluate(session, '1')).toThrow(/was closed/);
  });
});
