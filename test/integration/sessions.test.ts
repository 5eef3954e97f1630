/** Sessions through the tools of a started harbor: what happens between clients, images and the history. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

interface Images {
  engines: { engine: string; available: boolean }[];
  default_engine: string;
  sessions: { session: string; state: string; pid: number; memory_bytes: number; generation: number }[];
}

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const open = async (engine: string) =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

const view = async (session: string) => {
  const { sessions } = (await call<Images>(client, 'images')).structured;
  return sessions.find((each) => each.session === session);
};

describe('sessions', () => {
  it('prefers SBCL, offers nbb, and says how Swank is had', async () => {
    const { structured } = await call<Images>(client, 'images');
    expect(structured.default_engine).toBe('sbcl');
    for (const engine of [
      { engine: 'sbcl', available: true },
      { engine: 'nbb', available: true },
      { engine: 'ecl', available: true },
      { engine: 'abcl', available: true },
      { engine: 'ccl', available: false },
      { engine: 'acl2', available: true },
      { engine: 'swank', available: false, servers: [] },
    ])
      expect(structured.engines).toContainEqual(expect.objectContaining(engine));
  });

  it('evaluates on both engines in both eras', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const each = await harbor.client(era);
      expect(await values(each, '(+ 1 2)')).toEqual(['3']);
      const nbb = await call<{ session: string }>(each, 'open_session', { engine: 'nbb' });
      expect(await values(each, '(+ 1 2)', { session: nbb.structured.session })).toEqual(['3']);
    }
  });

  it('take no name that looks like another, and neither do their checkpoints', async () => {
    const session = await open('sbcl');
    for (const name of ['cod\u0435x', 'a\u202eb', 'a\u200bb', 'a\nb', ' a']) {
      const refusal = /^bad_arguments: .* is not a valid name. A name has letters of one alphabet/;
      expect((await call(client, 'open_session', { name })).text).toMatch(refusal);
      expect((await call(client, 'checkpoint', { action: 'save', session, name })).text).toMatch(refusal);
    }
  });

  it('keeps two sessions apart', async () => {
    const [a, b] = [await open('sbcl'), await open('sbcl')];
    await evaluate(client, '(defvar *x* 1)', { session: a });
    const other = await evaluate(client, '*x*', { session: b });
    expect(other.structured.condition?.type).toBe('UNBOUND-VARIABLE');
  });

  it('tells an image that was killed, and goes on with a new one', async () => {
    const session = await open('sbcl');
    const before = await view(session);
    await evaluate(client, '(defvar *kept* 1)', { session });
    const running = evaluate(client, '(loop (sleep 0.1))', { session });
    await expect.poll(async () => (await view(session))?.state, PATIENT).toBe('running');
    process.kill(before?.pid ?? 0, 'SIGKILL');
    const crashed = await running;
    expect(crashed.structured.outcome).toBe('crashed');
    expect(crashed.isError).toBe(true);
    expect(crashed.structured.notes.join('\n')).toMatch(/SIGKILL[\s\S]*definitions are evaluated again/);
    expect((await view(session))?.state).toBe('lost');
    const next = await evaluate(client, '(boundp (quote *kept*))', { session });
    expect(next.structured.values).toEqual(['T']);
    expect(next.structured.notes.join('\n')).toMatch(/new image \(generation 2\)/);
    const row = await call<{ evaluation: { outcome: string } }>(client, 'history', {
      id: crashed.structured.id,
    });
    expect(row.structured.evaluation.outcome).toBe('crashed');
  });

  it('answers a job when the soft limit passes, and follows it to its end', async () => {
    const session = await open('sbcl');
    const early = await evaluate(client, '(progn (print :begun) (finish-output) (loop (sleep 0.1)))', {
      session,
      wait_ms: 50,
    });
    expect(early.structured).toMatchObject({ outcome: 'running', job: expect.stringMatching(/^job-\d+$/) });
    expect(early.isError).toBe(false);
    const { job } = early.structured;
    const output = () => call<{ output: string }>(client, 'job', { job, action: 'output' });
    await expect.poll(async () => (await output()).structured.output, PATIENT).toContain(':BEGUN');
    const cancelled = await call<{ outcome: string }>(client, 'job', { job, action: 'cancel' });
    expect(cancelled.structured.outcome).toBe('interrupted');
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);
  });

  it('interrupts an nbb loop by ending its image, and says so', async () => {
    const session = await open('nbb');
    const early = await evaluate(client, '(loop [] (recur))', { session, wait_ms: 50 });
    const { job } = early.structured;
    const cancelled = await call<{ outcome: string; notes: string[] }>(client, 'job', {
      job,
      action: 'cancel',
    });
    expect(cancelled.structured.outcome).toBe('interrupted');
    expect(cancelled.structured.notes.join()).toMatch(/lost/);
    const next = await evaluate(client, '(+ 1 2)', { session });
    expect(next.structured).toMatchObject({ values: ['3'] });
    expect(next.structured.notes.join()).toMatch(/fresh/);
  });

  it('cancels what waits for its turn without running it', async () => {
    const session = await open('sbcl');
    const first = await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 20 });
    const second = await evaluate(client, '(defvar *never* 1)', { session, wait_ms: 20 });
    expect(second.structured.outcome).toBe('running');
    await call(client, 'job', { job: second.structured.job, action: 'cancel' });
    await call(client, 'job', { job: first.structured.job, action: 'cancel' });
    expect(await values(client, '(boundp (quote *never*))', { session })).toEqual(['NIL']);
  });

  it('refuses the session of another client as if it did not exist', async () => {
    const session = await open('sbcl');
    const stranger = await evaluate(await harbor.client(), '1', { session: 'sbcl-nobody' });
    expect(stranger.text).toMatch(/^unknown_session/);
    const closed = await call(client, 'close_session', { session });
    expect(closed.isError).toBe(false);
    expect((await evaluate(client, '1', { session })).text).toMatch(/^unknown_session/);
  });

  it('goes by its name as well, and its history by its handle alone', async () => {
    const opened = await call<{ session: string }>(client, 'open_session', { name: 'kitchen' });
    const { session } = opened.structured;
    expect(await values(client, '(+ 1 2)', { session: 'kitchen' })).toEqual(['3']);
    expect((await call(client, 'history', { session })).text).toContain('(+ 1 2) => 3');
    expect((await call(client, 'history', { session: 'kitchen' })).text).toBe(
      'No such evaluations in session kitchen. `images` lists the handles of open sessions.',
    );
    await call(client, 'close_session', { session: 'kitchen' });
    expect((await evaluate(client, '1', { session: 'kitchen' })).text).toMatch(/^unknown_session/);
  });

  it('is refused by a name that two have, with the handles of both', async () => {
    const handles: string[] = [];
    for (let each = 0; each < 2; each += 1)
      handles.push(
        (await call<{ session: string }>(client, 'open_session', { name: 'twins' })).structured.session,
      );
    for (const [tool, args] of [
      ['eval', { code: '1' }],
      ['describe', { symbol: 'car' }],
      ['checkpoint', { action: 'list' }],
      ['close_session', {}],
    ] as const) {
      const { text } = await call(client, tool, { ...args, session: 'twins' });
      expect([tool, text]).toEqual([
        tool,
        expect.stringMatching(/^unknown_session: 2 sessions are named twins/),
      ]);
      for (const handle of handles) expect(text).toContain(handle);
    }
    for (const session of handles) await call(client, 'close_session', { session });
  });

  it('refuses a project that no person approved, naming the way', async () => {
    const refused = await call(client, 'open_session', { project: '/var/lib' });
    expect(refused.text).toMatch(/^project_not_approved/);
    expect(refused.isError).toBe(true);
  });

  it('says of arguments what is wrong with them', async () => {
    const unknown = await call(client, 'eval', { code: '1', sesion: 'x' });
    expect(unknown.text).toMatch(/^bad_arguments[\s\S]*sesion/);
    const typed = await call(client, 'eval', { code: 7 });
    expect(typed.text).toMatch(/^bad_arguments[\s\S]*code/);
  });
});

describe('the history', () => {
  it('finds what was evaluated, also after a restart', async () => {
    const folders = { data: temporaryFolder('data'), project: temporaryFolder('project') };
    const first = await StartedHarbor.start(folders);
    await evaluate(await first.client(), '(list :needle (+ 40 2))');
    expect(await first.stop()).toBe(0);
    const second = await StartedHarbor.start(folders);
    const found = await call<{ rows: { code: string; values: string[] }[] }>(
      await second.client(),
      'history',
      {
        query: ':needle (+ 40',
      },
    );
    expect(found.structured.rows).toMatchObject([
      { code: '(list :needle (+ 40 2))', values: ['(:NEEDLE 42)'] },
    ]);
    await second.stop();
  });
});
