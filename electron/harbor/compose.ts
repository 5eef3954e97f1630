/**
 * Composition: every service of the harbor is built here, once, from values, and handed on by constructor. The order
 * matters: what keeps things before what is kept, the endpoints after all that they serve.
 */
import { EventEmitter } from 'node:events';
import type { Approvals } from '../access/approvals';
import { CallWatch, WatchedGate } from '../access/call-watch';
import type { ClientProfiles } from '../access/client-profiles';
import { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import { PERSON_KEY } from '../contract/known-clients';
import type { Client, Scope } from '../contract/model';
import { InnerRequests } from '../endpoints/lisply/inner-requests';
import { LisplyBackend } from '../endpoints/lisply/lisply-backend';
import type { McpHttp } from '../endpoints/mcp/mcp-http';
import { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Lock } from '../host/lock';
import { createLog, type Log } from '../host/log';
import type { Options } from '../host/options';
import { places } from '../host/places';
import { SettingsFile } from '../host/settings-file';
import { Engines } from '../images/discovery';
import { chooseLauncher, type TriedSandbox, trySandbox } from '../launchers/choose';
import type { Launcher } from '../launchers/launcher';
import { PassingEntries } from '../sandbox/passing-entries';
import type { Projects } from '../sandbox/projects';
import type { SessionChanges } from '../sessions/changes/session-changes';
import { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import { SessionLogs } from '../sessions/session-logs';
import type { Sessions } from '../sessions/sessions';
import { composeAccessRequests, composeNamedServers } from './compose-access-requests';
import { composeApprovals } from './compose-approvals';
import { composeChanges } from './compose-changes';
import { composeConnect } from './compose-connect';
import { composeEndpoints } from './compose-endpoints';
import { composeEngines } from './compose-engines';
import { type CurrentProject, composeProject } from './compose-project';
import { composeAllowList, composeFileGuard, composeReadRequests } from './compose-sandbox';
import { composeSessions } from './compose-sessions';
import { composeToolbox } from './compose-toolbox';
import { harborSide } from './harbor-side';
import { Addresses, type Endpoints } from './open-endpoints';
import { SandboxControls } from './sandbox-controls';

/** The person at the window. */
export const PERSON: Client = { key: PERSON_KEY, scopes: new Set<Scope>(['read', 'evaluate', 'admin']) };

export interface HarborOptions extends Options {
  kind: 'app' | 'headless';
  version: string;
  /** The trial of the sandbox, where it was begun before. */
  tried?: Promise<TriedSandbox | null>;
}

export interface HarborEvents {
  /** The harbor's status is another one now. */
  changed: [];
  /** Somebody wants to see the window. */
  show: [to?: string];
  /** Somebody asked this harbor to end, for instance an app that takes over. */
  stop: [];
}

/** What a harbor is made of; each part knows only those it was given. */
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
  approvals: Approvals;
  calls: CallWatch;
  sandbox: SandboxControls;
  changes: SessionChanges;
  written: ReturnType<typeof composeChanges>['written'];
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  mcp: McpHttp;
  addresses: Addresses;
  /** What people must know of this start. */
  notices: string[];
}

/** @throws HarborError `project_not_approved`; `bad_arguments` for a profile that there is not */
export async function compose(options: HarborOptions, folder: DataFolder, lock: Lock): Promise<Parts> {
  const { tried = trySandbox(options.unconfined) } = options;
  const keeping = composeKeeping(options, folder, lock);
  const running = await composeRunning(keeping, tried);
  const access = composeAccess(running);
  const outside = composeOutside({ ...running, ...access });
  const { settings, history, engines, events, log } = running;
  settings.on('changed', () => {
    engines.forget();
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
  history.writer.on('resumed', () => {
    log.info(history.notice ?? 'All that waited has been written to the history');
    events.emit('changed');
  });
  return { ...running, ...access, ...outside };
}

/** What keeps things, and says where. */
function composeKeeping(options: HarborOptions, folder: DataFolder, lock: Lock) {
  const log = createLog(folder.log, options.debug);
  const events = new EventEmitter<HarborEvents>();
  const settings = new SettingsFile(folder.settings);
  const { projects, project, notice } = composeProject({ options, folder, settings, log });
  const history = new History(folder.history, places.searchWorker);
  history.retention.begin(() => ({
    days: settings.current.historyDays,
    gigabytes: settings.current.historyGigabytes,
  }));
  history.redaction.follow(() => settings.current);
  const notices = [notice, ...history.notices].filter((each) => each !== null);
  return { options, folder, lock, log, events, settings, projects, project, history, notices };
}

/** What runs: engines in their sandbox, and sessions. */
async function composeRunning(
  keeping: ReturnType<typeof composeKeeping>,
  tried: Promise<TriedSandbox | null>,
) {
  const { options, folder, settings, log } = keeping;
  const passing = new PassingEntries();
  const allowList = composeAllowList(folder, settings, passing);
  const landlock = { source: places.landlock, folder: folder.cores };
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
  const composed = { ...keeping, allowList, passing, launcher, engines, servers, approvals };
  const sessions = await composeSessions(composed);
  const sessionLogs = new SessionLogs(sessions.sessions.events, log);
  return { ...composed, ...sessions, sessionLogs, listeners: new Listeners(sessions.sessions, PERSON.key) };
}

/** Who may: the rules of the settings, and a person who is asked. */
function composeAccess(running: Awaited<ReturnType<typeof composeRunning>>) {
  const { settings, allowList, sessions, history, launcher, approvals } = running;
  const calls = new CallWatch();
  const asked = composeReadRequests({ settings, sessions, allowList }, approvals);
  const files = composeFileGuard(allowList, sessions, asked);
  return {
    files,
    accessRequests: composeAccessRequests({
      ...running,
      approver: approvals,
      sandbox: launcher.sandbox,
    }),
    sandbox: new SandboxControls({ ...running, asked, files, calls, person: PERSON }),
    calls,
    ...composeChanges({ history, files, approvals }, PERSON),
    gate: new WatchedGate(calls, history.calls, approvals),
    tokens: new Tokens(history.writer),
  };
}

type Inside = Awaited<ReturnType<typeof composeRunning>> & ReturnType<typeof composeAccess>;

/** What others see of it: tools and endpoints. */
function composeOutside(inside: Inside) {
  const { options, folder, gate, log } = inside;
  const { profile = 'default' } = options;
  const addresses = new Addresses();
  const lisply = new LisplyBackend({ gate, log });
  const inner = new InnerRequests(options.lisplyPrefix, lisply);
  const tools = composeToolbox({ ...inside, profile, addresses, lisply: inner });
  const connect = composeConnect(
    folder,
    harborSide({
      ...{ ...inside, ...tools },
      address: () => endpoints.http.url,
      endClient: (client) => endpoints.mcp.endClient(client),
    }),
  );
  const endpoints = composeEndpoints({ ...inside, ...tools, profile, connect, person: PERSON, lisply });
  addresses.add(endpoints.http, endpoints.socket, ...Object.values(endpoints.ports));
  return { clientProfiles: tools.clientProfiles, connect, addresses, ...endpoints };
}
