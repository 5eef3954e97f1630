/** Debugger levels of a started harbor: inside one another, left and given up; who else asks, and what ends meanwhile. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';
import { DebuggedSession } from './debugger-fixture';

let harbor: StartedHarbor;
let client: Client;
let session: DebuggedSession;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const open = async () => {
  session = await DebuggedSession.open(client);
};

const HELD = '(restart-case (error "first") (first-goes-on () :first))';
const SECOND = '(restart-case (error "second") (second-goes-on () :second))';

describe('a held session', () => {
  it('refuses what does not name its level, and evaluates what does', async () => {
    await open();
    const evaluation = await session.hold(HELD);
    for (const level of [undefined, 2]) {
      const refused = await session.evaluate('(defvar *ran* t)', level === undefined ? {} : { level });
      expect(refused.structured).toMatchObject({ outcome: 'refused', forms: [] });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain(`suspended at debugger level 1, by evaluation ${evaluation.id}`);
      expect(refused.text).toContain('pass level: 1');
    }
    expect(await session.values("(boundp '*ran*)", { level: 1 })).toEqual(['NIL']);
    const none = await DebuggedSession.open(client);
    expect((await none.evaluate('1', { level: 1 })).structured).toMatchObject({
      outcome: 'refused',
      notes: expect.arrayContaining(['No evaluation is suspended at debugger level 1; omit level.']),
    });
  });

  it('evaluates inside the condition’s dynamic context, without its handlers', async () => {
    await open();
    await session.evaluate('(defvar *depth* 0)');
    await session.hold(`
      (handler-bind ((error (lambda (c) (declare (ignore c)) (incf *depth*))))
        (let ((*depth* 10)) ${HELD}))`);
    expect(await session.values('*depth*', { level: 1 })).toEqual(['11']);
    await session.evaluate('(error "reported")', { level: 1 });
    expect(await session.values('*depth*', { level: 1 })).toEqual(['11']);
    const left = await session.evaluate("(invoke-restart 'first-goes-on)", { level: 1 });
    expect(left.structured.notes.join()).toMatch(/debugger level at which this was evaluated was left/);
    await expect.poll(() => session.state(), PATIENT).toBe('idle');
    expect(await session.values('(list * *depth*)')).toEqual(['(:FIRST 0)']);
  });

  it('reports an error at its level and stays there', async () => {
    await open();
    await session.hold(HELD);
    const reported = await session.evaluate('(error "inside")', { level: 1 });
    expect(reported.structured).toMatchObject({ outcome: 'error', condition: { level: 2 } });
    expect((await session.debug('show')).structured.level).toBe(1);
  });

  it('refuses what waited behind the evaluation that is held', async () => {
    await open();
    const waited = '(loop until (probe-file "go-on") do (sleep 0.01))';
    const first = session.evaluate(`${waited} ${HELD}`, { on_error: 'debug' });
    await expect.poll(() => session.state(), PATIENT).toBe('running');
    const second = session.evaluate('(defvar *ran* t)');
    const rows = () => call<{ rows: unknown[] }>(client, 'history', { session: session.session });
    await expect.poll(async () => (await rows()).structured.rows.length, PATIENT).toBe(2);
    writeFileSync(path.join(harbor.project, 'go-on'), '');
    expect((await second).structured.outcome).toBe('refused');
    expect((await first).structured.outcome).toBe('debugger');
  });

  it('is not one: debug says how to hold an error', async () => {
    await open();
    const { text, isError } = await session.debug('show');
    expect(text).toMatch(/^not_held: .*on_error: "debug"/);
    expect(isError).toBe(true);
  });
});

it('is shown whole, and prints as anywhere, where it is held deep inside of a print', async () => {
  await open();
  const condition = await session.hold(`
    (defclass leaf () ())
    (defmethod print-object ((leaf leaf) stream) (let ((local '(1 (2 (3))))) (error "no ~S ~S" stream local)))
    (defun nest (depth) (if (zerop depth) (make-instance 'leaf) (list (nest (1- depth)))))
    (prin1-to-string (nest 30))`);
  expect(condition.condition?.message).toMatch(/\(1 \(2 \(3\)\)\)$/);
  const { structured } = await session.debug('show');
  expect(structured.debugger.frames.map(({ call: frame }) => frame)).not.toContain('#');
  const frame = (await session.debug('frame', { frame: 0 })).structured.frame;
  expect(frame.locals).toContainEqual(expect.objectContaining({ name: 'LOCAL', value: '(1 (2 (3)))' }));
  expect(await session.values("(prin1-to-string '(1 (2)))", { level: 1 })).toEqual(['"(1 (2))"']);
});

describe('levels inside one another', () => {
  /** Level 1 holds "first", level 2 "second". */
  async function two() {
    await open();
    const first = await session.hold(HELD);
    const second = await session.hold(SECOND, { level: 1 });
    return { first, second };
  }

  it('are shown innermost first, with the restarts and frames of all', async () => {
    const { first, second } = await two();
    const { structured, text } = await session.debug('show');
    expect(structured.level).toBe(2);
    expect(structured.debugger.levels).toEqual([
      { level: 2, evaluation: second.id, type: 'SIMPLE-ERROR', message: 'second' },
      { level: 1, evaluation: first.id, type: 'SIMPLE-ERROR', message: 'first' },
    ]);
    expect(structured.debugger.restarts.map(({ description }) => description)).toEqual([
      'SECOND-GOES-ON',
      'Return to debugger level 1.',
      'Return to the top level.',
      'FIRST-GOES-ON',
    ]);
    expect(text).toContain(`level 2 (evaluation ${second.id}): [SIMPLE-ERROR] second`);
  });

  it('are left one by one by their restarts', async () => {
    const { first, second } = await two();
    const inner = (await session.debug('restart', { restart: 'second-goes-on' })).structured;
    expect(inner).toMatchObject({ state: 'debugger', level: 1 });
    expect(inner.evaluation).toMatchObject({ id: second.id, outcome: 'ok', values: [':SECOND'] });
    const outer = (await session.debug('restart', { restart: 'first-goes-on' })).structured;
    expect(outer).toMatchObject({ state: 'idle', level: 0 });
    expect(outer.evaluation).toMatchObject({ id: first.id, outcome: 'ok', values: [':FIRST'] });
  });

  it('are left together by a restart of an outer one', async () => {
    const { first, second } = await two();
    const { structured } = await session.debug('restart', { restart: 'first-goes-on' });
    expect(structured).toMatchObject({ state: 'idle', level: 0 });
    expect(structured.evaluation).toMatchObject({ id: first.id, outcome: 'ok', values: [':FIRST'] });
    const row = (await session.job(second, 'status')).structured;
    expect(row).toMatchObject({ outcome: 'error', condition: { message: 'second', level: 2 } });
  });

  it('are given up one at a time', async () => {
    const { first, second } = await two();
    const once = await session.debug('abort');
    expect(once.isError).toBe(false);
    expect(once.text).toContain(`; Aborted · evaluation ${second.id}`);
    expect(once.structured).toMatchObject({
      state: 'debugger',
      level: 1,
      evaluation: { id: second.id, outcome: 'error' },
    });
    const twice = await session.debug('abort');
    expect(twice.isError).toBe(false);
    expect(twice.text).toContain(`; Aborted · evaluation ${first.id}`);
    expect(twice.structured).toMatchObject({
      state: 'idle',
      level: 0,
      evaluation: { id: first.id, outcome: 'error' },
    });
  });

  it('are given up all at once, with their cleanup forms', async () => {
    await open();
    await session.evaluate('(defvar *cleaned* nil)');
    const first = await session.hold('(unwind-protect (error "first") (push :first *cleaned*))');
    await session.hold('(unwind-protect (error "second") (push :second *cleaned*))', { level: 1 });
    const { structured } = await session.debug('abort', { level: 0 });
    expect(structured).toMatchObject({ state: 'idle', level: 0, evaluation: { id: first.id } });
    expect(await session.values('*cleaned*')).toEqual(['(:FIRST :SECOND)']);
    expect((await session.debug('abort')).text).toMatch(/^not_held/);
  });

  it('go deeper than SBCL nests errors', async () => {
    await open();
    await session.hold('(error "0")');
    for (let level = 1; level <= 20; level += 1)
      expect(await session.hold(`(error "~D" ${level})`, { level })).toMatchObject({ outcome: 'debugger' });
    expect((await session.debug('abort', { level: 5 })).structured).toMatchObject({ level: 5 });
    expect((await session.debug('abort', { level: 0 })).structured).toMatchObject({
      level: 0,
      state: 'idle',
    });
    expect(await session.values('(+ 1 2)')).toEqual(['3']);
  });
});

