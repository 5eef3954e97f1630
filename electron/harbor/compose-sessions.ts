/** The sessions of a harbor and their checkpoints: with its folders, its settings and this machine's memory. */
import type { Approvals } from '../access/approvals';
import type { Limits } from '../contract/memory';
import type { EngineName } from '../contract/model';
import type { Settings } from '../contract/settings';
import type { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Log } from '../host/log';
import type { SettingsFile } from '../host/settings-file';
import type { Engines } from '../images/discovery';
import type { Launcher } from '../launchers/launcher';
import { machineMemory } from '../launchers/machine-memory';
import type { AllowList } from '../sandbox/allow-list';
import type { NamedServers } from '../sandbox/named-servers';
import type { Projects } from '../sandbox/projects';
import { LibraryFetches } from '../sessions/library-fetches';
import { LibraryFolders } from '../sessions/library-folders';
import { Memory } from '../sessions/memory-reserve';
import { Checkpoints } from '../sessions/recovery/checkpoints';
import { keepConnected } from '../sessions/recovery/reconnection';
import { SessionFolders } from '../sessions/session-folders';
import { Sessions } from '../sessions/sessions';

export interface SessionsDependencies {
  folder: DataFolder;
  settings: SettingsFile;
  engines: Engines;
  launcher: Launcher;
  history: History;
  projects: Projects;
  allowList: AllowList;
  servers: NamedServers;
  approvals: Approvals;
  log: Log;
}

/** Removes what an earlier run left of its sessions. */
export async function composeSessions(
  dependencies: SessionsDependencies,
): Promise<{ sessions: Sessions; checkpoints: Checkpoints; fetches: LibraryFetches }> {
  const { folder, settings, engines, launcher, history, projects, allowList, servers, log } = dependencies;
  const confine = (project: string) => allowList.confinement(project);
  const libraries = new LibraryFolders(folder.libraries);
  const folders = new SessionFolders(folder.sessions);
  const sessions = new Sessions({
    engines,
    launcher,
    history,
    folders,
    libraries,
    confine,
    checkProject: (project) => projects.check(project),
    locateServer: (...asked) => servers.locate(...asked),
    limits: (engine) => usualLimits(settings.current, engine),
    memory: new Memory({ read: machineMemory, reserveMiB: () => settings.current.memoryReserveMiB }),
    door: dependencies.approvals.door,
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

/** The limits of a session of `engine` that is opened without a word about them. */
function usualLimits(settings: Settings, engine: EngineName): Limits {
  const { sbclHeapMiB, acl2HeapMiB: acl2, javaHeapMiB: clojure, cpuSeconds, outputChars } = settings;
  const heaps: Partial<Record<EngineName, number>> = { acl2, clojure };
  return { heapMiB: heaps[engine] ?? sbclHeapMiB, cpuSeconds, outputChars };
}
