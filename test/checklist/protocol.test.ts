/** Rows about the protocol itself, spoken byte by byte to a started harbor. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});
afterAll(() => harbor.stop());

interface Answer {
  status: number;
  headers: Headers;
  body: { result?: Record<string, unknown>; error?: { code: number; message: string }; id?: unknown };
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(harbor.ready.mcp, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${harbor.ready.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
}

/** The body itself, or the last message of an event stream. */
function jsonOf(text: string): Answer['body'] {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  const json = data.at(-1)?.slice('data: '.length) ?? text;
  return json.trim() === '' ? {} : JSON.parse(json);
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

async function session(version = '2025-11-25'): Promise<Record<string, string>> {
  const { headers } = await post(initialize(version));
  const id = headers.get('mcp-session-id') ?? '';
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
  return { 'mcp-session-id': id };
}

describe('MCP over HTTP', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'S1-3 S3-2 S2-62 agrees on %s',
    async (version) => {
      expect((await post(initialize(version))).body.result).toMatchObject({ protocolVersion: version });
    },
  );

  it('S2-62 answers an unknown handshake version with its newest', async () => {
    expect((await post(initialize('1999-01-01'))).body.result).toMatchObject({
      protocolVersion: '2025-11-25',
    });
  });

  it('S1-59 S2-8 tells who it is, and that it has tools', async () => {
    const { result } = (await post(initialize('2025-11-25'))).body;
    expect(result).toMatchObject({ capabilities: { tools: {} }, serverInfo: { name: 'lisp-harbor' } });
  });

  it('S3-4 gives a session an unguessable id of visible ASCII', async () => {
    const ids = await Promise.all([session(), session(), session()]);
    const all = ids.map((headers) => headers['mcp-session-id']);
    expect(new Set(all).size).toBe(3);
    for (const id of all) expect(id).toMatch(/^[\x21-\x7e]{16,}$/);
  });

  it('S1-60 takes initialized without an answer', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, await session());
    expect(answer).toMatchObject({ status: 202, body: {} });
  });

  it('S3-5 S3-6 refuses a request without its session', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBeDefined();
  });

  it('S3-7 does not know other or ended sessions', async () => {
    const unknown = await post(
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { 'mcp-session-id': 'nobody' },
    );
    expect(unknown.status).toBe(404);
  });

  it('S3-37 has no stream outside a session', async () => {
    const response = await fetch(harbor.ready.mcp, {
      headers: { authorization: `Bearer ${harbor.ready.token}`, accept: 'text/event-stream' },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });

  it('S1-61 S3-42 lists tools in a fixed order, each with an honest schema', async () => {
    const headers = await session();
    const list = async () =>
      (await post({ jsonrpc: '2.0', id: 3, method: 'tools/list' }, headers)).body.result;
    const first = (await list()) as { tools: { name: string; inputSchema: { required?: unknown } }[] };
    expect(first.tools.map(({ name }) => name)).toContain('eval');
    for (const { inputSchema } of first.tools) expect(Array.isArray(inputSchema.required ?? [])).toBe(true);
    expect(await list()).toEqual(first);
    expect(JSON.stringify(first).length).toBeLessThan(24 * 1024);
  });

  it('S1-67 answers what is wrong with the right code and goes on', async () => {
    expect((await post('{not valid json}')).body).toMatchObject({ error: { code: -32700 }, id: null });
    const headers = await session();
    const unknownMethod = await post({ jsonrpc: '2.0', id: 4, method: 'no/such' }, headers);
    expect(unknownMethod.body.error?.code).toBe(-32601);
    const unknownTool = await post(
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'nope', arguments: {} } },
      headers,
    );
    expect(unknownTool.body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    });
    const noCode = await post(
      { jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'eval', arguments: {} } },
      headers,
    );
    expect(noCode.body.result).toMatchObject({ isError: true });
    expect((await post({ jsonrpc: '2.0', id: 7, method: 'ping' }, headers)).body.result).toEqual({});
  });

  it('S4-48 echoes a string id', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 'unique-id', method: 'ping' }, await session());
    expect(answer.body.id).toBe('unique-id');
  });

  it('S4-17 S4-26 answers health without a token or a session', async () => {
    const response = await fetch(new URL('/health', harbor.ready.mcp));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', version: expect.any(String) });
  });

  it('S4-27 allows no foreign origin', async () => {
    const preflight = (origin: string) => fetch(harbor.ready.mcp, { method: 'OPTIONS', headers: { origin } });
    const foreign = await preflight('https://example.com');
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const own = await preflight(new URL(harbor.ready.mcp).origin);
    expect(own.status).toBe(204);
    expect(own.headers.get('access-control-allow-origin')).toBe(new URL(harbor.ready.mcp).origin);
  });
});
