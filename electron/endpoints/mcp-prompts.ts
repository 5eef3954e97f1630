/** The prompts of an MCP server (MCP server/prompts): the same for every profile and both protocol eras. */
import type { Server } from '@modelcontextprotocol/server';
import { mayUse } from '../access/decide';
import { gatedRead } from './gated-read';
import type { McpCaller, McpServices } from './mcp-server';

export function servePrompts(server: Server, services: McpServices, caller: McpCaller): void {
  const { client, connection } = caller;
  server.setRequestHandler('prompts/list', () => ({
    prompts: mayUse(client, 'read') ? connection.prompts.listed : [],
  }));
  server.setRequestHandler('prompts/get', ({ method, params }) => {
    const { name, arguments: given = {} } = params;
    return gatedRead(services, caller, { method, args: { name, arguments: given } }, async () => {
      const { description, text } = await connection.prompts.get(name, given);
      return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    });
  });
}
