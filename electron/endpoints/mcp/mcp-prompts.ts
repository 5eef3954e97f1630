/**
 * The prompts of an MCP server (MCP server/prompts), and completion of their arguments and of the variables of resources
 * (server/utilities/completion): the same for every profile and both protocol eras.
 */
import type { CompleteRequestParams, CompleteResult, Server } from '@modelcontextprotocol/server';
import { mayUse } from '../../access/decide';
import { asProtocol, gatedRead } from './gated-read';
import type { McpCaller, McpServices } from './mcp-conversation';

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

/** Most values that one answer may carry, by the protocol. */
const MOST_VALUES = 100;

export function serveCompletion(server: Server, caller: McpCaller): void {
  server.setRequestHandler('completion/complete', ({ params }) =>
    asProtocol(() => completion(mayUse(caller.client, 'read') ? matching(params, caller) : [])),
  );
}

function matching({ ref, argument }: CompleteRequestParams, { connection }: McpCaller): string[] {
  const { prompts, resources } = connection;
  return ref.type === 'ref/prompt'
    ? prompts.complete(ref.name, argument.name, argument.value)
    : resources.complete(ref.uri, argument.name, argument.value);
}

function completion(values: readonly string[]): CompleteResult {
  const hasMore = values.length > MOST_VALUES;
  return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore } };
}
