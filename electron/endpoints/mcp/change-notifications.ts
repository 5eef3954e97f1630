/** Notifies clients of changes of tools and resources: those of the 2025 era, and streams of later ones. */

import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Log } from '../../host/log';
import type { Change } from '../../tools/resources/resources';
import type { Connection } from '../../tools/toolbox';

/**
 * The resources that a client of the 2025 era is notified about: those it subscribed to, and the list once it
 * was requested. Earlier notifications would break small stdio clients that treat every line as the response
 * to their last request.
 */
export class ResourceInterest {
  readonly #subscribed = new Set<string>();
  #listed = false;

  /** Called when the client requested the list. */
  listed(): void {
    this.#listed = true;
  }

  subscribe(uri: string): void {
    this.#subscribed.add(uri);
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(uri);
  }

  /** Reports whether the client is notified of a change. */
  covers(change: Change): boolean {
    switch (change.kind) {
      case 'tools':
        return true;
      case 'resources':
        return this.#listed || this.#subscribed.size > 0;
      case 'resource':
        return this.#subscribed.size > 0 && this.#subscribed.has(change.uri);
    }
  }
}

/**
 * Notifies the client of changes for the lifetime of its server. A client of the 2025 era is notified after
 * it sent `initialized`, and only of what it subscribed to or listed. Later clients subscribe per stream,
 * which the SDK handles.
 * @returns a function that stops it
 */
export function notifyChanges(
  server: Server,
  { log }: { log: Log },
  { connection, interest }: { connection: Connection; interest?: ResourceInterest },
): () => void {
  let stop = (): void => undefined;
  const begin = () => {
    stop = connection.watch((change) => {
      if (interest && !interest.covers(change)) return;
      // A client that is disconnecting misses the notification.
      send(server, change).catch((error) => log.debug(`A change notification failed: ${String(error)}`));
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

/**
 * Returns the event bus of `subscriptions/listen` over HTTP (MCP 2026-07-28). Each stream watches on its own.
 */
export function changeBus(connection: Connection): ServerEventBus {
  return {
    publish() {
      // Only the connection publishes changes.
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
