/** Lisply in this harbor: on the one HTTP server for who has a token, and on a port of its own for who has none. */

import type { Gate } from '../access/gate';
import { LISPLY_KEY } from '../contract/client-keys';
import type { Client, Scope } from '../contract/model';
import { InnerRequests } from '../endpoints/lisply/inner-requests';
import { LisplyBackend } from '../endpoints/lisply/lisply-backend';
import { LisplyHttp } from '../endpoints/lisply/lisply-http';
import { LisplyPort } from '../endpoints/lisply/lisply-port';
import type { SharedConnections } from '../endpoints/mcp/shared-connections';
import type { Log } from '../host/log';
import type { Options } from '../host/options';

/** Whoever reaches the port: the protocol knows no client. */
const WRAPPER: Client = { key: LISPLY_KEY, scopes: new Set<Scope>(['read', 'evaluate']) };

export interface LisplySurroundings {
  options: Pick<Options, 'lisplyPrefix'>;
  gate: Gate;
  connections: SharedConnections;
  log: Log;
  /** The port has been opened. */
  changed: () => void;
}

export interface Lisply {
  http: LisplyHttp;
  port: LisplyPort;
  /** For the tools of the profile `lisply`. */
  inner: InnerRequests;
}

/** A client's requests speak to the session that its conversations over MCP share as well. */
export function lisplyHere({ options, gate, connections, log, changed }: LisplySurroundings): Lisply {
  const { lisplyPrefix: prefix } = options;
  const connectionOf = (client: Client) => connections.of(client, null);
  const backend = new LisplyBackend({ gate, log });
  const http = new LisplyHttp({ prefix, backend, connectionOf });
  const port = new LisplyPort({ lisply: http, client: WRAPPER, log, changed });
  return { http, port, inner: new InnerRequests(prefix, backend) };
}
