/** The resources of an MCP server (MCP server/resources): the same for every profile and both protocol eras. */
import type { Server } from '@modelcontextprotocol/server';
import { mayUse } from '../../access/decide';
import { asProtocol, gatedRead } from './gated-read';
import type { McpCaller, McpServices } from './mcp-conversation';
import type { ResourceInterest } from './resource-interest';

export function serveResources(server: Server, services: McpServices, caller: McpCaller): void {
  const { client, connection, interest } = caller;
  const { resources } = connection;
  server.setRequestHandler('resources/list', ({ params }) =>
    asProtocol(() => {
      if (!mayUse(client, 'read')) return { resources: [] };
      interest?.listed();
      const { resources: listed, next } = resources.list(params?.cursor);
      return { resources: listed, ...(next === undefined ? {} : { nextCursor: next }) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: mayUse(client, 'read') ? resources.templates : [],
  }));
  server.setRequestHandler('resources/read', ({ method, params: { uri } }) =>
    gatedRead(services, caller, { method, args: { uri } }, async () => ({
      contents: [await resources.read(uri)],
    })),
  );
  if (interest) serveSubscriptions(server, services, caller, interest);
}

/** The 2025 era's `resources/subscribe`. Later revisions have `subscriptions/listen`, which the SDK serves. */
function serveSubscriptions(
  server: Server,
  services: McpServices,
  caller: McpCaller,
  interest: ResourceInterest,
): void {
  server.setRequestHandler('resources/subscribe', ({ method, params: { uri } }) =>
    gatedRead(services, caller, { method, args: { uri } }, () => {
      caller.connection.resources.require(uri);
      interest.subscribe(uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    interest.unsubscribe(params.uri);
    return {};
  });
}
