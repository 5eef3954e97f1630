/** The running app: code fills the disk, in its HOME or project, and is stopped at a small limit. Writes at most 64 MB. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';
import { LANDLOCK_SERVE } from './launchers';

const MIB = 1024 ** 2;

/** Bounded ways to fill a folder that go on if nothing stops them. All are shell scripts; `$to` is the folder. */
const WAYS: Readonly<Record<string, string>> = {
  'one file': 'head -c 24M /dev/zero > $to/filled',
  'many files': 'for n in $(seq 24); do head -c 1M /dev/zero > $to/filled$n; done',
  'a deep folder': 'mkdir -p $to/filled/a/b/c; head -c 24M /dev/zero > $to/filled/a/b/c/d',
  'a file that is deleted while it is open': 'exec 5> $to/filled; rm $to/filled; head -c 24M /dev/zero >&5',
};
const THEN_WAIT = '; for n in $(seq 60); do sleep 1; done; echo survived';

describe.each([
  { sandbox: 'bubblewrap', command: undefined },
  { sandbox: 'landlock', command: LANDLOCK_SERVE },
])('in $sandbox', ({ sandbox, command }) => {
  let harbor: StartedHarbor;
  let client: Client;
  const run = (script: string, args = {}) =>
    evaluate(
      client,
      `(sb-ext:run-program "/bin/sh" (list "-c" ${JSON.stringify(script)}) :output *standard-output*)`,
      args,
    );

  beforeAll(async () => {
    const settings = { sessionDiskMiB: 16, projectGrowthMiB: 16 };
    harbor = await StartedHarbor.start({ settings, ...(command ? { command } : {}) });
    client = await harbor.client();
    expect((await call<{ sandbox: string }>(client, 'images')).structured.sandbox).toContain(sandbox);
  }, 60_000);
  afterAll(() => harbor.stop());
  afterEach(() => {
    for (const name of readdirSync(harbor.project))
      if (name.startsWith('filled')) rmSync(path.join(harbor.project, name), { recursive: true });
  });

  it.each(Object.keys(WAYS).flatMap((way) => ['$PWD', '$HOME'].map((to) => ({ way, to }))))(
    'an evaluation that fills $to by $way is stopped, and nothing is deleted',
    async ({ way, to }) => {
      const opened = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
      const { session } = opened.structured;
      const begun = Date.now();
      const { structured, text } = await run(`to=${to}; ${WAYS[way]}${THEN_WAIT}`, {
        ...{ session, wait_ms: 60_000 },
      });
      expect(structured.outcome, text).toBe('interrupted');
      expect(structured.notes.join('\n')).toContain(to === '$PWD' ? 'projectGrowthMiB' : 'sessionDiskMiB');
      expect(Date.now() - begun).toBeLessThan(50_000);
      if (way === 'one file' && to === '$PWD')
        expect(statSync(path.join(harbor.project, 'filled')).size).toBe(24 * MIB);
      await call(client, 'close_session', { session });
    },
    90_000,
  );

  it('code that wrote less is not stopped, and may write again after it has deleted', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { structured, text } = await run('head -c 12M /dev/zero > filled; sleep 0.6; rm filled; echo ok');
      expect(structured.stdout, text).toContain('ok');
    }
  });

  it('ends the image whose programs go on writing after the evaluation', async () => {
    const opened = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
    const { session } = opened.structured;
    await evaluate(client, '(defvar *kept* 42)', { session });
    const script =
      '(sleep 1; head -c 24M /dev/zero > filled; sleep 60; touch filled-survived) > filled-log 2>&1 < /dev/null &';
    expect((await run(script, { session })).structured.outcome).toBe('ok');
    const generation = async () => {
      const { sessions } = (await call<{ sessions: { session: string; state: string }[] }>(client, 'images'))
        .structured;
      return sessions.find((each) => each.session === session)?.state;
    };
    await expect.poll(generation, PATIENT).not.toBe('idle');
    const { structured } = await evaluate(client, '*kept*', { session });
    expect(structured.values).toEqual(['42']);
    expect(structured.notes.join('\n')).toContain('projectGrowthMiB');
    expect(existsSync(path.join(harbor.project, 'filled'))).toBe(true);
    await call(client, 'close_session', { session });
  }, 60_000);
});
