/** One HTTP request to an MCP endpoint, after every check. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../../contract/model';

/** Who asks, and for which profile. */
export interface McpRequest {
  client: Client;
  /** null: the one that is chosen for the client. */
  profile: string | null;
}

export interface McpExchange extends McpRequest {
  req: IncomingMessage;
  /** Whoever handles the exchange answers here. */
  res: ServerResponse;
  /** The parsed JSON body; undefined for GET and DELETE. */
  body: unknown;
  /** Settles when the answer is complete, or its client has gone away. */
  closed: Promise<unknown>;
}

/** The value of a header; undefined where it is not there. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Whom a session belongs to. Scopes are part of it: a session begun with a token of more scopes must not serve
 * one of fewer.
 */
export function ownerOf({ client, profile }: McpRequest): string {
  return JSON.stringify([client.key, [...client.scopes].sort(), profile]);
}
