/** Stepping in a started harbor: (step FORM) is held before each call; code in a frame; and what an engine without a debugger says. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
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

describe('stepping', () => {
  const step = async (way: string) => (await session.debug('step', { step: way })).structured;

  it('goes into calls, over them and out, call by call', async () => {
    await open();
    await session.evaluate('(defun twice (x) (* 2 x)) (defun both (x) (list (twice x) (twice (1+ x))))');
    const first = await session.hold('(step (both 1))');
    expect(first.condition).toMatchObject({ type: 'STEP-FORM-CONDITION', level: 1 });
    expect(first.condition?.message).toContain('(BOTH 1)');
    const into = await step('into');
    expect(into.evaluation).toMatchObject({ id: first.id, outcome: 'debugger' });
    expect(into.evaluation.condition?.message).toContain('(TWICE X)');
    expect((await session.debug('frame')).structured.frame).toMatchObject({
      call: '(BOTH 1)',
      locals: [{ name: 'X', value: '1' }],
    });
    const over = await step('over');
    expect(over.evaluation.condition?.message).toMatch(/\(\+ X 1\)/);
    await step('over');
    const last = await step('over');
    expect(last.evaluation).toMatchObject({ id: first.id, outcome: 'ok', values: ['(2 4)'] });
    expect(last.evaluation.stderr).toBe('; (BOTH 1) => (2 4)\n');
  });

  it('goes out of the function it is in, to the next call of its caller', async () => {
    await open();
    await session.evaluate('(defun twice (x) (* 2 x)) (defun both (x) (list (twice x) (twice (1+ x))))');
    await session.hold('(step (both 1))');
    await step('into');
    expect((await step('into')).evaluation.condition?.message).toContain('(* 2 X)');
    expect((await step('out')).evaluation.condition?.message).toContain('(+ X 1)');
    await session.debug('abort');
  });

  it('goes on without stopping by STEP-CONTINUE', async () => {
    await open();
    await session.evaluate('(defun twice (x) (* 2 x))');
    await session.hold('(step (twice (twice 1)))');
    const { structured } = await session.debug('restart', { restart: 'step-continue' });
    expect(structured.evaluation).toMatchObject({ outcome: 'ok', values: ['4'] });
  });

  it('does not stop where errors are reported', async () => {
    await open();
    await session.evaluate('(defun twice (x) (* 2 x))');
    expect(await session.values('(step (twice 2))')).toEqual(['4']);
  });

  it('is refused where nothing is stepped', async () => {
    await open();
    await session.hold('(error "no step")');
    expect((await session.debug('step')).text).toMatch(/Nothing is being stepped/);
  });
});

it('an engine without a debugger says so', async () => {
  const nbb = await DebuggedSession.open(client, 'nbb');
  const refused = await nbb.evaluate('(+ 1 2)', { on_error: 'debug' });
  expect(refused.text).toMatch(/^not_supported: A session of nbb does not offer `debug`/);
  expect((await nbb.debug('show')).text).toMatch(/^not_supported/);
});

it('reads names in a frame as its function was written', async () => {
  const session = await DebuggedSession.open(client);
  await session.evaluate('(defpackage :fleet (:use :cl))');
  await session.evaluate(
    '(defun knots (ship) (let ((miles 3)) (flet ((per (hours) (/ miles hours ship))) (+ 1 (per 0)))))',
    { package: 'fleet' },
  );
  await session.hold('(fleet::knots :kea)');
  const { debugger: shown } = (await session.debug('show')).structured;
  const at = (name: string) => shown.frames.findIndex(({ call: text }) => text.includes(name));
  const inFrame = async (frame: number, code: string) =>
    (await session.debug('eval', { frame, code })).structured.evaluation.values;
  expect(await inFrame(at('FLEET::PER'), '(list ship miles *package*)')).toEqual([
    '(:KEA 3 #<PACKAGE "FLEET">)',
  ]);
  await session.debug('abort');
  expect(await session.values('*package*')).toEqual(['#<PACKAGE "COMMON-LISP-USER">']);
});
