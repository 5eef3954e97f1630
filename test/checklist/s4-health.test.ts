/** Rows of MCP-nREPL about the health of a connection, and about what it is made of: heartbeat, sessions, parts, documents. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { answering, MockNrepl, type MockRequest } from '../nrepl-mock';
import { PATIENT, ROOT, StartedHarbor, terminate, WAYS } from '../started-harbor';

const value = (text: string) => `5:value${text.length}:${text}6:statusl4:doneee`;

async function mock(): Promise<MockNrepl> {
  const server = await MockNrepl.start((request, respond) => respond(answering(request) + value('6')));
  onTestFinished(() => server.stop());
  return server;
}

async function harborOn(server: MockNrepl, options: Parameters<typeof StartedHarbor.start>[0] = {}) {
  const env = { NREPL_PORT: String(server.port), ...options.env };
  const harbor = await StartedHarbor.start({ ...options, env });
  onTestFinished(async () => void (await harbor.stop()));
  return harbor;
}

const health = async (client: Client) =>
  JSON.parse((await call(client, 'nrepl-status')).first).health as Record<string, number>;

const ops = (requests: readonly MockRequest[], op: string) => requests.filter((request) => request.op === op);

describe('MCP-nREPL: the heartbeat', () => {
  it('S4-76 asks the server every 45 seconds, on a connection of its own', async () => {
    const server = await mock();
    const clock = path.join(ROOT, 'test/stepped-clock.ts');
    const command = [process.execPath, '--import', clock, path.join(ROOT, 'out/electron/serve.js')] as const;
    const harbor = await harborOn(server, { command, env: { STEPS: '43000,2000,43000,2000' } });
    const client = await harbor.client('legacy', { profile: 'nrepl' });
    await expect.poll(async () => (await health(client))['last-heartbeat'], PATIENT).toBeGreaterThan(0);
    const beats = () => ops(server.requests, 'describe').length;
    for (let beat = 1; beat <= 2; beat += 1) {
      const [before, last] = [beats(), (await health(client))['last-heartbeat'] ?? 0];
      harbor.child.kill('SIGUSR2');
      for (let each = 0; each < 3; each += 1)
        expect((await call(client, 'nrepl-eval', { code: '(+ 1 2 3)' })).text).toMatch(/^6\b/);
      expect(beats()).toBe(before);
      harbor.child.kill('SIGUSR2');
      await expect.poll(async () => (await health(client))['last-heartbeat'], PATIENT).toBe(last + 45_000);
      expect(beats()).toBe(before + 1);
    }
    const evaluating = server.received.filter((bytes) => bytes.includes('2:op4:eval'));
    expect(evaluating.map((bytes) => bytes.split('8:describe').length - 1)).toEqual([1]);
    expect(server.connections).toBe(2);
  });
});

describe('MCP-nREPL: sessions', () => {
  it('S4-44 are used again: as many evaluations as one likes need one clone each', async () => {
    const server = await mock();
    const client = await (await harborOn(server)).client('legacy', { profile: 'nrepl' });
    const session = JSON.parse((await call(client, 'nrepl-new-session')).first)['new-session'] as string;
    const cloned = ops(server.requests, 'clone').length;
    for (let each = 0; each < 5; each += 1) await call(client, 'nrepl-eval', { code: '1', session });
    expect(ops(server.requests, 'clone')).toHaveLength(cloned);
    expect(ops(server.requests, 'eval')).toHaveLength(5);
  });

  for (const way of WAYS)
    it(`end with the last connection of their client over ${way}`, async () => {
      const server = await mock();
      const harbor = await harborOn(server);
      const watcher = await harbor.client('modern');
      const engines = async (): Promise<string[]> => {
        const { sessions } = (
          await call<{ sessions: { engine: string; client: string }[] }>(watcher, 'images')
        ).structured;
        return sessions.map(({ engine }) => engine);
      };
      const client = await harbor.over(way, 'nrepl');
      await call(client, 'nrepl-new-session');
      await expect.poll(() => server.open, PATIENT).toBe(4);
      if (way === 'HTTP') expect(await engines()).toEqual(['nrepl', 'nrepl']);
      if (way === 'HTTP') await terminate(client);
      await client.close();
      await expect.poll(() => server.open, PATIENT).toBe(0);
      expect(await engines()).toEqual([]);
    });
});

describe('MCP-nREPL: what it is made of', () => {
  for (const way of WAYS)
    it(`S4-64 transport, client, tools and state work together over ${way}`, async () => {
      const server = await mock();
      const harbor = await harborOn(server);
      const client = await harbor.over(way, 'nrepl');
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('nrepl-eval');
      expect((await call(client, 'nrepl-connect', { port: server.port })).text).toContain(`:${server.port}`);
      expect((await call(client, 'nrepl-eval', { code: '(+ 1 2 3)' })).text).toMatch(/^6\b/);
      const told = JSON.parse((await call(client, 'nrepl-status')).first) as Record<string, unknown>;
      expect(told).toMatchObject({ connected: true, 'recent-commands': 1, port: server.port });
    });

  it('S4-65 the document on where things go names what there is', async () => {
    const document = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const section = /## Where things go\n([\s\S]*)/.exec(document)?.[1] ?? '';
    for (const entry of ['a tool', 'an engine', 'another system', 'a kind of server'])
      expect(section).toContain(`**${entry}`);
    const named = [...section.matchAll(/`([\w./-]*[\w-]\.(?:tsx?|clj|lisp|md)|[\w./-]+\/)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(15);
    const isThere = (name: string) =>
      SOURCES.some((source) => source.endsWith(`/${name.replace(/\/$/, '')}`));
    const missing = named.filter((name) => !isThere(name));
    expect(missing).toEqual([]);
  });
});

/** Every file and folder of the sources, with a slash before each part of its path. */
const SOURCES = ['electron', 'renderer', 'resources', 'test'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true }).map((name) => `/${folder}/${String(name)}`),
);
