/** Tells clients of what changes in what they see: by notifications, or over the streams that they listen on. */
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Connection } from '../../tools/connection';
import type { Change } from '../../tools/resources/resource-changes';
import type { McpCaller, McpServices } from './mcp-conversation';

/**
 * For a server that lasts as long as its client's conversation. In the 2025 era the client first says that it is ready,
 * and is told what it has shown interest in; later the SDK knows what each of its streams wants.
 * @returns what ends it
 */
export function tellChanges(server: Server, services: McpServices, caller: McpCaller): () => void {
  const { connection, interest } = caller;
  let stop = (): void => undefined;
  const begin = () => {
    stop = connection.watch((change) => {
      if (interest && !interest.covers(change)) return;
      // A client that is going away misses it; what changed has nothing to do with that.
      send(server, change).catch((error) => services.log.debug(`A change was not told: ${String(error)}`));
    });
  };
  if (interest) server.oninitialized = begin;
  else begin();
  return () => stop();
}

function send(server: Server, change: Change): Promise<void> {
  switch (change.kind) {
    case 'tools':
      return server.sendToolListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    case 'resource':
      return server.sendResourceUpdated({ uri: change.uri });
  }
}

/** Where `subscriptions/listen` over HTTP hears of changes (MCP 2026-07-28): each stream watches for itself. */
export function changeBus(connection: Connection): ServerEventBus {
  return {
    publish() {
      // Nobody but the connection says what changes.
    },
    subscribe: (listener) => connection.watch((change) => listener(asEvent(change))),
  };
}

function asEvent(change: Change): ServerEvent {
  switch (change.kind) {
    case 'tools':
      return { kind: 'tools_list_changed' };
    case 'resources':
      return { kind: 'resources_list_changed' };
    case 'resource':
      return { kind: 'resource_updated', uri: change.uri };
  }
}
