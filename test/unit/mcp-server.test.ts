import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import type { McpCaller, McpServices } from '../../electron/endpoints/mcp/caller';
import { mcpServer } from '../../electron/endpoints/mcp/mcp-server';
import { ModernCalls } from '../../electron/endpoints/mcp/stateless-calls';
import { Tasks } from '../../electron/endpoints/mcp/tasks';
import { polled } from '../../electron/host/listeners';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const services = {
  stateKey: new Uint8Array(32),
  tasks: new Tasks(),
  version: '1',
  log,
} as Partial<McpServices>;
const caller = {
  client: { key: 'test', scopes: new Set(['read', 'evaluate']) },
  connection: { tools: [], instructions: '', profile: 'default' },
  endpoint: 'http',
  era: 'modern',
} as unknown as McpCaller;

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

it('reports errors of a tool call under its own method', async () => {
  const reported: string[] = [];
  const makeServer = (): Server => {
    const server = mcpServer(services as McpServices, caller);
    server.onerror = ({ message }) => reported.push(message);
    return server;
  };
  const calls = new ModernCalls(makeServer);
  const answered = Promise.withResolvers<string>();
  const res = {
    writable: true,
    once: () => res,
    writeHead: () => res,
    end: (text: string) => answered.resolve(text),
  };
  const params = { name: 'eval', arguments: {}, requestState: 'forged', _meta };
  calls.answer({ id: 1, params }, res as unknown as Parameters<ModernCalls['answer']>[1]);
  expect(await answered.promise).toContain('invalid_request_state');
  expect(reported).toEqual([expect.stringContaining('tools/call')]);
  await calls.close();
});

// An ordinary call does not pass through the SDK. Its response must be the one that the SDK sends.

const ERAS = { legacy: {}, modern: _meta } as const;
type Era = keyof typeof ERAS;

/** A tool for each way in which a call can end. */
const TOOLS: Readonly<Record<string, () => object>> = {
  value: () => ({ text: '=> 3', structured: { id: 1, values: ['3'] }, asides: ['note: n'], isError: false }),
  failed: () => ({ text: 'error', structured: {}, asides: [], isError: true }),
  refused: () => {
    throw new HarborError('unknown_session', 'There is no such session.');
  },
  broken: () => {
    throw new TypeError('defect');
  },
  slow: () => ({ text: '', structured: {}, asides: [], isError: false }),
  halves: () => ({ text: 'a \ud800 b', structured: { '\udfff': '\ud800' }, asides: [], isError: false }),
};

/** A connected server, and both ways to its answer. */
async function connectedServer(era: Era) {
  const slow = Promise.withResolvers<void>();
  const connection = {
    ...{ tools: [], instructions: '', profile: 'default' },
    needs: (name: string) => (name in TOOLS ? { scope: 'read' } : undefined),
    check: () => undefined,
    accept: () => ({ args: {} }),
    call: async (name: string) => {
      if (name === 'slow') await slow.promise;
      const run = TOOLS[name];
      if (!run) throw new HarborError('unknown_tool', name);
      return run();
    },
  };
  const gate = { run: (_call: unknown, work: (grant: null) => Promise<unknown>) => work(null) };
  const server = mcpServer(
    { ...services, gate } as unknown as McpServices,
    { ...caller, connection, era } as unknown as McpCaller,
  );
  const waiting = new Map<unknown, (answer: JSONRPCMessage) => void>();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    send: async (message) => {
      if ('id' in message && !('method' in message)) waiting.get(message.id)?.(message);
    },
  };
  if (era === 'modern') {
    serveStdio(() => server, { transport, legacy: 'reject' });
  } else {
    await server.connect(transport);
  }
  const throughSdk = (message: JSONRPCMessage): Promise<JSONRPCMessage> =>
    new Promise((resolve) => {
      waiting.set('id' in message ? message.id : undefined, resolve);
      transport.onmessage?.(message);
    });
  if (era === 'legacy') {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await throughSdk({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params });
  }
  return { server, throughSdk, transport, slow };
}

function callOf(id: number | string, params: object): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method: 'tools/call', params } as JSONRPCMessage;
}

describe.each(Object.keys(ERAS) as Era[])('a call of the %s era', (era) => {
  const meta: { _meta?: object } = era === 'modern' ? { _meta: ERAS.modern } : {};

  it.each([
    { name: 'value', arguments: { code: '(+ 1 2)' } },
    { name: 'value' },
    ...['failed', 'refused', 'broken', 'missing', 'halves'].map((name) => ({ name, arguments: {} })),
    { name: 'value', arguments: {}, _meta: { progressToken: 7 } },
  ])('is answered directly as by the SDK: %j', async (params) => {
    const { server, throughSdk } = await connectedServer(era);
    const all = { ...('_meta' in params ? params._meta : {}), ...meta._meta };
    const call = callOf(2, { ...params, ...(Object.keys(all).length > 0 ? { _meta: all } : {}) });
    const expected = await throughSdk(call);
    const direct = await new Promise<JSONRPCMessage>((resolve) => {
      expect(server.answer(call, resolve)).toBe(true);
    });
    expect(JSON.stringify(sorted(direct))).toBe(JSON.stringify(sorted(expected)));
  });

  it.each([
    ['retry', { requestState: 'state' }],
    ['retry with responses', { inputResponses: {} }],
    ['task', { task: { ttl: 1 } }],
    ['unknown metadata', { _meta: { ...meta._meta, 'other/key': 1 } }],
    [
      'other envelope',
      { _meta: { ..._meta, 'io.modelcontextprotocol/clientInfo': { name: 'o', version: '1' } } },
    ],
    ['list of arguments', { arguments: [] }],
    ['name of another type', { name: 1 }],
  ])('is left to the SDK: %s', async (_title, unusual) => {
    const { server, throughSdk } = await connectedServer(era);
    const usual = { name: 'value', arguments: {}, ...meta };
    await throughSdk(callOf(1, usual));
    expect(server.answer(callOf(2, usual), () => undefined)).toBe(true);
    expect(server.answer(callOf(3, { ...usual, ...unusual }), () => undefined)).toBe(false);
    expect(server.answer({ jsonrpc: '2.0', id: 4, method: 'tools/list' }, () => undefined)).toBe(false);
  });

  it('goes through the SDK the first time', async () => {
    const { server } = await connectedServer(era);
    expect(server.answer(callOf(1, { name: 'value', arguments: {}, ...meta }), () => undefined)).toBe(false);
  });

  it.each(['cancelled', 'closed'] as const)('is aborted and not answered when it is %s', async (how) => {
    const { server, throughSdk, transport, slow } = await connectedServer(era);
    await throughSdk(callOf(1, { name: 'value', arguments: {}, ...meta }));
    const answers: JSONRPCMessage[] = [];
    server.answer(callOf(2, { name: 'slow', arguments: {}, ...meta }), (each) => answers.push(each));
    if (how === 'closed') await transport.close();
    else
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    await polled();
    slow.resolve();
    await polled();
    expect(answers).toEqual([]);
  });
});

/** The order of members has no meaning. */
function sorted(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(sorted);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, sorted(value)]),
  );
}
