/**
 * Composition: every service of the harbor is built here, once, and handed on by constructor. The order matters:
 * the lock before anything is written, the endpoints after all that they serve; in the end the reverse.
 */
import { EventEmitter } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { PERSON_KEY } from './access/client-keys';
import { Gate } from './access/gate';
import { Tokens } from './access/tokens';
import { acl2BridgePort } from './acl2-bridge-here';
import { harborCommands } from './commands';
import type { Connect } from './connect/install';
import { connectHere } from './connect-here';
import type { HarborStatus } from './contract/contract';
import type { Client, Scope } from './contract/model';
import type { Settings, SettingsChange } from './contract/settings';
import { type DataFolder, dataFolder, makeDataFolder } from './data-folder';
import type { BridgePort } from './endpoints/acl2-bridge/bridge-port';
import { createOrReadBridgeSecret } from './endpoints/bridge-secret';
import { HttpServer } from './endpoints/http-server';
import { LocalSocket } from './endpoints/local-socket';
import { McpHttp } from './endpoints/mcp-http';
import { SharedConnections } from './endpoints/shared-connections';
import type { SwankPorts } from './endpoints/swank-ports';
import { History } from './history/history';
import { Engines } from './images/discovery';
import { chooseLauncher } from './launchers/choose';
import type { Launcher } from './launchers/launcher';
import { type Lisply, lisplyHere } from './lisply-here';
import { Listening } from './listening';
import { holdDataFolder, type Lock } from './lock';
import { createLog, type Log } from './log';
import type { Options } from './options';
import { places } from './places';
import { NamedServers } from './sandbox/named-servers';
import { Projects } from './sandbox/projects';
import type { Checkpoints } from './sessions/checkpoints';
import { Listeners } from './sessions/listeners';
import type { Sessions } from './sessions/sessions';
import { sessionsHere } from './sessions-here';
import { SettingsFile } from './settings';
import { spawnedEngines } from './spawned-engines';
import { startProject } from './start-project';
import { swankDoor, swankPorts } from './swank-here';
import { profiles } from './tools/profiles/profiles';
import { HarborToolbox } from './tools/toolbox';

/** The person at the window. */
export const PERSON: Client = { key: PERSON_KEY, scopes: new Set<Scope>(['read', 'evaluate', 'admin']) };

/** What programs of this user may do that come through the local socket. */
const LOCAL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['read', 'evaluate']);

export interface HarborOptions extends Options {
  kind: 'app' | 'headless';
  version: string;
}

export interface HarborEvents {
  /** `status()` would answer something else now. */
  changed: [];
  /** Somebody wants to see the window. */
  show: [];
  /** Somebody asked this harbor to end, for instance an app that takes over. */
  stop: [];
}

/** What a harbor is made of; each part knows only those it was given. */
export interface Parts {
  options: HarborOptions;
  folder: DataFolder;
  lock: Lock;
  log: Log;
  settings: SettingsFile;
  history: History;
  tokens: Tokens;
  launcher: Launcher;
  engines: Engines;
  projects: Projects;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  connect: Connect;
  mcp: McpHttp;
  http: HttpServer;
  socket: LocalSocket;
  swank: SwankPorts;
  bridge: BridgePort;
  lisply: Lisply;
  project: string;
  notices: string[];
}

