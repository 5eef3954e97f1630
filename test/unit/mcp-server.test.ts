import type { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { McpCaller, McpServices } from '../../electron/endpoints/mcp/caller';
import { mcpServer } from '../../electron/endpoints/mcp/mcp-server';
import { ModernCalls } from '../../electron/endpoints/mcp/stateless-calls';
import { Tasks } from '../../electron/endpoints/mcp/tasks';

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
