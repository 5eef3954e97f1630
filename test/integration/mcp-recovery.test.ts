/** What an agent sees of states that are kept: an image that is killed, checkpoints, and what is tried. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';
import { system, writeFiles } from './loading-fixture';

/** Saving compacts and writes 50 MB: seconds of a core. */
vi.setConfig({ testTimeout: 120_000 });

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const open = async (args: Record<string, unknown> = {}): Promise<string> =>
  (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl', ...args })).structured.session;

interface View {
  session: string;
  pid: number | null;
  state: string;
}

async function view(session: string): Promise<View | undefined> {
  const { structured } = await call<{ sessions: View[] }>(client, 'images');
  return structured.sessions.find((each) => each.session === session);
}

async function kill(session: string): Promise<void> {
  process.kill((await view(session))?.pid ?? Number.NaN, 'SIGKILL');
  await expect.poll(async () => (await view(session))?.state, PATIENT).toBe('lost');
}

interface Kept {
  session?: string;
  checkpoints: { name: string; used_by: string[] }[];
  notes: string[];
}

const checkpoint = (args: Record<string, unknown>) => call<Kept>(client, 'checkpoint', args);

it('a session of 200 definitions and a loaded system is back after kill -9, and says what is not', async () => {
  writeFiles(harbor.project, {
    'lib.asd': system('lib', '(:file "lib")'),
    'lib.lisp': '(defun lib () :lib)\n',
  });
  const session = await open();
  await call(client, 'load', { system: 'lib', session });
  for (let each = 0; each < 200; each += 50) {
    const definitions = Array.from({ length: 50 }, (_, n) => `(defun f${each + n} (x) (+ x ${each + n}))`);
    await evaluate(client, definitions.join('\n'), { session });
  }
  await evaluate(client, '(defvar *seen* 0) (incf *seen*)', { session });
  await kill(session);
  const sum = '(list (lib) *seen* (loop for n below 200 sum (funcall (intern (format nil "F~D" n)) 1)))';
  const { structured, text } = await evaluate(client, sum, { session });
  expect(structured.values).toEqual([`(:LIB 0 ${(199 * 200) / 2 + 200})`]);
  expect(text).toContain('202 forms of the history, evaluated again');
  expect(text).toContain('(incf *seen*)');
});

describe('the tool', () => {
  it('saves, lists, goes back, opens and drops, by name', async () => {
    const session = await open();
    await evaluate(client, '(defvar *x* 1) (setf *x* 2)', { session });
    expect((await checkpoint({ action: 'save', name: 'two', session })).text).toContain('two');
    expect((await checkpoint({ action: 'list' })).structured.checkpoints.map(({ name }) => name)).toEqual([
      'two',
    ]);
    await evaluate(client, '(setf *x* 3)', { session });

    const branched = (await checkpoint({ action: 'branch', name: 'two', session })).structured.session;
    const opened = await open({ checkpoint: 'two' });
    const restored = await checkpoint({ action: 'restore', name: 'two', session });
    const [before] = (await checkpoint({ action: 'list' })).structured.checkpoints;
    expect(restored.text).toContain(`checkpoint ${before?.name}`);
    for (const each of [session, branched, opened])
      expect(await values(client, '*x*', { session: each })).toEqual(['2']);

    const refused = await checkpoint({ action: 'drop', name: 'two' });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^busy/)]);
    for (const each of [session, branched, opened]) await call(client, 'close_session', { session: each });
    await checkpoint({ action: 'drop', name: 'two' });
    const left = (await checkpoint({ action: 'list' })).structured.checkpoints;
    expect(left.map(({ name }) => name)).toEqual([before?.name]);
  });

  it('restores over a state that cannot be saved only when that is discarded', async () => {
    const session = await open();
    await checkpoint({ action: 'save', name: 'still', session });
    await evaluate(client, '(sb-thread:make-thread (lambda () (sleep 60)) :name "pump")', { session });
    const { isError, text } = await checkpoint({ action: 'restore', name: 'still', session });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^threads_running.*pump.*discard/)]);
    const restored = await checkpoint({ action: 'restore', name: 'still', session, discard: true });
    expect([restored.isError, restored.text]).toEqual([false, expect.stringContaining('restored to still')]);
  });

  it.each([
    [{ action: 'restore' }, /bad_arguments.*name of a checkpoint/],
    [{ action: 'restore', name: 'none' }, /unknown_checkpoint/],
    [{ action: 'drop', name: 'none' }, /unknown_checkpoint/],
  ])('refuses %o', async (args, message) => {
    const { isError, text } = await checkpoint(args);
    expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
  });

  it('says what an engine without it offers', async () => {
    const session = (await call<{ session: string }>(client, 'open_session', { engine: 'nbb' })).structured
      .session;
    expect((await checkpoint({ action: 'save', session })).text).toMatch(/^not_supported/);
    expect((await evaluate(client, '1', { session, try: true })).text).toMatch(/^not_supported/);
  });
});

it('what is tried leaves the session as it was', async () => {
  const session = await open();
  await evaluate(client, '(defvar *x* 1)', { session });
  const tried = await evaluate(client, '(incf *x*)', { session, try: true });
  expect(tried.structured.values).toEqual(['2']);
  expect(await values(client, '*x*', { session })).toEqual(['1']);
  const held = await evaluate(client, '1', { session, try: true, on_error: 'debug' });
  expect(held.text).toMatch(/^bad_arguments/);
});
