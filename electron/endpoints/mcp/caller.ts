/**
 * The context of an MCP conversation: its services, its client and connection, its HTTP request, and change
 * notifications.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { CallResult, GatedCall } from '../../access/gate';
import type { Grant } from '../../contract/approvals';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import type { Change } from '../../tools/resources/resources';
import type { Connection, Toolbox } from '../../tools/toolbox';
import type { Tasks } from './tasks';

/** Checks scopes and approvals and records the call in `calls`. */
export interface CallGate {
  /** @throws HarborError `scope_missing` before `work` starts, else the error of `work` */
  run<T extends CallResult>(call: GatedCall, work: (grant: Grant | null) => Promise<T>): Promise<T>;
}

/** The services of all MCP endpoints. */
export interface McpServices {
  gate: CallGate;
  /** Signs the state that clients return with a later request. Generated at each start. */
  stateKey: Uint8Array;
  tasks: Tasks;
  /** The app’s version, sent as `serverInfo.version`. */
  version: string;
  log: Log;
}

/** The client of a conversation. `endpoint` is its name in the history’s `calls`. */
export interface McpCaller {
  connection: Connection;
  client: Client;
  endpoint: string;
  /** `modern` is protocol revision 2026-07-28. */
  era: 'legacy' | 'modern';
  /** The resources that a client of the 2025 era subscribed to. For later clients the SDK tracks them. */
  interest?: ResourceInterest;
}

/** The client and the profile of a request. */
export interface McpRequest {
  client: Client;
  /** null: the profile chosen for the client. */
  profile: string | null;
}

export interface McpExchange extends McpRequest {
  req: IncomingMessage;
  /** The response, which the handler writes. */
  res: ServerResponse;
  /** The parsed JSON body; undefined for GET and DELETE. */
  body: unknown;
  /** Resolves when the response is complete or the client disconnected. */
  closed: Promise<unknown>;
}

/** Returns the value of a header, or undefined. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the key of a session’s owner. Scopes are part of it, so that a token with fewer scopes cannot use a
 * session that was opened with more.
 */
export function ownerOf({ client, profile }: McpRequest): string {
  return JSON.stringify([client.key, [...client.scopes].sort(), profile]);
}

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
        return this.#subscribed.has(change.uri);
    }
  }
}

/**
 * Notifies the client of changes for the lifetime of its server. A client of the 2025 era is notified after
 * it sent `initialized`, and only of what it subscribed to or listed. Later clients subscribe per stream,
 * which the SDK handles.
 * @returns a function that stops it
 */
export function notifyChanges(server: Server, services: McpServices, caller: McpCaller): () => void {
  const { connection, interest } = caller;
  let stop = (): void => undefined;
  const begin = () => {
    stop = connection.watch((change) => {
      if (interest && !interest.covers(change)) return;
      // A client that is disconnecting misses the notification.
      send(server, change).catch((error) =>
        services.log.debug(`A change notification failed: ${String(error)}`),
      );
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

interface Shared {
  clientKey: string;
  connection: Connection;
}

/**
 * Connections of clients without sessions: one for each client and profile, shared with its default session
 * by all conversations.
 */
export class SharedConnections {
  readonly #toolbox: Toolbox;
  readonly #shared = new Map<string, Shared>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /**
   * @param profile null: the profile chosen for the client
   * @throws HarborError as `Toolbox.connect`
   */
  of(client: Client, profile: string | null): Connection {
    const owner = ownerOf({ client, profile });
    const known = this.#shared.get(owner);
    if (known) return known.connection;
    const conversation = `of all, ${profile ?? 'chosen'}`;
    const connection = this.#toolbox.connect(client, { profile, shared: true, conversation });
    this.#shared.set(owner, { clientKey: client.key, connection });
    return connection;
  }

  /** Closes the connections of one client, or all. */
  async end(clientKey: string | undefined): Promise<void> {
    const ending = [...this.#shared].filter(
      ([, shared]) => clientKey === undefined || shared.clientKey === clientKey,
    );
    for (const [owner] of ending) this.#shared.delete(owner);
    await Promise.all(ending.map(([, { connection }]) => connection.end()));
  }
}
