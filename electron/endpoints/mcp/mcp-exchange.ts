/** One HTTP request to an MCP endpoint, after every check. */
import type { Client } from '../../contract/model';

/** Who asks, and for which profile. */
export interface McpRequest {
  client: Client;
  /** null: the one that is chosen for the client. */
  profile: string | null;
}

export interface McpExchange extends McpRequest {
  request: Request;
  /** The parsed JSON body; undefined for GET and DELETE. */
  body: unknown;
  /** Settles when the answer is complete, or its client has gone away. */
  closed: Promise<unknown>;
}

/**
 * Whom a session belongs to. Scopes are part of it: a session begun with a token of more scopes must not serve
 * one of fewer.
 */
export function ownerOf({ client, profile }: McpRequest): string {
  return JSON.stringify([client.key, [...client.scopes].sort(), profile]);
}
