/**
 * Composition: every service of the harbor is built here, once, and handed on by constructor. The order matters:
 * the lock before anything is written, the endpoints after all that they serve; in the end the reverse.
 */
import { EventEmitter } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { PERSON_KEY } from './access/client-keys';
import { Gate } from './access/gate';
import { Tokens } from './access/tokens';
import { harborCommands } from './commands';
import type { Connect } from './connect/install';
import { connectHere } from './connect-here';
import type { HarborStatus } from './contract/contract';
import { asFailure, HarborError } from './contract/errors';
import type { Client, Scope } from './contract/model';
import type { Settings, SettingsChange } from './contract/settings';
import { type DataFolder, dataFolder, makeDataFolder } from './data-folder';
import { createOrReadBridgeSecret } from './endpoints/bridge-secret';
import { HttpServer } from './endpoints/http-server';
import { LocalSocket } from './endpoints/local-socket';
import { McpHttp } from './endpoints/mcp-http';
import { History } from './history/history';
import { Acl2Engine } from './images/acl2/engine';
import { Engines } from './images/discovery';
import { NbbEngine } from './images/nbb/engine';
import { SbclEngine } from './images/sbcl/engine';
import { chooseLauncher } from './launchers/choose';
import type { Launcher } from './launchers/launcher';
import { holdDataFolder, type Lock } from './lock';
import { createLog, type Log } from './log';
import type { Options } from './options';
import { places } from './places';
import { libraryFolders } from './sandbox/libraries';
import { Projects } from './sandbox/projects';
import { Checkpoints } from './sessions/checkpoints';
import { Listeners } from './sessions/listeners';
import { SessionFolders } from './sessions/session-folders';
import { Sessions } from './sessions/sessions';
import { SettingsFile } from './settings';
import { startProject } from './start-project';
import { defaultProfile } from './tools/profiles/default';
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
    [
      new SbclEngine({
        sources: places.lisp,
        cores: folder.cores,
        heapMiB: () => settings.current.sbclHeapMiB,
        log,
      }),
      new NbbEngine(places.nbb),
      new Acl2Engine({
        helper: places.acl2,
        program: process.env.ACL2 || undefined,
        books: process.env.ACL2_BOOKS || process.env.ACL2_SYSTEM_BOOKS || undefined,
        searchPath: process.env.PATH ?? '',
        heapMiB: () => settings.current.acl2HeapMiB,
        log,
      }),
    ],
    () => options.engine ?? settings.current.engine,
  );
  const folders = new SessionFolders(folder.sessions);
  await folders.clear();
  const sessions = new Sessions({
    engines,
    launcher,
    history,
    folders,
    libraries: libraryFolders(homedir()),
    checkProject: (project) => projects.check(project),
    log,
  });
  const checkpoints = new Checkpoints({
    sessions,
    rows: history.checkpoints,
    folder: folder.checkpoints,
    log,
  });
  await checkpoints.tidy();
  const toolbox = new HarborToolbox({
    profiles: [
      defaultProfile({
        sessions,
        checkpoints,
        history,
        projects,
        engines,
        sandbox: launcher.sandbox,
        softLimitMs: () => settings.current.softLimitMs,
        ownOnly: () => settings.current.ownHistoryOnly,
        endpoints: () => harbor().addresses,
      }),
    ],
    sessions,
    projects,
    project: () => harbor().project,
    scratch: folder.scratch,
  });
  requireProfile(toolbox, options.profile);
  const tokens = new Tokens(history.database);
  const services = { gate: new Gate(history.calls), version: options.version, log };
  const mcp = new McpHttp(services, toolbox);
  const http = new HttpServer({
    mcp,
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
    project: start.project,
    notices: [settings.notice, start.notice, ...history.notices].filter((notice) => notice !== null),
  };
}

function requireProfile({ profiles }: HarborToolbox, name: string): void {
  if (profiles.includes(name)) return;
  throw new HarborError('bad_arguments', `There is no profile ${name}. Known: ${profiles.join(', ')}.`);
}

export class Harbor {
  readonly events = new EventEmitter<HarborEvents>();
  readonly parts: Parts;
  #project: string;
  #url: string | null = null;
  #problem: string | null = null;

  constructor(parts: Parts) {
    this.parts = parts;
    this.#project = parts.project;
  }

  /** The folder that sessions get which name none. */
  get project(): string {
    return this.#project;
  }

  /** Address of the MCP endpoint, or null while it does not listen. */
  get url(): string | null {
    return this.#url;
  }

  /** Why the HTTP endpoint does not listen, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Where this harbor can be reached. */
  get addresses(): string[] {
    return [this.#url, this.parts.folder.socket].filter((address) => address !== null);
  }

  async open(): Promise<void> {
    const { socket, folder } = this.parts;
    await socket.listen(folder.socket);
    await this.#listen();
  }

  async status(): Promise<HarborStatus> {
    const { options, folder, engines, launcher, notices } = this.parts;
    return {
      version: options.version,
      dataFolder: folder.root,
      project: this.#project,
      defaultEngine: await engines.defaultOrNull(),
      engines: await engines.discover(),
      sandbox: launcher.sandbox,
      endpoint: { url: this.#url, problem: this.#problem },
      notices,
    };
  }

  /** Applies a change that a person made; what needs it takes effect at once or at the next start, as the window says. */
  changeSettings(change: SettingsChange): Settings {
    if (change.project !== undefined) this.#project = this.parts.projects.approve(change.project);
    const settings = this.parts.settings.change(change);
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
    const { sessions, http, socket, history, lock } = this.parts;
    await Promise.allSettled([http.close(), socket.close()]);
    await sessions.closeAll();
    await history.close().finally(() => lock.release());
  }

  async #listen(): Promise<void> {
    const { http, options, settings } = this.parts;
    try {
      await http.listen(options.port ?? settings.current.port);
      this.#url = http.url;
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      this.#problem = asFailure(error).message;
    }
  }
}
