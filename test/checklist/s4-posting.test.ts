/** Clients of MCP-nREPL that speak HTTP without a library, as the document's Python class and curl lines do. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NREPL_SERVERS, type NreplServer, STARTING_MS } from '../nrepl-server';
import { sampled } from '../rounds';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

let server: NreplServer;
let harbor: StartedHarbor;

const TRIED = sampled('s4-posting', NREPL_SERVERS, 1);

describe.each(TRIED)('MCP-nREPL on $host: clients that only post', ({ start }) => {
  beforeAll(async () => {
    const project = temporaryFolder('project');
    server = await start(project);
    harbor = await StartedHarbor.start({ project, args: ['--profile', 'nrepl'] });
  }, STARTING_MS);
  afterAll(async () => {
    await harbor.stop();
    await server.stop();
  });

  it('S4-25 S4-47 S4-68 S4-69 are answered as the Python class of the document expects', async () => {
    expect(await python('nrepl-status', {})).toContain('connected');
    expect(await python('nrepl-eval', { code: '(+ 1 2 3)' })).toBe('6');
    await python('nrepl-eval', { code: '(def from-python 7)' });
    expect(await python('nrepl-eval', { code: 'from-python' })).toBe('7');
  });

  it('S4-70 S4-31 S4-67 are answered as curl is', async () => {
    expect(await posted({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject({
      id: 1,
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'nrepl-eval' })]) },
    });
    const params = { name: 'nrepl-eval', arguments: { code: '(+ 1 2 3)' } };
    expect(await posted({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })).toMatchObject({
      id: 2,
      result: { content: [{ type: 'text', text: '6' }, expect.anything()] },
    });
    const connect = { name: 'nrepl-connect', arguments: { host: 'localhost', port: server.port } };
    expect(await posted({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: connect })).toMatchObject({
      result: { isError: false },
    });
    expect(await posted({ jsonrpc: '2.0', id: 4, method: 'no/such' })).toMatchObject({
      id: 4,
      error: { code: -32601 },
    });
    expect(await posted({ id: 5 })).toMatchObject({ error: { code: -32600 } });
    // Who names no revision speaks 2025-03-26, which has batches.
    const two = [6, 7].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    expect(await posted(two)).toMatchObject([{ id: 6 }, { id: 7 }]);
  });

  it('need their token all the same', async () => {
    const { status: refused } = await fetch(`${harbor.ready.mcp}/nrepl`, { method: 'POST', body: '{}' });
    expect(refused).toBe(401);
  });
});

/** The first text that Python's client got. */
async function python(tool: string, args: Record<string, unknown>): Promise<string> {
  const { mcp, token } = harbor.ready;
  const script = path.join(import.meta.dirname, 'nrepl-client.py');
  const { stdout } = await promisify(execFile)('python3', [
    script,
    `${mcp}/nrepl`,
    token,
    tool,
    JSON.stringify(args),
  ]);
  return JSON.parse(stdout).content[0].text;
}

/** A message posted as curl does it. */
async function posted(message: object): Promise<unknown> {
  const response = await fetch(`${harbor.ready.mcp}/nrepl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harbor.ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  return response.json();
}