/** Builds everything and opens the endpoints. A port in use does not stop the harbor: `status()` tells it.
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable`, `project_not_approved` */
export async function startHarbor(options: HarborOptions): Promise<Harbor> {
  const folder = dataFolder(options.data);
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, options.kind);
  try {
    const harbor = new Harbor(await compose(options, folder, lock, () => harbor));
    await harbor.open();
    return harbor;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function compose(
  options: HarborOptions,
  folder: DataFolder,
  lock: Lock,
  harbor: () => Harbor,
): Promise<Parts> {
  const log = createLog(folder.log, options.debug);
  const settings = new SettingsFile(folder.settings);
  const projects = new Projects({
    approved: () => [harbor().project, ...settings.current.projects],
    home: homedir(),
    dataFolder: folder.root,
    temporaryFolders: [tmpdir()],
  });
  const start = startProject(options, settings.current, projects, folder.scratch);
  const history = new History(folder.history, places.searchWorker);
  const launcher = await chooseLauncher(options);
  const engines = new Engines(
    spawnedEngines({ cores: folder.cores, books: options.books, settings: () => settings.current, log }),
    () => options.engine ?? settings.current.engine,
  );
  const servers = new NamedServers(() => settings.current.servers);
  const around = { folder, settings, engines, launcher, history, projects, servers, log };
  const { sessions, checkpoints } = await sessionsHere(around);
  const toolbox = new HarborToolbox({
    profiles: profiles({
      sessions,
      checkpoints,
      history,
      projects,
      engines,
      sandbox: launcher.sandbox,
      softLimitMs: () => settings.current.softLimitMs,
      ownOnly: () => settings.current.ownHistoryOnly,
      endpoints: () => harbor().listening.addresses,
      ownBackend: (...asked) => harbor().parts.lisply.inner.send(...asked),
      ...options.nrepl,
    }),
    sessions,
    projects,
    project: () => harbor().project,
    scratch: folder.scratch,
  });
  toolbox.profile(options.profile);
  const tokens = new Tokens(history.database);
  const services = { gate: new Gate(history.calls), version: options.version, log };
  const connections = new SharedConnections(toolbox);
  const mcp = new McpHttp(services, toolbox, connections);
  const changed = () => harbor().events.emit('changed');
  const lisply = lisplyHere({ options, gate: services.gate, connections, log, changed });
  const http = new HttpServer({
    mcp,
    lisply: lisply.http,
    tokens,
    log,
    version: options.version,
    defaultProfile: options.profile,
  });
  const socket = new LocalSocket({
    ...services,
    secret: createOrReadBridgeSecret(folder.bridgeSecret),
    toolbox,
    defaultProfile: options.profile,
    clientFor: (key) => ({ key, scopes: LOCAL_SCOPES }),
    commands: harborCommands(harbor),
  });
  const swank = swankPorts({ sessions, person: PERSON, log, changed });
  const bridge = acl2BridgePort({
    sessions,
    project: () => harbor().project,
    gate: services.gate,
    log,
    changed,
  });
  return {
    options,
    folder,
    lock,
    log,
    settings,
    history,
    tokens,
    launcher,
    engines,
    projects,
    sessions,
    checkpoints,
    listeners: new Listeners(sessions, PERSON.key),
    connect: connectHere(folder),
    mcp,
    http,
    socket,
    swank,
    bridge,
    lisply,
    project: start.project,
    notices: [settings.notice, start.notice, ...history.notices].filter((notice) => notice !== null),
  };
}

export class Harbor {
  readonly events = new EventEmitter<HarborEvents>();
  readonly parts: Parts;
  readonly listening: Listening;
  #project: string;

  constructor(parts: Parts) {
    this.parts = parts;
    this.listening = new Listening(parts);
    this.#project = parts.project;
  }

  /** The folder that sessions get which name none. */
  get project(): string {
    return this.#project;
  }

  /** Address of the MCP endpoint, or null while it does not listen. */
  get url(): string | null {
    return this.listening.url;
  }

  async open(): Promise<void> {
    const { options, settings, folder, sessions, log } = this.parts;
    await this.listening.open({
      socket: folder.socket,
      port: options.port ?? settings.current.port,
      swank: swankDoor(options.swankPort, sessions, this.#project),
      bridgePort: options.bridgePort,
      lisplyPort: options.lisplyPort,
    });
    log.info(
      `Lisp Harbor ${options.version} on ${folder.root} listens at ${this.listening.addresses.join(', ')}`,
    );
  }

  async status(): Promise<HarborStatus> {
    const { options, folder, engines, launcher, notices, swank, bridge, lisply } = this.parts;
    const { url, httpProblem, portProblems } = this.listening;
    return {
      version: options.version,
      dataFolder: folder.root,
      project: this.#project,
      defaultEngine: await engines.defaultOrNull(),
      engines: await engines.discover(),
      sandbox: launcher.sandbox,
      endpoint: { url, problem: httpProblem },
      swank: swank.views,
      acl2Bridge: bridge.view,
      lisply: lisply.port.view,
      notices: [...notices, ...portProblems],
    };
  }

  /** Applies a change that a person made; what needs it takes effect at once or at the next start, as the window says. */
  changeSettings(change: SettingsChange): Settings {
    if (change.project !== undefined) this.#project = this.parts.projects.approve(change.project);
    const settings = this.parts.settings.change(change);
    this.parts.engines.forget();
    this.events.emit('changed');
    return settings;
  }

  /** Takes a token out of force, and what its client holds over HTTP with it. */
  async revokeToken(id: number): Promise<void> {
    const { tokens, mcp } = this.parts;
    const revoked = tokens.list().find((token) => token.id === id);
    tokens.revoke(id);
    if (revoked) await mcp.endClient(revoked.name);
  }

  /** Makes a folder that a person chose the project of new sessions.
   * @throws HarborError `project_not_approved` */
  approveProject(folder: string): string {
    const project = this.parts.projects.approve(folder);
    const { projects } = this.parts.settings.current;
    this.changeSettings({ project, projects: [...new Set([...projects, project])] });
    return project;
  }

  /** Ends images, closes the history and gives the data folder back, each also when the one before fails. */
  async stop(): Promise<void> {
    const { sessions, history, lock } = this.parts;
    await this.listening.close();
    await sessions.closeAll();
    await history.close().finally(() => lock.release());
  }
}
