/**
 * Builds, opens and closes the endpoints of the harbor: the HTTP server, the local socket and the protocol
 * ports.
 */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Approvals } from '../access/approvals';
import type { ClientChoices, ClientProfiles } from '../access/client-settings';

import type { Gate } from '../access/gate';
import type { Tokens } from '../access/tokens';
import { type LisplyBackend, LisplyHttp, type TelnetPort } from '../compat/compat';
import type { Connect } from '../connect/install';
import { ConnectRequest, ProfileChoice } from '../contract/clients';

import { HarborError } from '../contract/errors';
import type { Client, Evaluation, Scope } from '../contract/model';
import { HttpServer } from '../endpoints/http/http-server';
import { type Commands, createOrReadBridgeSecret, LocalSocket } from '../endpoints/local/local-socket';

import type { ToolCallSessions } from '../endpoints/local/tool-calls';
import { SharedConnections } from '../endpoints/mcp/caller';
import { McpHttp } from '../endpoints/mcp/mcp-http';
import { Tasks } from '../endpoints/mcp/tasks';
import type { History } from '../history/history';
import { isLinkedRoute } from '../host/app-link';
import type { DataFolder } from '../host/data-folder';
import { addListeners } from '../host/listeners';
import type { Log } from '../host/log';
import { type Options, PORT_NAMES } from '../host/options';
import type { HarborSummary } from '../host/running-harbor';
import { REPOSITORY, realPath } from '../sandbox/paths';
import type { Projects } from '../sandbox/projects';
import type { OutputEvent } from '../sessions/journal';
import type { Sessions } from '../sessions/sessions';
import type { HarborToolbox } from '../tools/toolbox';
import type { CurrentProject } from './compose-sessions';
import { EditorCommands } from './editor-commands';
import { composePorts, composeReplTerminals, type ProtocolPorts, sessionNamed } from './ports';

/** Scopes of local programs that connect through the local socket. */
const LOCAL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['read', 'evaluate']);

interface EndpointDependencies {
  options: { kind: 'app' | 'headless'; version: string; lisplyPrefix: string };
  /** Profile of clients for which none was chosen. */
  profile: string;
  folder: DataFolder;
  log: Log;
  events: { emit(event: 'changed' | 'stop'): boolean; emit(event: 'show', to?: string): boolean };
  gate: Gate;
  approvals: Approvals;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  clientChoices: ClientChoices;
  connect: Connect;
  history: History;
  sessions: Sessions;
  toolbox: HarborToolbox;
  project: CurrentProject;
  projects: Projects;
  person: Client;
  lisply: LisplyBackend;
}

/** Builds the endpoints. None listens yet. */
export function composeEndpoints(dependencies: EndpointDependencies): Endpoints & { mcp: McpHttp } {
  const { options, folder, log, events, gate, tokens, sessions, toolbox } = dependencies;
  const { version, kind, lisplyPrefix: prefix } = options;
  const services = { gate, tasks: new Tasks(), stateKey: randomBytes(32), version, log };
  const connections = new SharedConnections(toolbox);
  const mcp = new McpHttp(services, toolbox, connections);
  // Lisply requests of a client use the same connection, and so the same session, as its MCP conversations.
  const connectionOf = (client: Client) => connections.of(client, null);
  const lisply = new LisplyHttp({ prefix, backend: dependencies.lisply, connectionOf });
  const http = new HttpServer({ mcp, mounts: [lisply], tokens, log, version });
  const changed = () => void events.emit('changed');
  const ports = composePorts({ ...dependencies, ...services, lisply, changed });
  const socket = new LocalSocket({
    ...services,
    secret: createOrReadBridgeSecret(folder.bridgeSecret),
    toolbox,
    clientFor: (key) => ({ key, scopes: new Set(dependencies.clientChoices.of(key).scopes ?? LOCAL_SCOPES) }),
    commands: harborCommands({
      ...{ ...dependencies, kind, http, telnet: ports.telnet },
      editors: new EditorCommands({ ...dependencies, ports, projectOf: projectOf(sessions) }),
    }),
    openTerminal: composeReplTerminals(toolbox, sessions),
    sessions: composeToolCalls(sessions, dependencies.history),
  });
  return { mcp, http, socket, ports };
}

/** The endpoints of a harbor. A port that cannot be opened is reported and does not stop the harbor. */
export interface Endpoints {
  http: HttpServer;
  socket: LocalSocket;
  ports: ProtocolPorts;
}

/** Why requested endpoints are not open; null or empty if all are. */
export interface OpeningProblems {
  http: HarborError | null;
  /** Errors of the protocol ports and of HTTPS. */
  ports: readonly HarborError[];
}

/**
 * Opens the local socket, HTTP and the ports that `requested` names.
 * @param usual the HTTP port if `requested` has none
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable` for the local socket only
 */
export async function openEndpoints(
  { http, socket, ports }: Endpoints,
  folder: DataFolder,
  requested: Pick<Options, 'port' | 'https' | 'ports' | 'bridgeSocket'>,
  usual: number,
): Promise<OpeningProblems> {
  await socket.listen(folder.socket);
  const problem = await problemOf(http.listen(requested.port ?? usual));
  const problems: (HarborError | null)[] = [];
  if (requested.https) problems.push(await problemOf(http.listenTls(requested.https)));
  for (const name of PORT_NAMES) {
    const port = requested.ports[name];
    if (port !== undefined) problems.push(await problemOf(ports[name].listen(port)));
  }
  const { bridgeSocket } = requested;
  if (bridgeSocket !== undefined) problems.push(await problemOf(ports.bridge.listenAt(bridgeSocket)));
  return { http: problem, ports: problems.filter((each) => each !== null) };
}

