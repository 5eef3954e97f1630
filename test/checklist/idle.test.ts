/** Rows about sessions that nobody uses: they stay for as long as they are wanted, and whoever ends one is told what goes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { PATIENT, ROOT, StartedHarbor } from '../started-harbor';

interface Images {
  sessions: {
    session: string;
    pid: number;
    generation: number;
    state: string;
    memory_bytes: number;
    last_used_at: string;
  }[];
  memory: { ready_images: number };
}

const started: StartedHarbor[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((harbor) => harbor.stop()));
});

/** A harbor that keeps images ready however little memory other programs leave. */
async function start(command?: readonly [string, ...string[]]): Promise<StartedHarbor> {
  const [args, settings] = [['--engine', 'sbcl'], { keepReady: true, memoryReserveMiB: 0 }];
  const harbor = await StartedHarbor.start({ args, settings, ...(command ? { command } : {}) });
  started.push(harbor);
  return harbor;
}

const images = async (client: Client) => (await call<Images>(client, 'images')).structured;

/** A harbor whose clock a day can be taken from. */
const WITH_LATER_CLOCK = [
  process.execPath,
  '--import',
  path.join(ROOT, 'test/later-clock.ts'),
  path.join(ROOT, 'out/electron/serve.js'),
] as const;

describe('acl2-mcp-bridge: no automatic session timeout', () => {
  it('S3-30 a session idle for 25 hours is valid with all its state, and what runs goes on', async () => {
    const harbor = await start(WITH_LATER_CLOCK);
    const clients = [
      await harbor.client('legacy'),
      await harbor.client('modern'),
      await harbor.stdioClient(),
    ];
    for (const client of clients) expect(await values(client, '(defvar *kept* 7)')).toEqual(['*KEPT*']);
    const [http] = clients as [Client];
    const opened = await call<{ session: string }>(http, 'open_session', {});
    const { session } = opened.structured;
    const proof = '(loop until (probe-file "go-on") do (sleep 0.05)) :proved';
    const { structured: running } = await evaluate(http, proof, { session, wait_ms: 0 });
    await expect.poll(async () => (await images(http)).memory.ready_images, PATIENT).toBeGreaterThan(0);
    const before = await images(http);

    harbor.child.kill('SIGUSR2');
    // What was kept ready is not wanted any more: the time has passed indeed.
    await expect.poll(async () => (await images(http)).memory.ready_images, PATIENT).toBe(0);

    const idle = ({ session: id, pid, generation }: Images['sessions'][number]) => ({ id, pid, generation });
    expect((await images(http)).sessions.map(idle)).toEqual(before.sessions.map(idle));
    for (const client of clients) expect(await values(client, '*kept*')).toEqual(['7']);
    expect(await call(http, 'job', { job: running.job, action: 'status' })).toMatchObject({
      structured: { outcome: 'running' },
    });
    writeFileSync(path.join(harbor.project, 'go-on'), '');
    expect(await call(http, 'job', { job: running.job, action: 'wait' })).toMatchObject({
      structured: { outcome: 'ok', values: [':PROVED'] },
    });
  });
});

describe('acl2-mcp-bridge: forgotten sessions', () => {
  it('S3-33 are listed with their memory and when they were used, and ending one loses nothing silently', async () => {
    const harbor = await start();
    for (const client of [await harbor.client(), await harbor.stdioClient()]) {
      const open = async () =>
        (await call<{ session: string }>(client, 'open_session', {})).structured.session;
      const opened = [await open(), await open(), await open()];
      for (const session of opened) await evaluate(client, '(defun precious (x) (* 2 x))', { session });
      const [first, second, third] = opened;
      await evaluate(client, '(+ 1 2)', { session: first });
      const listed = (await images(client)).sessions.filter(({ session }) => opened.includes(session));
      expect(listed.every(({ memory_bytes: bytes }) => bytes > 1024 ** 2)).toBe(true);
      const byIdleness = listed.toSorted((a, b) => a.last_used_at.localeCompare(b.last_used_at));
      expect(byIdleness.map(({ session }) => session)).toEqual([second, third, first]);
      for (const session of opened) {
        const { text } = await call(client, 'close_session', { session });
        expect(text).toContain('in no file: PRECIOUS (function)');
        expect(text).toContain('The history has the code');
      }
    }
  });
});
