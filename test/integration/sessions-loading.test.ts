/** What sessions remember of loaded systems, and what a reset keeps and gives up. */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { system, writeFiles } from './loading-fixture';
import './sbcl-fixture';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

const FILES = {
  'base.asd': system('base', '(:file "base")'),
  'base.lisp': '(defun base () :base)',
  'app.asd': system('app', '', ':depends-on ("base")'),
};

async function opened(): Promise<Session> {
  const { project, open } = sessionsFixture();
  writeFiles(project, FILES);
  return open();
}

function load(session: Session, ...systems: string[]) {
  const code = session.loader.loadCode({ systems });
  return session.evaluate({ client: 'tester', grant: null, kind: 'load', code }).settled;
}

async function reset(session: Session, systems: readonly string[]) {
  const code = session.loader.loadCode({ systems });
  return (await session.reset({ client: 'tester', grant: null, kind: 'load', code }, systems)).settled;
}

const values = async (session: Session, code: string) =>
  (await evaluate(session, code).settled).forms.at(-1)?.values;

describe('a reset', () => {
  it('is a fresh process with the loaded systems loaded again, and a row of the history', async () => {
    const session = await opened();
    await load(session, 'app');
    expect(session.systems).toEqual(['app', 'base']);
    await evaluate(session, '(defvar *mine* 1)').settled;
    const before = await pidOf(session);
    const row = await reset(session, session.systems);
    expect(row).toMatchObject({
      kind: 'load',
      outcome: 'ok',
      code: '(lisp-harbor:load-system "app" "base")',
    });
    expect(row.report?.loaded).toEqual(['app', 'base']);
    expect(noteTexts(row.notes).join()).toContain('fresh (generation 2) because it was reset');
    expect(await pidOf(session)).not.toBe(before);
    expect(await values(session, "(list (base) (boundp '*mine*))")).toEqual(['(:BASE NIL)']);
    expect(session.view()).toMatchObject({ generation: 2, state: 'idle' });
  });

  it('that keeps no systems has none afterwards', async () => {
    const session = await opened();
    await load(session, 'app');
    await reset(session, []);
    expect(session.systems).toEqual([]);
    expect(await values(session, "(fboundp 'base)")).toEqual(['NIL']);
  });

  it('can be asked for again when it failed to load a system', async () => {
    const { project, open } = sessionsFixture();
    writeFiles(project, FILES);
    const session = await open();
    await load(session, 'app');
    writeFiles(project, { 'base.lisp': '(defun base (' });
    expect((await reset(session, session.systems)).outcome).toBe('error');
    writeFiles(project, { 'base.lisp': '(defun base () :mended)' });
    expect((await reset(session, session.systems)).outcome).toBe('ok');
    expect(await values(session, '(base)')).toEqual([':MENDED']);
  });

  it('interrupts what runs, and what waits never begins', async () => {
    const session = await opened();
    const running = evaluate(session, '(loop (sleep 0.1))');
    const waiting = evaluate(session, '(defvar *never* 1)');
    const row = await reset(session, []);
    expect((await running.settled).outcome).toBe('interrupted');
    expect(noteTexts((await waiting.settled).notes)).toEqual([expect.stringContaining('cancelled')]);
    expect(row.outcome).toBe('ok');
    expect(await values(session, "(boundp '*never*)")).toEqual(['NIL']);
  });

  it('revives a session whose image died, with the systems that it had', async () => {
    const session = await opened();
    await load(session, 'app');
    expect((await evaluate(session, '(sb-ext:exit :code 7 :abort t)').settled).outcome).toBe('crashed');
    const row = await reset(session, session.systems);
    expect(noteTexts(row.notes).join()).toContain('fresh (generation 2) because SBCL exited with code 7');
    expect(await values(session, '(base)')).toEqual([':BASE']);
  });

  it('can be cancelled while it waits', async () => {
    const session = await opened();
    const running = evaluate(session, '(sb-sys:without-interrupts (loop (sleep 0.1)))');
    const code = session.loader.loadCode({ systems: [] });
    const evaluation = await session.reset({ client: 'tester', grant: null, kind: 'load', code }, []);
    expect(await session.cancel(evaluation)).toBe(true);
    expect((await evaluation.settled).outcome).toBe('interrupted');
    await running.settled;
    expect(await values(session, '(+ 1 2)')).toEqual(['3']);
  });
});

describe('the report of an evaluation', () => {
  it('is kept in the history as it was', async () => {
    const { project, open, history } = sessionsFixture();
    writeFiles(project, FILES);
    const session = await open();
    const row = await load(session, 'app');
    expect(history.evaluations.find(row.id)?.report).toEqual(row.report);
    const silent = await evaluate(session, '1').settled;
    expect(history.evaluations.find(silent.id)).not.toHaveProperty('report');
  });

  it('has what was told before the image died', async () => {
    const { project, open } = sessionsFixture();
    writeFiles(project, { 'bad.lisp': '(defun bad (x) (+ 1 "two"))' });
    const session = await open();
    const code = session.loader.loadCode({ file: `${project}/bad.lisp` });
    const row = await session.evaluate({
      client: 'tester',
      grant: null,
      kind: 'load',
      code: `${code} (sb-ext:exit :abort t)`,
    }).settled;
    expect(row.outcome).toBe('crashed');
    expect(row.warnings).toContainEqual(
      expect.objectContaining({ severity: 'warning', file: `${project}/bad.lisp`, line: 1, column: 16 }),
    );
  });
});
