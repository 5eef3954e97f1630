/** How requests come into this harbor: the one HTTP server, the local socket, and the protocol ports. */
import { randomBytes } from 'node:crypto';
import type { ClientChoices } from '../access/client-choices';
import type { ClientProfiles } from '../access/client-profiles';
import type { Gate } from '../access/gate';
import type { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import type { Client, Scope } from '../contract/model';
import { HttpServer } from '../endpoints/http/http-server';
import type { LisplyBackend } from '../endpoints/lisply/lisply-backend';
import { LisplyHttp } from '../endpoints/lisply/lisply-http';
import { createOrReadBridgeSecret } from '../endpoints/local/bridge-secret';
import { LocalSocket } from '../endpoints/local/local-socket';
import { McpHttp } from '../endpoints/mcp/mcp-http';
import { Tasks } from '../endpoints/mcp/mcp-tasks';
import { SharedConnections } from '../endpoints/mcp/shared-connections';
import type { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Log } from '../host/log';
import type { Sessions } from '../sessions/sessions';
import type { HarborToolbox } from '../tools/toolbox';
import type { CurrentProject } from './compose-project';
import { composeReplTerminals } from './compose-terminals';
import { composeToolCalls } from './compose-tool-calls';
import { harborCommands } from './local-commands';
import type { Endpoints } from './open-endpoints';
import { composePorts } from './ports';

/** What programs of this user may do that come through the local socket. */
const LOCAL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['read', 'evaluate']);

export interface EndpointDependencies {
  options: { kind: 'app' | 'headless'; version: string; lisplyPrefix: string };
  /** Of clients for whom nobody has chosen another. */
  profile: string;
  folder: DataFolder;
  log: Log;
  events: { emit(event: 'changed' | 'stop'): boolean; emit(event: 'show', to?: string): boolean };
  gate: Gate;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  clientChoices: ClientChoices;
  connect: Connect;
  history: History;
  sessions: Sessions;
  toolbox: HarborToolbox;
  project: CurrentProject;
  person: Client;
  lisply: LisplyBackend;
}

/** None is open yet. */
export function composeEndpoints(dependencies: EndpointDependencies): Endpoints & { mcp: McpHttp } {
  const { options, folder, log, events, gate, tokens, sessions, toolbox } = dependencies;
  const { version, kind, lisplyPrefix: prefix } = options;
  const services = { gate, tasks: new Tasks(), stateKey: randomBytes(32), version, log };
  const connections = new SharedConnections(toolbox);
  const mcp = new McpHttp(services, toolbox, connections);
  // A client's requests speak to the session that its conversations over MCP share as well.
  const connectionOf = (client: Client) => connections.of(client, null);
  const lisply = new LisplyHttp({ prefix, backend: dependencies.lisply, connectionOf });
  const http = new HttpServer({ mcp, lisply, tokens, log, version });
  const changed = () => void events.emit('changed');
  const ports = composePorts({ ...dependencies, ...services, lisply, changed });
  const socket = new LocalSocket({
    ...services,
    secret: createOrReadBridgeSecret(folder.bridgeSecret),
    toolbox,
    clientFor: (key) => ({ key, scopes: new Set(dependencies.clientChoices.of(key).scopes ?? LOCAL_SCOPES) }),
    commands: harborCommands({ ...dependencies, kind, http, telnet: ports.telnet }),
    openTerminal: composeReplTerminals(toolbox, sessions),
    sessions: composeToolCalls(sessions, dependencies.history),
  });
  return { mcp, http, socket, ports };
}
