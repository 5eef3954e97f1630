/** The profile that a person chooses for a client, while its conversations are open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, values } from '../evaluation';
import { PATIENT, ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
}, 60_000);

afterAll(() => harbor.stop());

/** Runs `clients profile …` as a person would; answers its exit code and what it said. */
async function choose(...words: string[]): Promise<{ code: number | null; said: string }> {
  const entry = path.join(ROOT, 'out/electron/command-line.js');
  const child = spawn(process.execPath, [entry, 'clients', 'profile', ...words, '--data', harbor.data], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const ended = once(child, 'exit');
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: (await ended)[0] as number | null, said };
}

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
}

/** How often the client is told that its tools are others now. */
function hearing(client: Client): () => number {
  let heard = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    heard += 1;
  });
  return () => heard;
}

const CLIENTS: [string, (key: string) => Promise<Client>][] = [
  ['HTTP, 2025 era', async (key) => harbor.client('legacy', { token: await harbor.token(key) })],
  ['HTTP, 2026 era', async (key) => harbor.client('modern', { token: await harbor.token(key) })],
  ['stdio, 2025 era', (key) => harbor.stdioClient({ key })],
  ['stdio, 2026 era', (key) => harbor.stdioClient({ key, era: 'modern' })],
];

describe.each(CLIENTS)('a client over %s', (way, connect) => {
  const key = `pilot-${way.replaceAll(/\W+/g, '-')}`;

  it('S3-38 hears that its tools have changed when a person chooses another profile', async () => {
    const client = await connect(key);
    const heard = hearing(client);
    if (way.includes('2026')) await client.listen({ toolsListChanged: true });
    expect(await toolNames(client)).toContain('open_session');
    expect(await values(client, '(defparameter *kept* 42)')).toEqual(['*KEPT*']);
    expect(await choose(key, 'cl-mcp-server')).toEqual({
      code: 0,
      said: `${key} now has cl-mcp-server.\n`,
    });
    await expect.poll(heard, PATIENT).toBe(1);
    const tools = await toolNames(client);
    expect(tools).toContain('evaluate-lisp');
    expect(tools).not.toContain('open_session');
    const { text: told } = await call(client, 'evaluate-lisp', { code: '(* 6 7)' });
    expect(told).toContain('42');
    await expect(call(client, 'images')).rejects.toThrow('Unknown tool: images');
    expect(await choose(key)).toEqual({ code: 0, said: `${key} now has default.\n` });
    await expect.poll(heard, PATIENT).toBe(2);
    // The conversation goes on in the session that it had.
    expect(await values(client, '*kept*')).toEqual(['42']);
  });
});

describe('a chosen profile', () => {
  it('is no other client’s, the only one of its own, and not that of who names one over stdio', async () => {
    const token = await harbor.token('chooser');
    const named = { token, profile: 'cl-mcp-server' };
    const before = await harbor.client('legacy', named);
    expect(await toolNames(before)).toContain('evaluate-lisp');
    await choose('chooser', 'acl2');
    const refusal = /profile_not_chosen: .*profile acl2 for chooser/;
    await expect(call(before, 'evaluate-lisp', { code: '1' })).rejects.toThrow(refusal);
    await expect(harbor.client('legacy', named)).rejects.toThrow(refusal);
    await expect(harbor.client('modern', named)).rejects.toThrow('HTTP 403');
    expect(await toolNames(await harbor.client('legacy', { token, profile: 'acl2' }))).not.toContain(
      'open_session',
    );
    expect(await toolNames(await harbor.client())).toContain('open_session');
    expect(await toolNames(await harbor.client('legacy', { token }))).not.toContain('open_session');
    const overStdio = await harbor.stdioClient({ key: 'desktop', profile: 'nrepl' });
    await choose('desktop', 'acl2');
    expect(await toolNames(overStdio)).toContain('nrepl-eval');
  });

  it('has to be one that there is', async () => {
    const { code, said } = await choose('chooser', 'pascal');
    expect(code).toBe(2);
    expect(said).toMatch(/There is no profile pascal\. There are: .*\bdefault\b/);
  });

  it('is kept from one start to the next', async () => {
    const data = temporaryFolder('kept');
    const before = harbor;
    harbor = await StartedHarbor.start({ data });
    await choose('keeper', 'cl-mcp-server');
    await harbor.stop();
    harbor = await StartedHarbor.start({ data });
    expect(await toolNames(await harbor.stdioClient({ key: 'keeper' }))).toContain('evaluate-lisp');
    await harbor.stop();
    harbor = before;
  });
});
