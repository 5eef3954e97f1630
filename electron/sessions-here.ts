/** The sessions of a harbor and their checkpoints: with its folders, its settings and this machine's memory. */
import type { DataFolder } from './data-folder';
import type { History } from './history/history';
import type { Engines } from './images/discovery';
import type { Launcher } from './launchers/launcher';
import { machineMemory } from './launchers/machine-memory';
import type { Log } from './log';
import type { AllowList } from './sandbox/allow-list';
import type { NamedServers } from './sandbox/named-servers';
import type { Projects } from './sandbox/projects';
import { Checkpoints } from './sessions/checkpoints';
import { Memory } from './sessions/memory';
import { keepConnected } from './sessions/reconnection';
import { SessionFolders } from './sessions/session-folders';
import { Sessions } from './sessions/sessions';
import { type SettingsFile, usualLimits } from './settings';

export interface SessionsHereOptions {
  folder: DataFolder;
  settings: SettingsFile;
  engines: Engines;
  launcher: Launcher;
  history: History;
  projects: Projects;
  allowList: AllowList;
  servers: NamedServers;
  log: Log;
}

/** Removes what an earlier run left of its sessions. */
export async function sessionsHere(
  options: SessionsHereOptions,
): Promise<{ sessions: Sessions; checkpoints: Checkpoints }> {
  const { folder, settings, engines, launcher, history, projects, allowList, servers, log } = options;
  const folders = new SessionFolders(folder.sessions);
  await folders.clear();
  const sessions = new Sessions({
    engines,
    launcher,
    history,
    folders,
    confine: (project) => allowList.confinement(project),
    checkProject: (project) => projects.check(project),
    checkServer: (request) => servers.check(request),
    limits: (engine) => usualLimits(settings.current, engine),
    memory: new Memory({ read: machineMemory, reserveMiB: () => settings.current.memoryReserveMiB }),
    acceptedUnsandboxed: () => settings.current.acceptedUnsandboxed,
    keepReady: () => settings.current.keepReady,
    log,
  });
  keepConnected(sessions, engines);
  const checkpoints = new Checkpoints({
    sessions,
    rows: history.checkpoints,
    folder: folder.checkpoints,
    log,
  });
  await checkpoints.tidy();
  return { sessions, checkpoints };
}
