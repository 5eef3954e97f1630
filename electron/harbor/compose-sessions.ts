/** Builds the project, the engines, the sessions and the checkpoints of a harbor. */

import { homedir } from 'node:os';
import path from 'node:path';
import type { Approvals } from '../access/approvals';
import { asFailure } from '../contract/errors';
import { EmacsProtocol } from '../contract/harbor-status';
import type { EngineName, Limits } from '../contract/model';

import type { Settings } from '../contract/settings';
import type { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Log } from '../host/log';
import { paths } from '../host/paths';
import type { SettingsFile } from '../host/settings-file';
import { Acl2Engine } from '../images/acl2/engine';
import type { NamedFolders } from '../images/agent/emacs-folders';
import type { AgentLog } from '../images/agent/traits';
import { ClojureEngine } from '../images/clojure/engine';
import type { Engines } from '../images/discovery';
import type { Engine } from '../images/image';
import { LisplyEngine } from '../images/lisply/engine';
import { NbbEngine } from '../images/nbb/engine';
import { NreplEngine } from '../images/nrepl/engine';
import { PortableEngine } from '../images/portable/engine';
import { ABCL, CCL, ECL } from '../images/portable/implementations';
import { SbclEngine } from '../images/sbcl/engine';
import { SwankEngine } from '../images/swank/engine';
import { Hosts } from '../launchers/hosts/hosts';
import type { Launcher } from '../launchers/launcher';
import { machineMemory } from '../launchers/machine-memory';
import type { AllowList } from '../sandbox/allow-list';
import type { NamedServers } from '../sandbox/named-servers';
import type { ProjectWatch } from '../sandbox/project-watch';
import { Projects } from '../sandbox/projects';
import { DiskLimits } from '../sessions/disk-limits';
import { LibraryFetches, LibraryFolders } from '../sessions/library-fetches';
import { Memory } from '../sessions/memory';
import { NewProtectedPlaces } from '../sessions/new-protected-places';
import { Checkpoints } from '../sessions/recovery/checkpoints';
import { SessionFolders } from '../sessions/session-folders';
import { keepConnected, Sessions } from '../sessions/sessions';
import { sandboxPlaces } from './compose-sandbox';

interface SessionsDependencies {
  folder: DataFolder;
  settings: SettingsFile;
  engines: Engines;
  launcher: Launcher;
  history: History;
  projects: Projects;
  allowList: AllowList;
  servers: NamedServers;
  approvals: Approvals;
  projectWatch: ProjectWatch;
  log: Log;
  /** The notices for the user, to which sessions add. */
  notices: string[];
  events: { emit(name: 'changed'): unknown };
}

/** Builds the sessions and removes files left over from an earlier run. */
export async function composeSessions(
  dependencies: SessionsDependencies,
): Promise<{ sessions: Sessions; checkpoints: Checkpoints; fetches: LibraryFetches }> {
  const { folder, settings, engines, launcher, history, projects, allowList, servers, log } = dependencies;
  const confine = (project: string) => allowList.confinement(project);
  const libraries = new LibraryFolders(folder.libraries);
  const folders = new SessionFolders(folder.sessions);
  const newPlaces = new NewProtectedPlaces({
    tops: (project) => allowList.tops(project),
    isOpened: (project, place) => allowList.isOpened(project, place),
    taken: folder.taken,
    report: (text) => notify(dependencies, text),
  });
  const diskLimits = new DiskLimits({
    folders: (session, project) => [
      {
        folder: folders.of(session),
        title: 'The folder of the session, with its HOME',
        mostMiB: settings.current.sessionDiskMiB,
        setting: 'sessionDiskMiB',
      },
      {
        folder: project,
        title: 'The project',
        mostMiB: settings.current.projectGrowthMiB,
        setting: 'projectGrowthMiB',
      },
    ],
  });
  const sessions = new Sessions({
    newPlaces,
    diskLimits,
    engines,
    launcher,
    hosts: new Hosts(() => settings.current.hosts),
    history,
    folders,
    libraries,
    confine,
    checkProject: (project) => projects.check(project),
    locateServer: (...request) => servers.locate(...request),
    limits: (engine) => usualLimits(settings.current, engine),
    memory: new Memory({ read: machineMemory, reserveMiB: () => settings.current.memoryReserveMiB }),
    guard: dependencies.approvals.guard,
    projectWatch: dependencies.projectWatch,
    acceptedUnsandboxed: () => settings.current.acceptedUnsandboxed,
    keepReady: () => settings.current.keepReady,
    comeBack: settings.current.sessionsComeBack,
    log,
  });
  await folders.tidy(sessions.handles);
  keepConnected(sessions, engines, (server) => servers.current(server));
  const checkpoints = new Checkpoints({
    sessions,
    rows: history.checkpoints,
    folder: folder.checkpoints,
    log,
  });
  await checkpoints.tidy();
  const fetches = new LibraryFetches({
    ...{ engines, launcher, folders: libraries, confine },
    checkProject: (project) => projects.check(project),
  });
  return { sessions, checkpoints, fetches };
}

/** Maximum number of notices to show. */
const MOST_NOTICES = 20;

function notify({ notices, events, log }: SessionsDependencies, text: string): void {
  log.warn(text);
  if (notices.length < MOST_NOTICES && !notices.includes(text)) notices.push(text);
  events.emit('changed');
}

