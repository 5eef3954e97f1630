/**
 * Composition root: builds every service of the harbor once and passes it on by constructor. The order
 * matters: storage first, then what runs, endpoints last.
 */
import { EventEmitter } from 'node:events';
import type { Approvals } from '../access/approvals';
import { CallWatch } from '../access/call-watch';
import type { ClientProfiles } from '../access/client-settings';
import { Gate } from '../access/gate';
import { Tokens } from '../access/tokens';
import { InnerRequests, LisplyBackend } from '../compat/compat';
import type { Connect } from '../connect/install';
import { PERSON_KEY } from '../contract/known-clients';
import type { Client, Scope } from '../contract/model';

import type { McpHttp } from '../endpoints/mcp/mcp-http';
import { History } from '../history/history';
import { type DataFolder, tightenDataFolder } from '../host/data-folder';
import type { Lock } from '../host/lock';
import { createLog, type Log } from '../host/log';
import type { Options } from '../host/options';
import { paths } from '../host/paths';
import { SettingsFile } from '../host/settings-file';
import { Engines } from '../images/discovery';
import { chooseLauncher, type TriedSandbox, trySandbox } from '../launchers/choose';
import type { Launcher } from '../launchers/launcher';
import { SessionOnlyEntries } from '../sandbox/allow-list';
import { ProjectWatch } from '../sandbox/project-watch';
import type { Projects } from '../sandbox/projects';
import type { SessionChanges } from '../sessions/changes/session-changes';
import { SpanExport } from '../sessions/export/spans';
import { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import { SessionLogs } from '../sessions/session-logs';
import type { Sessions } from '../sessions/sessions';
import { Applications } from './applications';
import { composeConnect, harborServices } from './compose-connect';
import { Addresses, composeEndpoints, type Endpoints } from './compose-endpoints';
import {
  composeAccessRequests,
  composeAllowList,
  composeApprovals,
  composeFileGuard,
  composeNamedServers,
  composeReadRequests,
} from './compose-sandbox';
import { type CurrentProject, composeEngines, composeProject, composeSessions } from './compose-sessions';
import { composeChanges, composeToolbox } from './compose-toolbox';

import { ProjectSources } from './project-sources';
import { SandboxControls } from './sandbox-controls';

/** The user of the window, as a client. */
export const PERSON: Client = { key: PERSON_KEY, scopes: new Set<Scope>(['read', 'evaluate', 'admin']) };

export interface HarborOptions extends Options {
  kind: 'app' | 'headless';
  version: string;
  /** Result of a sandbox trial that was started earlier. */
  tried?: Promise<TriedSandbox | null>;
}

export interface HarborEvents {
  /** The harbor’s status changed. */
  changed: [];
  /** The window is requested, optionally at a route. */
  show: [to?: string];
  /** The harbor is requested to stop, for example by an app that takes over. */
  stop: [];
}

/** All services of a harbor. Each receives only those that it needs. */
export interface Parts extends Endpoints {
  options: HarborOptions;
  folder: DataFolder;
  lock: Lock;
  log: Log;
  events: EventEmitter<HarborEvents>;
  settings: SettingsFile;
  projects: Projects;
  project: CurrentProject;
  history: History;
  launcher: Launcher;
  engines: Engines;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  sessionLogs: SessionLogs;
  spans: SpanExport;
  approvals: Approvals;
  projectWatch: ProjectWatch;
  calls: CallWatch;
  sandbox: SandboxControls;
  applications: Applications;
  changes: SessionChanges;
  written: ReturnType<typeof composeChanges>['written'];
  sources: ProjectSources;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  mcp: McpHttp;
  addresses: Addresses;
  /** Warnings about this start for the user. */
  notices: string[];
}

/** @throws HarborError `project_not_approved`; `bad_arguments` if no profile has the given name */
export async function compose(options: HarborOptions, folder: DataFolder, lock: Lock): Promise<Parts> {
  const { tried = trySandbox(options.unconfined) } = options;
  const keeping = composeKeeping(options, folder, lock);
  const running = await composeRunning(keeping, tried);
  const access = composeAccess(running);
  const outside = composeOutside({ ...running, ...access });
  const { settings, history, engines, events, log } = running;
  settings.on('changed', () => {
    engines.invalidate();
    events.emit('changed');
  });
  settings.on('problems', () => {
    for (const problem of settings.problems) log.warn(problem);
    events.emit('changed');
  });
  history.writer.on('waiting', () => {
    log.error(history.notice ?? '');
    events.emit('changed');
  });
  history.writer.on('damaged', () => {
    log.error(history.notice ?? '');
    events.emit('changed');
  });
  history.writer.on('resumed', () => {
    log.info(history.notice ?? 'All queued records were written to the history');
    events.emit('changed');
  });
  return { ...running, ...access, ...outside };
}

/** Builds the services that store data. */
function composeKeeping(options: HarborOptions, folder: DataFolder, lock: Lock) {
  const { tightened, open } = tightenDataFolder(folder);
  const log = createLog(folder.log, options.debug);
  const events = new EventEmitter<HarborEvents>();
  const settings = new SettingsFile(folder.settings);
  const { projects, project, notice } = composeProject({ options, folder, settings, log });
  const history = new History(folder.history, paths.searchWorker);
  if (history.notice !== null) log.error(history.notice);
  history.retention.start(() => ({
    days: settings.current.historyDays,
    gigabytes: settings.current.historyGigabytes,
  }));
  history.redaction.configure(() => settings.current);
  if (tightened.length > 0)
    log.warn(`Other users of this computer had access to ${tightened.join(', ')}. Now only you have.`);
  const exposed = open.length > 0 ? exposedNotice(open) : null;
  const notices = [notice, exposed, ...history.notices].filter((each) => each !== null);
  return { options, folder, lock, log, events, settings, projects, project, history, notices };
}

function exposedNotice(open: readonly string[]): string {
  return `Other users of this computer have access to ${open.slice(0, 3).join(', ')}, and it could not be taken from them. Make yourself the owner, or choose a folder on another file system with --data DIR.`;
}

/** Builds the engines, their sandbox and the sessions. */
async function composeRunning(
  keeping: ReturnType<typeof composeKeeping>,
  tried: Promise<TriedSandbox | null>,
) {
  const { options, folder, settings, log } = keeping;
  const passing = new SessionOnlyEntries();
  const allowList = composeAllowList({ ...keeping, passing });
  const landlock = { source: paths.landlock, folder: folder.cores };
  const launcher = await chooseLauncher({ ...options, landlock, tried });
  const spawned = composeEngines({
    ...folder,
    books: options.books,
    trustTags: options.trustTags,
    settings,
    log,
  });
  const engines = new Engines(spawned, () => options.engine ?? settings.current.engine);
  const servers = composeNamedServers(settings, options.nrepl.port);
  const approvals = composeApprovals({ settings, kind: options.kind });
  const projectWatch = new ProjectWatch({
    tops: (project) => allowList.tops(project),
    isOpened: (project, place) => allowList.isOpened(project, place),
  });
  const composed = { ...keeping, allowList, passing, launcher, engines, servers, approvals, projectWatch };
  const sessions = await composeSessions(composed);
  const sessionLogs = new SessionLogs(sessions.sessions.events, log);
  const spans = new SpanExport({ collector: () => settings.current.spansTo, version: options.version, log });
  sessions.sessions.events.on('closed', (row) => {
    if (settings.current.spansTo !== undefined) spans.add(row);
  });
  return {
    ...composed,
    ...sessions,
    sessionLogs,
    spans,
    listeners: new Listeners(sessions.sessions, PERSON.key),
  };
}

type Running = ReturnType<typeof composeRunning> extends Promise<infer Parts> ? Parts : never;

/** Builds the gate, the approvals and the tokens. */
function composeAccess(running: Running) {
  const { settings, allowList, sessions, history, launcher, approvals } = running;
  const calls = new CallWatch();
  const readRequests = composeReadRequests({ settings, sessions, allowList }, approvals);
  const files = composeFileGuard(allowList, sessions, readRequests);
  const { changes, written, recorded } = composeChanges({ history, files, approvals }, PERSON);
  return {
    files,
    accessRequests: composeAccessRequests({
      ...running,
      approver: approvals,
      sandbox: launcher.sandbox,
    }),
    sandbox: new SandboxControls({ ...running, readRequests, files, calls, person: PERSON }),
    calls,
    applications: new Applications({
      ...running,
      person: PERSON,
      changed: () => running.events.emit('changed'),
    }),
    changes,
    written,
    sources: new ProjectSources({ files, history, sessions, changes, person: PERSON, recorded }),
    gate: new Gate(history.calls, approvals, Date.now, calls),
    tokens: new Tokens(history.writer),
  };
}

type Inside = Running & ReturnType<typeof composeAccess>;

/** Builds the tools and the endpoints. */
function composeOutside(inside: Inside) {
  const { options, folder, gate, log } = inside;
  const { profile = 'default' } = options;
  const addresses = new Addresses();
  const lisply = new LisplyBackend({ gate, log });
  const inner = new InnerRequests(options.lisplyPrefix, lisply);
  const tools = composeToolbox({ ...inside, profile, addresses, lisply: inner });
  const connect = composeConnect(
    folder,
    harborServices({
      ...{ ...inside, ...tools },
      address: () => endpoints.http.url,
      endClient: (client) => endpoints.mcp.endClient(client),
    }),
  );
  const endpoints = composeEndpoints({ ...inside, ...tools, profile, connect, person: PERSON, lisply });
  addresses.add(endpoints.http, endpoints.socket, ...Object.values(endpoints.ports));
  return { clientProfiles: tools.clientProfiles, connect, addresses, ...endpoints };
}
