/** The context of an MCP conversation: its services, its client and connection, and its HTTP request. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallResult, GatedCall } from '../../access/gate';
import type { Grant } from '../../contract/approvals';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import type { Connection, Toolbox } from '../../tools/toolbox';
import type { ResourceInterest } from './change-notifications';
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
