/** Completion of the arguments of prompts and of the variables of resources (MCP server/utilities/completion). */
import type { CompleteRequestParams, CompleteResult, Server } from '@modelcontextprotocol/server';
import { mayUse } from '../access/decide';
import { asProtocol } from './gated-read';
import type { McpCaller } from './mcp-server';

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