/** Closes all endpoints. If one fails to close, the others are closed anyway. */
export async function closeEndpoints({ http, socket, ports }: Endpoints): Promise<void> {
  const endpoints = [...Object.values(ports), http, socket];
  await Promise.allSettled(endpoints.map((endpoint) => endpoint.close()));
}

async function problemOf(listening: Promise<unknown>): Promise<HarborError | null> {
  try {
    await listening;
    return null;
  } catch (error) {
    if (error instanceof HarborError) return error;
    throw error;
  }
}

interface Addressed {
  /** Empty while it is closed. */
  readonly addresses: readonly string[];
}

/**
 * The URLs and socket paths at which this harbor can be reached. It is created before the endpoints, because
 * tools that list the addresses are built first.
 */
export class Addresses {
  readonly #endpoints: Addressed[] = [];

  /** Adds the addresses of these endpoints. */
  add(...endpoints: readonly Addressed[]): void {
    this.#endpoints.push(...endpoints);
  }

  get all(): string[] {
    return this.#endpoints.flatMap(({ addresses }) => addresses);
  }
}

const Named = z.object({ name: z.string().min(1).max(64) });

/** Route that the window opens. */
const Shown = z.object({ to: z.string().refine(isLinkedRoute).optional() });

const Connected = Named.extend(ConnectRequest.shape);
const Previewed = Connected.extend({ action: z.enum(['add', 'remove']) });
const InProject = ConnectRequest.pick({ project: true });

interface CommandDependencies {
  kind: HarborSummary['kind'];
  events: { emit(event: 'stop'): boolean; emit(event: 'show', to?: string): boolean };
  sessions: Sessions;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  http: HttpServer;
  telnet: TelnetPort;
  editors: EditorCommands;
}

function harborCommands(dependencies: CommandDependencies): Commands {
  const { kind, events, sessions, tokens, clientProfiles, connect, http, telnet, editors } = dependencies;
  const summary = (): HarborSummary => ({ kind, pid: process.pid, url: http.url, sessions: sessions.names });
  return {
    status: async () => summary(),
    show: async (args) => events.emit('show', Shown.parse(args).to),
    stop: async () => {
      // The reply is sent first, because stopping closes the socket.
      setImmediate(() => events.emit('stop'));
      return true;
    },
    // The new token replaces any token of the same name.
    'issue-token': async (args) =>
      tokens.issue(Named.parse(args).name, ['read', 'evaluate'], { replace: true }).token,
    'clients-profile': async (args) => {
      const { client, profile } = ProfileChoice.parse(args);
      clientProfiles.choose(client, profile);
      return clientProfiles.of(client);
    },
    'telnet-code': async () => codeOf(telnet),
    'editor-open': (args) => editors.open(args),
    'editor-close': (args) => editors.close(args),
    'clients-list': async (args) => connect.list(InProject.parse(args).project),
    'clients-bundle': async () => (await connect.bundle()).toString('base64'),
    'clients-preview': async (args) => {
      const { name, action, ...requested } = Previewed.parse(args);
      return connect.preview(name, action, requested);
    },
    'clients-add': async (args) => {
      const { name, ...requested } = Connected.parse(args);
      return connect.add(name, requested);
    },
    'clients-remove': async (args) => {
      const { name, project } = Connected.parse(args);
      return connect.remove(name, project);
    },
  };
}

/** @throws HarborError `not_supported` if the telnet port is closed */
function codeOf({ view }: TelnetPort): string {
  if (view) return view.code;
  throw new HarborError('not_supported', 'The telnet port is closed. Start the harbor with --telnet-port N.');
}

/** Maximum number of characters of earlier output that are replayed to a new listener. */
const MISSED = 1_000_000;

function composeToolCalls(sessions: Sessions, { evaluations }: History): ToolCallSessions {
  return {
    projectAt: projectOf(sessions),
    named: async (name, { connection, client, grant, engine }) => {
      const session = await sessionNamed(name, { client, grant }, connection, sessions);
      if (engine === undefined || session.identity.engine === engine) return session.id;
      throw new HarborError(
        'bad_arguments',
        `Session ${name} runs ${session.identity.engine}. Omit the engine ${engine} or name another session.`,
      );
    },
    showOutput: (evaluation, show) => {
      const missed = evaluations.output(evaluation, 0, MISSED).text;
      if (missed !== '') show(missed, 'stdout');
      const listen = ({ evaluation: of, text, stream }: OutputEvent) => {
        if (of === evaluation && (stream === 'stdout' || stream === 'stderr')) show(text, stream);
      };
      return addListeners(sessions.events, (on) => on('output', listen));
    },
    watchEnds: (project, report) => {
      const real = realPath(project);
      const listen = ({ id: evaluation, session, kind, project: of }: Evaluation) => {
        if (of === real) report({ evaluation, session, kind });
      };
      return addListeners(sessions.events, (on) => on('closed', listen));
    },
  };
}

/** Returns a function that finds the project of a folder among those of a client’s sessions. */
function projectOf(sessions: Sessions): (folder: string, client: Client) => string {
  return (folder, client) =>
    projectAround(folder, new Set(sessions.of(client).map(({ identity }) => identity.project)));
}

/**
 * Returns the project that contains `folder`, or the folder itself. A nested repository is a project of its
 * own.
 */
function projectAround(folder: string, projects: ReadonlySet<string>): string {
  const real = realPath(folder);
  for (let at = real; ; at = path.dirname(at)) {
    if (projects.has(at)) return at;
    if (existsSync(path.join(at, REPOSITORY)) || path.dirname(at) === at) return real;
  }
}