describe('what else happens while an evaluation is held', () => {
  it('a cancel of its job gives all up and keeps the state', async () => {
    await open();
    await session.evaluate('(defvar *kept* 7)');
    const first = await session.hold(HELD);
    await session.hold(SECOND, { level: 1 });
    const cancelled = await session.job(first, 'cancel');
    expect(cancelled.structured).toMatchObject({ outcome: 'error', condition: { message: 'first' } });
    expect(await session.state()).toBe('idle');
    expect(await session.values('*kept*')).toEqual(['7']);
  });

  it('a cancel also stops what runs at its level, and a restart whose argument loops', async () => {
    for (const busy of ['(loop (sleep 0.1))', null]) {
      await open();
      const first = await session.hold(HELD);
      const running = busy
        ? session.evaluate(busy, { level: 1 })
        : session.debug('restart', { restart: 'first-goes-on', arguments: ['(loop (sleep 0.1))'] });
      if (busy) await expect.poll(() => session.state(), PATIENT).toBe('running');
      expect((await session.job(first, 'cancel')).structured.outcome).toMatch(/^(error|interrupted)$/);
      await running;
      expect(await session.state()).toBe('idle');
    }
  });

  it('an evaluation at its level is cancelled alone', async () => {
    await open();
    await session.hold(HELD);
    const inner = await session.evaluate('(loop (sleep 0.1))', { level: 1, wait_ms: 20 });
    expect((await session.debug('show')).text).toMatch(/^not_held: Evaluation \d+ runs at debugger level 1/);
    expect((await session.job(inner.structured, 'cancel')).structured.outcome).toBe('interrupted');
    expect((await session.debug('restart', { restart: 'first-goes-on' })).structured.evaluation.outcome).toBe(
      'ok',
    );
  });

  it('its job waits for whoever chooses', async () => {
    await open();
    const first = await session.hold(HELD);
    const waiting = session.job(first, 'wait');
    const short = await session.job(first, 'wait', { wait_ms: 10 });
    expect(short.structured.outcome).toBe('debugger');
    await session.debug('restart', { restart: 'first-goes-on' });
    expect((await waiting).structured).toMatchObject({ outcome: 'ok', values: [':FIRST'] });
  });

  it('an image that is killed is told, and the session goes on with a new one', async () => {
    await open();
    const first = await session.hold(HELD);
    const images = await call<{ sessions: { session: string; pid: number }[] }>(client, 'images');
    const view = images.structured.sessions.find((each) => each.session === session.session);
    const waiting = session.job(first, 'wait');
    process.kill(view?.pid ?? Number.NaN, 'SIGKILL');
    expect((await waiting).structured).toMatchObject({
      outcome: 'crashed',
      condition: { message: 'first' },
      notes: expect.arrayContaining([expect.stringContaining('SIGKILL')]),
    });
    expect((await session.debug('show')).text).toMatch(/^image_lost/);
    expect((await session.evaluate('(+ 1 2)')).structured).toMatchObject({ outcome: 'ok', values: ['3'] });
  });

  it('a session that is closed ends it', async () => {
    await open();
    const first = await session.hold(HELD);
    const waiting = session.job(first, 'wait');
    await call(client, 'close_session', { session: session.session });
    expect((await waiting).structured).toMatchObject({
      outcome: 'interrupted',
      condition: { message: 'first' },
    });
  });

  it('code that ends the thread is told by every evaluation in it', async () => {
    await open();
    const first = await session.hold(HELD);
    const inner = await session.evaluate('(sb-thread:abort-thread)', { level: 1 });
    expect(inner.structured.outcome).toBe('interrupted');
    expect((await session.job(first, 'wait')).structured.notes.join()).toMatch(/ended the thread/);
    expect(await session.values('(+ 1 2)')).toEqual(['3']);
  });

  it('another conversation of the client sees the same levels and may choose', async () => {
    await open();
    const first = await session.hold(HELD);
    const other = new DebuggedSession(await harbor.client('modern'), session.session);
    const shown = await other.debug('show');
    expect(shown.structured.debugger.levels).toMatchObject([{ evaluation: first.id }]);
    const waiting = session.job(first, 'wait');
    await other.debug('restart', { restart: 'first-goes-on' });
    expect((await waiting).structured.values).toEqual([':FIRST']);
  });
});
