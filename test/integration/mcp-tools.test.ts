/** Tools as clients see them: the SDK's second-line and first-line clients, in both eras, over real HTTP. */
import { once } from 'node:events';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, initialize, JSON_HEADERS, legacy, modern, openSession } from './endpoint-messages';
import { VERSION } from './endpoint-toolbox';

let harbor: HttpFixture;
const closing: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(async () => {
  await Promise.all(closing.splice(0).map((client) => client.close()));
  await harbor.close();
});

const INFO = { name: 'test', version: '0' };
const REQUEST = { requestInit: { headers: { authorization: 'Bearer token-a' } } };

async function secondLine(mode: 'legacy' | { pin: string }): Promise<ModernClient> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(new URL(harbor.url), REQUEST));
  closing.push(client);
  return client;
}

async function firstLine(): Promise<LegacyClient> {
  const client = new LegacyClient(INFO);
  await client.connect(new LegacyTransport(new URL(harbor.url), REQUEST));
  closing.push(client);
  return client;
}

const CLIENTS = [
  ['the first line, 2025-11-25', firstLine],
  ['the second line, 2025-11-25', () => secondLine('legacy')],
  ['the second line, 2026-07-28', () => secondLine({ pin: '2026-07-28' })],
] as const;

describe.each(CLIENTS)('a client of %s', (_title, open) => {
  it('S1-61 sees name, version, instructions and the tools in a fixed order', async () => {
    const client = await open();
    expect(client.getServerVersion()).toMatchObject({ name: 'lisp-harbor', version: VERSION });
    expect(client.getInstructions()).toBe('Use echo.');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['echo', 'big', 'fail', 'crash', 'who', 'hold']);
    expect(await client.listTools()).toMatchObject({ tools });
  });

  it('S1-62 gets values, failures and large answers', async () => {
    const client = await open();
    expect(await client.callTool({ name: 'echo', arguments: { text: 'grüße' } })).toMatchObject({
      content: [{ type: 'text', text: 'grüße' }],
      structuredContent: { text: 'grüße' },
      isError: false,
    });
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'unknown_session: There is no session x. Open one.' }],
      isError: true,
    });
    const big = await client.callTool({ name: 'big', arguments: { text: '2000000' } });
    expect(big.structuredContent).toEqual({ text: 'λ'.repeat(2_000_000) });
  });

  it('S1-43 S1-67 hears of a defect as -32603, of an unknown tool as -32602', async () => {
    const client = await open();
    await expect(client.callTool({ name: 'crash', arguments: {} })).rejects.toMatchObject({ code: -32603 });
    expect(harbor.log.errors).toEqual(['Tool crash failed']);
    await expect(client.callTool({ name: 'nosuch', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: nosuch\. For this client: (?=.*echo)(?=.*big)/),
    });
  });

  it('hears progress that grows, some of it and the last before the answer', async () => {
    const client = await open();
    const heard: { progress: number; message?: string | undefined }[] = [];
    const holding = harbor.toolbox.held();
    const onprogress = (progress: { progress: number; message?: string | undefined }): void =>
      void heard.push(progress);
    const call = callWithProgress(client, onprogress);
    const held = await holding;
    for (let count = 1; count <= 500; count += 1) held.context.progress?.(`step ${count}`);
    await expect.poll(() => heard.at(-1)?.message).toBe('step 500');
    held.release('done');
    await call;
    expect(heard).toEqual([
      { progress: 1, message: 'step 1' },
      { progress: 2, message: 'step 500' },
    ]);
  });

  it('cancels: the call learns of it and the client goes on', async () => {
    const client = await open();
    const holding = harbor.toolbox.held();
    const abort = new AbortController();
    const refused = expect(callWithSignal(client, abort.signal)).rejects.toThrow();
    const held = await holding;
    expect(held.context.progress).toBeUndefined();
    const aborted = once(harbor.toolbox.events, 'aborted');
    abort.abort('enough');
    await aborted;
    await refused;
    expect(await client.callTool({ name: 'echo', arguments: { text: 'on' } })).toMatchObject({
      isError: false,
    });
    expect(harbor.log.errors).toEqual([]);
  });
});

type AnyClient = ModernClient | LegacyClient;

function callWithProgress(
  client: AnyClient,
  onprogress: (progress: { progress: number; message?: string | undefined }) => void,
) {
  const call = { name: 'hold', arguments: {} };
  return client instanceof LegacyClient
    ? client.callTool(call, undefined, { onprogress })
    : client.callTool(call, { onprogress });
}

function callWithSignal(client: AnyClient, signal: AbortSignal) {
  const call = { name: 'hold', arguments: {} };
  return client instanceof LegacyClient
    ? client.callTool(call, undefined, { signal })
    : client.callTool(call, { signal });
}

describe('calls', () => {
  it('shows and runs only what the token’s scopes allow, in both eras', async () => {
    const reader = { ...JSON_HEADERS, authorization: 'Bearer token-reader' };
    const list = modern(1, 'tools/list');
    const call = modern(2, 'tools/call', { name: 'hold', arguments: {} });
    const session = await openSession(harbor.port, reader);
    const exchanges = [
      [
        { headers: { ...list.headers, ...reader }, body: list.body },
        { headers: { ...call.headers, ...reader }, body: call.body },
      ],
      [
        { headers: session, body: legacy(1, 'tools/list') },
        { headers: session, body: legacy(2, 'tools/call', { name: 'hold', arguments: {} }) },
      ],
    ] as const;
    for (const [listing, calling] of exchanges) {
      const listed = await ask(harbor.port, listing);
      expect(listed.text).toContain('"echo"');
      expect(listed.text).not.toContain('"hold"');
      expect((await ask(harbor.port, calling)).json.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^scope_missing: /) }],
      });
    }
  });

  it('every call passes the gate with its client, endpoint, tool, scope and arguments', async () => {
    const session = await openSession(harbor.port);
    await ask(harbor.port, {
      headers: session,
      body: legacy(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } }),
    });
    expect(harbor.gate.calls).toMatchObject([
      { client: { key: 'a' }, endpoint: 'http', tool: 'echo', scope: 'read', args: { text: 'x' } },
    ]);
  });

  it('S4-48 answers string ids as strings, and S1-67 an unknown method with -32601', async () => {
    const session = await openSession(harbor.port);
    const echo = await ask(harbor.port, { headers: session, body: legacy('unique-id', 'ping') });
    expect(echo.json).toEqual({ jsonrpc: '2.0', id: 'unique-id', result: {} });
    const unknown = await ask(harbor.port, { headers: session, body: legacy(2, 'no/such') });
    expect([unknown.json.id, unknown.json.error?.code]).toEqual([2, -32601]);
  });

  it('tells why the harbor takes no conversation, in both eras', async () => {
    const homeless = { ...JSON_HEADERS, authorization: 'Bearer token-homeless' };
    const list = modern(4, 'tools/list');
    for (const asked of [
      { headers: homeless, body: initialize(4) },
      { headers: { ...list.headers, ...homeless }, body: list.body },
    ]) {
      const { status, json } = await ask(harbor.port, asked);
      expect([status, json.id, json.error?.message]).toEqual([
        403,
        4,
        expect.stringMatching(/^project_not_approved: /),
      ]);
    }
    expect(harbor.log.errors).toEqual([]);
  });

  it('offers tools and prompts, and nothing it does not have', async () => {
    const client = await secondLine({ pin: '2026-07-28' });
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: {},
      resources: { listChanged: true, subscribe: true },
      completions: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
  });
});
