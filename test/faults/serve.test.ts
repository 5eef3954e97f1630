/** What goes wrong around a headless harbor: each fault has its clear sentence and its exit code, and nothing is lost. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';

const started: StartedHarbor[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((harbor) => harbor.stop()));
});

async function start(options: Parameters<typeof StartedHarbor.start>[0] = {}): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start(options);
  started.push(harbor);
  return harbor;
}

/** What a serve that refuses says, and its exit code. */
async function refusal(args: string[]): Promise<{ code: number; stderr: string; stdout: string }> {
  const child = spawnServe(args) as ChildProcess & {
    stdout: NodeJS.ReadableStream;
    stderr: NodeJS.ReadableStream;
  };
  const [[code], stderr, stdout] = await Promise.all([
    once(child, 'exit'),
    text(child.stderr),
    text(child.stdout),
  ]);
  return { code: code as number, stderr, stdout };
}

async function occupiedPort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { server, port: address.port };
}

describe('serve refuses', () => {
  it('an option it does not know, by name, with exit 2', async () => {
    const { code, stderr, stdout } = await refusal(['--no-such-option']);
    expect(code).toBe(2);
    expect(stderr).toContain('--no-such-option');
    expect(stdout).toBe('');
  });

  it('a project that is no folder, and one that must never be one', async () => {
    const data = temporaryFolder('data');
    expect(await refusal(['--data', data, '--project', '/no/such/folder'])).toMatchObject({ code: 2 });
    const home = await refusal(['--data', data, '--project', '/etc']);
    expect(home.code).toBe(1);
    expect(home.stderr).toContain('cannot be a project');
  });

  it('a profile there is not', async () => {
    const { code, stderr } = await refusal(['--data', temporaryFolder('data'), '--profile', 'nope']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/nope.*default/);
  });

  it('a port in use, with exit 1 and what to do', async () => {
    const { server, port } = await occupiedPort();
    const { code, stderr } = await refusal(['--data', temporaryFolder('data'), '--port', String(port)]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} is in use.*--port 0`));
  });

  it('a data folder that another harbor holds, naming it', async () => {
    const harbor = await start();
    const { code, stderr } = await refusal(['--data', harbor.data, '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${harbor.ready.pid}`);
    expect((await evaluate(await harbor.client(), '(+ 1 2)')).structured.values).toEqual(['3']);
  });

  it('a data folder that cannot be written', async () => {
    const file = path.join(temporaryFolder('data'), 'a-file');
    writeFileSync(file, '');
    const { code, stderr } = await refusal(['--data', path.join(file, 'below')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be used.*--data DIR/);
  });

  it('a data folder where the system makes none, at once', async () => {
    const { code, stderr } = await refusal(['--data', '/proc/no-such/data']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/\/proc\/no-such\/data cannot be used.*--data DIR/);
  });

  it('a data folder that is held, with 0 when its own start was hidden', async () => {
    const harbor = await start();
    const { code, stderr, stdout } = await refusal(['--data', harbor.data, '--hidden']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`process ${harbor.ready.pid}`);
  });

  it('a socket folder that cannot be made, naming what to change', async () => {
    const child = spawnServe(['--data', temporaryFolder('data')], { XDG_RUNTIME_DIR: '/proc/no-such' });
    const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(/\/proc\/no-such.*XDG_RUNTIME_DIR/);
  });
});

describe('serve goes on', () => {
  it('with a fresh history when the old one is damaged, which it keeps', async () => {
    const data = temporaryFolder('data');
    writeFileSync(path.join(data, 'history.db'), 'this is no database, whatever its name says'.repeat(100));
    const harbor = await start({ data });
    expect((await evaluate(await harbor.client(), '(+ 1 2)')).structured.values).toEqual(['3']);
    expect(readdirSync(data).filter((name) => name.startsWith('history-damaged'))).toHaveLength(1);
  });

  it('on nbb when the SBCL on the PATH dies at its start, and says why', async () => {
    const bin = temporaryFolder('bin');
    writeFileSync(path.join(bin, 'sbcl'), '#!/bin/sh\necho "fatal: no core here" >&2\nexit 1\n');
    chmodSync(path.join(bin, 'sbcl'), 0o755);
    const harbor = await start({ env: { PATH: `${bin}:${process.env.PATH ?? ''}` } });
    const client = await harbor.client();
    const images = await call<{ default_engine: string; engines: { engine: string; reason?: string }[] }>(
      client,
      'images',
    );
    expect(images.structured.default_engine).toBe('nbb');
    expect(images.structured.engines.find(({ engine }) => engine === 'sbcl')?.reason).toContain(
      'no core here',
    );
    const refused = await call(client, 'open_session', { engine: 'sbcl' });
    expect(refused.text).toMatch(/^engine_(failed|unavailable)/);
    expect((await evaluate(client, '(+ 1 2)')).structured.values).toEqual(['3']);
  });

  it('on a data folder behind a link, with sessions in their sandbox', async () => {
    const folder = temporaryFolder('data');
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', path.join(folder, 'link'));
    const client = await (await start({ data: path.join(folder, 'link') })).client();
    const saved =
      '(with-open-file (out (merge-pathnames "made" (user-homedir-pathname)) :direction :output) (write 1 :stream out))';
    expect((await evaluate(client, saved)).structured.values).toEqual(['1']);
  });

  it('after a harbor that was killed: the lock is taken over, the open row is closed as crashed', async () => {
    const folders = { data: temporaryFolder('data'), project: temporaryFolder('project') };
    const first = await start(folders);
    const client = await first.client();
    // Nobody will ever answer this: its harbor is killed.
    void evaluate(client, '(loop (sleep 0.1))').catch(() => null);
    const newest = async () =>
      (await call<{ rows: { outcome: string }[] }>(client, 'history')).structured.rows[0]?.outcome;
    await expect.poll(newest, PATIENT).toBe('running');
    const ended = once(first.child, 'exit');
    process.kill(first.ready.pid, 'SIGKILL');
    await ended;
    const second = await start(folders);
    const page = await call<{ rows: { outcome: string }[] }>(await second.client(), 'history');
    expect(page.structured.rows[0]?.outcome).toBe('crashed');
  });
});

describe('serve ends', () => {
  it('with exit 0 on SIGTERM, images and socket gone', async () => {
    const harbor = await start();
    const client = await harbor.client();
    await evaluate(client, '(+ 1 2)');
    const images = await call<{ sessions: { pid: number }[]; endpoints: string[] }>(client, 'images');
    const pid = images.structured.sessions[0]?.pid ?? 0;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    expect(await harbor.stop()).toBe(0);
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENT).toBe(false);
    expect(existsSync(path.join(harbor.data, 'harbor.lock'))).toBe(false);
    for (const endpoint of images.structured.endpoints.filter((each) => each.startsWith('/')))
      expect(existsSync(endpoint)).toBe(false);
  });

  it('with exit 0 while an evaluation runs, whose row is closed', async () => {
    const folders = { data: temporaryFolder('data'), project: temporaryFolder('project') };
    const harbor = await start(folders);
    const client = await harbor.client();
    await evaluate(client, '(loop (sleep 0.1))', { wait_ms: 10 });
    expect(await harbor.stop()).toBe(0);
    const again = await start(folders);
    const page = await call<{ rows: { outcome: string }[] }>(await again.client(), 'history');
    expect(page.structured.rows[0]?.outcome).toBe('interrupted');
  });
});