/** Returns the default limits of a session of `engine`. */
function usualLimits(settings: Settings, engine: EngineName): Limits {
  const { sbclHeapMiB, acl2HeapMiB: acl2, javaHeapMiB: clojure, cpuSeconds, outputChars } = settings;
  const heaps: Partial<Record<EngineName, number>> = { acl2, clojure };
  return { heapMiB: heaps[engine] ?? sbclHeapMiB, cpuSeconds, outputChars };
}

/** The approved projects, and the default project of new sessions. */
interface ProjectDependencies {
  options: { kind: 'app' | 'headless'; project: string | undefined };
  folder: DataFolder;
  settings: SettingsFile;
  log: Log;
}

/** The default project of new sessions. `folder` is approved. */
export interface CurrentProject {
  folder: string;
}

interface ComposedProject {
  projects: Projects;
  project: CurrentProject;
  /** Why the folder is not the configured one; null if it is. */
  notice: string | null;
}

/** @throws HarborError `project_not_approved` if the option names a folder that cannot be a project */
export function composeProject({ options, folder, settings, log }: ProjectDependencies): ComposedProject {
  const project: CurrentProject = { folder: folder.scratch };
  const projects = new Projects({
    approved: () => [project.folder, ...settings.current.projects],
    ...sandboxPlaces(folder),
  });
  const notice = begin(project, projects, options, settings.current);
  // The project setting belongs to the window. A headless harbor ignores it.
  if (options.kind === 'app')
    settings.on('changed', ({ project: chosen }, names) => {
      if (names.has('project') && chosen !== undefined) follow(project, projects, chosen, log);
    });
  return { projects, project, notice };
}

/**
 * Chooses the default project: the option, then the user’s choice in the window, then the working directory.
 * If the option names a folder that cannot be a project, this throws. For any other such folder, the scratch
 * folder is used and the returned notice says so.
 */
function begin(
  current: CurrentProject,
  projects: Projects,
  { kind, project }: ProjectDependencies['options'],
  settings: Settings,
): string | null {
  const usual = (kind === 'app' ? settings.project : undefined) ?? process.env.INIT_CWD ?? process.cwd();
  try {
    current.folder = projects.approve(project ?? usual);
    return null;
  } catch (error) {
    if (project !== undefined) throw error;
    return `${asFailure(error).message} Sessions work in ${current.folder} until you choose a project.`;
  }
}

/**
 * Applies a changed project setting. A folder chosen in the window is approved already; one that was typed
 * into the settings file may be refused.
 */
function follow(current: CurrentProject, projects: Projects, chosen: string, log: Log): void {
  try {
    current.folder = projects.approve(chosen);
  } catch (error) {
    log.warn(`The project in the settings file was not accepted: ${asFailure(error).message}`);
  }
}

/** The engines of this harbor, in the order in which a default is chosen. */
interface EnginesDependencies {
  /** Folder of SBCL cores and of code compiled for the other engines. */
  cores: string;
  /** Folder of ACL2’s system books, if the user named one. */
  books: string | undefined;
  /** Trust tags of the system books that the user allowed by an option. */
  trustTags: readonly string[];
  /** Folder of the index of lemmas in ACL2’s books. */
  lemmas: string;
  settings: Pick<SettingsFile, 'current'>;
  log: AgentLog;
}

export function composeEngines(dependencies: EnginesDependencies): Engine[] {
  const { cores, books, trustTags, lemmas, settings, log } = dependencies;
  const emacsFolders: NamedFolders = (server) =>
    server === 'swank' ? settings.current.slimeFolder : settings.current.slyFolder;
  const portable = { sources: paths.lisp, compiled: cores, log, emacsFolders };
  return [
    new SbclEngine({
      sources: paths.lisp,
      cores,
      ownCommand: () => settings.current.sbclCommand,
      heapMiB: () => settings.current.sbclHeapMiB,
      emacsFolders,
      log,
    }),
    new NbbEngine(paths.nbb),
    ...[ECL, ABCL, CCL].map((implementation) => new PortableEngine(implementation, portable)),
    new ClojureEngine({
      sources: paths.clojure,
      compiled: cores,
      searchPath: process.env.PATH ?? '',
      home: homedir(),
      heapMiB: () => settings.current.javaHeapMiB,
    }),
    new Acl2Engine({
      helper: paths.acl2,
      certificates: path.join(cores, 'acl2-certificates'),
      program: process.env.ACL2 || undefined,
      books: books || process.env.ACL2_BOOKS || process.env.ACL2_SYSTEM_BOOKS || undefined,
      searchPath: process.env.PATH ?? '',
      lemmas: { folder: lemmas, worker: paths.lemmaWorker },
      heapMiB: () => settings.current.acl2HeapMiB,
      trustTags: () => [...trustTags, ...settings.current.acl2TrustTags],
      trustSystemBooks: () => settings.current.acl2TrustSystemBooks,
      log,
    }),
    new NreplEngine({
      questions: paths.clojure,
      named: () => settings.current.servers,
      heartbeatMs: () => settings.current.heartbeatMs,
    }),
    ...EmacsProtocol.options.map(
      (name) => new SwankEngine(name, { sources: paths.swank, named: () => settings.current.servers }),
    ),
    new LisplyEngine(() => settings.current.servers, process.env.PATH ?? ''),
  ];
}
