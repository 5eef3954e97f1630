/** One HTTP request to an MCP endpoint after every check: who asks, for which profile, with what body. */
import type { Client } from '../../contract/model';

export interface McpExchange {
  request: Request;
  /** The parsed JSON body; undefined for GET and DELETE. */
  body: unknown;
  client: Client;
  /** null: the one that is chosen for the client. */
  profile: string | null;
  /** Settles when the answer is complete, or its client has gone away. */
  closed: Promise<unknown>;
}

/**
 * Whom a session belongs to. Scopes are part of it: a session begun with a token of more scopes must not serve
 * one of fewer.
 */
export function ownerOf({ client, profile }: Pick<McpExchange, 'client' | 'profile'>): string {
  return JSON.stringify([client.key, [...client.scopes].sort(), profile]);
}
