/**
 * Composition: every service of the harbor is built here, once, and handed on by constructor. The order matters:
 * what keeps things before what is kept, the endpoints after all that they serve.
 */
import { randomBytes } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import type { Approvals } from '../access/approvals';
import { ClientProfiles } from '../access/client-profiles';
import { Gate } from '../access/gate';
import { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import { PERSON_KEY } from '../contract/client-keys';
import type { Client, Scope } from '../contract/model';
import type { SettingsChange } from '../contract/settings';
import { HttpServer } from '../endpoints/http/http-server';
import { createOrReadBridgeSecret } from '../endpoints/local/bridge-secret';
import { LocalSocket } from '../endpoints/local/local-socket';
import { McpHttp } from '../endpoints/mcp/mcp-http';
import { Tasks } from '../endpoints/mcp/mcp-tasks';
import { SharedConnections } from '../endpoints/mcp/shared-connections';
import type { SwankPorts } from '../endpoints/swank/swank-ports';
import { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Lock } from '../host/lock';
import { createLog, type Log } from '../host/log';
import type { Options } from '../host/options';
import { places } from '../host/places';
import { SettingsFile } from '../host/settings-file';
import { Engines } from '../images/discovery';
import { chooseLauncher } from '../launchers/choose';
import type { Launcher } from '../launchers/launcher';
import type { AllowList } from '../sandbox/allow-list';
import { Projects } from '../sandbox/projects';
import { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Sessions } from '../sessions/sessions';
import type { GuardedFiles } from '../source/files';
import { profiles } from '../tools/profiles/profiles';
import { prompts } from '../tools/prompts/prompts';
import { resources } from '../tools/resources/resources';
import { HarborToolbox } from '../tools/toolbox';
import { askedReach, namedServers } from './compose-access-requests';
import { approvalsHere } from './compose-approvals';
import { connectHere } from './compose-connect';
import { spawnedEngines } from './compose-engines';
import { type Lisply, lisplyHere } from './compose-lisply';
import { allowListHere, askedReads, fileGuard } from './compose-sandbox';
import { sessionsHere } from './compose-sessions';
import { replTerminals } from './compose-terminals';
import { type CommandTarget, harborCommands } from './local-commands';
import { type SideDoorsHere, sideDoorsHere, swankPorts } from './ports';
import { SandboxControls } from './sandbox-controls';
import { startProject } from './start-project';

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
  const landlock = { source: places.landlock, folder: folder.cores };
  const launcher = await chooseLauncher({ ...options, landlock });
  const engines = new Engines(
    spawnedEngines({ cores: folder.cores, books: options.books, settings: () => settings.current, log }),
    () => options.engine ?? settings.current.engine,
  );
  const changing = { settings, change: (change: SettingsChange) => harbor().changeSettings(change) };
  const servers = namedServers(changing);
  const around = { folder, settings, engines, launcher, history, projects, allowList, servers, log };
  const { sessions, checkpoints, fetches } = await sessionsHere(around);
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
      fetches,
      approver: approvals,
      history,
      projects,
      accessRequests: reach,
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
