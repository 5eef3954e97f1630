/**
 * Composition: every service of the harbor is built here, once, and handed on by constructor. The order matters:
 * what keeps things before what is kept, the endpoints after all that they serve.
 */
import { randomBytes } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import type { Approvals } from './access/approvals';
import { PERSON_KEY } from './access/client-keys';
import { ClientProfiles } from './access/client-profiles';
import { Gate } from './access/gate';
import { Tokens } from './access/tokens';
import { approvalsHere } from './approvals-here';
import { askedReach, namedServers } from './asked-reach-here';
import { type CommandTarget, harborCommands } from './commands';
import type { Connect } from './connect/install';
import { connectHere } from './connect-here';
import type { Client, Scope } from './contract/model';
import type { SettingsChange } from './contract/settings';
import type { DataFolder } from './data-folder';
import { createOrReadBridgeSecret } from './endpoints/bridge-secret';
import { HttpServer } from './endpoints/http-server';
import { LocalSocket } from './endpoints/local-socket';
import { McpHttp } from './endpoints/mcp-http';
import { Tasks } from './endpoints/mcp-tasks';
import { SharedConnections } from './endpoints/shared-connections';
import type { SwankPorts } from './endpoints/swank-ports';
import { History } from './history/history';
import { Engines } from './images/discovery';
import { chooseLauncher } from './launchers/choose';
import type { Launcher } from './launchers/launcher';
import { type Lisply, lisplyHere } from './lisply-here';
import type { Lock } from './lock';
import { createLog, type Log } from './log';
import type { Options } from './options';
import { places } from './places';
import { replTerminals } from './repl-here';
import type { AllowList } from './sandbox/allow-list';
import { Projects } from './sandbox/projects';
import { SandboxControls } from './sandbox-controls';
import { allowListHere, askedReads, fileGuard } from './sandbox-here';
import type { Checkpoints } from './sessions/checkpoints';
import { Listeners } from './sessions/listeners';
import type { Sessions } from './sessions/sessions';
import { sessionsHere } from './sessions-here';
import { SettingsFile } from './settings';
import { type SideDoorsHere, sideDoorsHere } from './side-doors-here';
import type { GuardedFiles } from './source/files';
import { spawnedEngines } from './spawned-engines';
import { startProject } from './start-project';
import { swankPorts } from './swank-here';
import { profiles } from './tools/profiles/profiles';
import { prompts } from './tools/prompts/prompts';
import { resources } from './tools/resources/resources';
import { HarborToolbox } from './tools/toolbox';

/** The person at the window. */
export const PERSON: Client = { key: PERSON_KEY, scopes: new Set<Scope>(['read', 'evaluate', 'admin']) };

/** What programs of this user may do that come through the local socket. */
const LOCAL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['read', 'evaluate']);

export interface HarborOptions extends Options {
  kind: 'app' | 'headless';
  version: string;
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
  approvals: Approvals;
  sandbox: SandboxControls;
  clientProfiles: ClientProfiles;
  launcher: Launcher;
  engines: Engines;
  projects: Projects;
  allowList: AllowList;
  files: GuardedFiles;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  connect: Connect;
  mcp: McpHttp;
  http: HttpServer;
  socket: LocalSocket;
  swank: SwankPorts;
  lisply: Lisply;
  sideDoors: SideDoorsHere;
  project: string;
  notices: string[];
}

/** What the parts ask of the harbor that they become. */
interface Whole extends CommandTarget {
  project: string;
  changeSettings(change: SettingsChange): void;
  events: { emit(event: 'changed' | 'show' | 'stop'): boolean };
  listening: { addresses: string[] };
  parts: Parts;
}

/** Builds the parts.
 * @param harbor what they become; asked only once they serve somebody
 * @throws HarborError `project_not_approved` */
export async function compose(
  options: HarborOptions,
  folder: DataFolder,
  lock: Lock,
  harbor: () => Whole,
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
  const allowList = allowListHere(folder, settings);
  const launcher = await chooseLauncher(options);
  const engines = new Engines(
    spawnedEngines({ cores: folder.cores, books: options.books, settings: () => settings.current, log }),
    () => options.engine ?? settings.current.engine,
  );
  const changing = { settings, change: (change: SettingsChange) => harbor().changeSettings(change) };
  const servers = namedServers(changing);
  const around = { folder, settings, engines, launcher, history, projects, allowList, servers, log };
  const { sessions, checkpoints } = await sessionsHere(around);
  const approvals = approvalsHere({ settings, sessions, kind: options.kind });
  const asked = askedReads({ settings, sessions, allowList }, approvals);
  const reach = askedReach({
    ...changing,
    servers,
    allowList,
    approver: approvals,
    sandbox: launcher.sandbox,
  });
  const files = fileGuard(allowList, sessions, asked);
  const listeners = new Listeners(sessions, PERSON.key);
  const ownOnly = () => settings.current.ownHistoryOnly;
  const { profile = 'default' } = options;
  const clientProfiles = new ClientProfiles(history.database, {
    usual: profile,
    known: () => toolbox.profiles,
  });
  const toolbox = new HarborToolbox({
    choices: clientProfiles,
    prompts: prompts({ sessions, history, projects, engines, ownOnly }),
    resources: resources({ sessions, history, files, guides: places.guides, ownOnly }),
    profiles: profiles({
      sessions,
      checkpoints,
      history,
      projects,
      reach,
      engines,
      files,
      sandbox: launcher.sandbox,
      softLimitMs: () => settings.current.softLimitMs,
      ownOnly,
      endpoints: () => harbor().listening.addresses,
      ownBackend: (...asked) => harbor().parts.lisply.inner.send(...asked),
      watched: (session) => listeners.has(session),
      ...options.nrepl,
    }),
    sessions,
    projects,
    ownOnly,
    project: () => harbor().project,
    scratch: folder.scratch,
  });
  toolbox.profile(profile);
  const tokens = new Tokens(history.database);
  const sandbox = new SandboxControls({
    settings,
    allowList,
    asked,
    launcher,
    sessions,
    checkpoints,
    person: PERSON,
    project: () => harbor().project,
  });
  const services = {
    gate: new Gate(history.calls, approvals),
    tasks: new Tasks(),
    stateKey: randomBytes(32),
    version: options.version,
    log,
  };
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
  });
  const socket = new LocalSocket({
    ...services,
    secret: createOrReadBridgeSecret(folder.bridgeSecret),
    toolbox,
    clientFor: (key) => ({ key, scopes: LOCAL_SCOPES }),
    commands: harborCommands(harbor),
    openTerminal: replTerminals(toolbox, sessions),
  });
  const swank = swankPorts({ sessions, person: PERSON, log, changed });
  const project = () => harbor().project;
  const beside = { ...services, sessions, toolbox, profile, project, lisply: lisply.port, changed };
  return {
    options,
    folder,
    lock,
    log,
    settings,
    history,
    tokens,
    approvals,
    sandbox,
    clientProfiles,
    launcher,
    engines,
    projects,
    allowList,
    files,
    sessions,
    checkpoints,
    listeners,
    connect: connectHere(folder),
    mcp,
    http,
    socket,
    swank,
    lisply,
    sideDoors: sideDoorsHere(beside),
    project: start.project,
    notices: [settings.notice, start.notice, ...history.notices].filter((notice) => notice !== null),
  };
}
