/** What clients may touch here: the allow-list of the settings, and the guard of the files that follows it. */
import { homedir, tmpdir } from 'node:os';
import type { Approvals } from '../access/approvals';
import { HarborError } from '../contract/errors';
import type { DataFolder } from '../host/data-folder';
import type { SettingsFile } from '../host/settings-file';
import { AllowList } from '../sandbox/allow-list';
import { FileGuard } from '../sandbox/guarded-files';
import type { PassingEntries } from '../sandbox/passing-entries';
import { ReadRequests } from '../sandbox/read-requests';
import { LibraryFolders } from '../sessions/library-folders';
import { libraryRows } from '../sessions/library-rows';
import { loadedSystemFolders } from '../sessions/loaded-folders';
import type { Sessions } from '../sessions/sessions';

export function composeAllowList(
  folder: DataFolder,
  settings: SettingsFile,
  passing: PassingEntries,
): AllowList {
  const libraries = new LibraryFolders(folder.libraries);
  return new AllowList({
    entries: () => [...settings.current.allowList, ...passing.all],
    networkProjects: () => settings.current.networkProjects,
    withoutDefaults: () => settings.current.withoutDefaults,
    libraries: () => [settings.current.slimeFolder].filter((named) => named !== undefined),
    fetched: (project) => libraries.of(project).fetched,
    home: homedir(),
    dataFolder: folder.root,
    temporaryFolders: [tmpdir()],
  });
}

/** @param asked absent where nobody is to be asked */
export function composeFileGuard(allowList: AllowList, sessions: Sessions, asked?: ReadRequests): FileGuard {
  return new FileGuard({
    rules: (project, systems) => {
      const rules = allowList.rules(project, systems);
      const more = [...libraryRows(sessions.all, project), ...(asked?.rows(project) ?? [])];
      return { ...rules, rows: [...rules.rows, ...more] };
    },
    systems: (project) => loadedSystemFolders(sessions.all, project),
    ...(asked ? { asked } : {}),
  });
}

/** What a person is asked about at the window, and what becomes of their yes. */
export function composeReadRequests(
  { settings, sessions, allowList }: { settings: SettingsFile; sessions: Sessions; allowList: AllowList },
  approvals: Approvals,
): ReadRequests {
  return new ReadRequests({
    ask: (question) => approvals.ask({ ...question, class: 'read' }),
    isAttended: () => approvals.isAttended,
    isOpen: (session) => (sessions.get(session)?.state ?? 'ended') !== 'ended',
    problem: (folder) => allowList.claimProblem(folder),
    add: (entry) => {
      const problem = allowList.refusal(entry);
      if (problem !== null) throw new HarborError('path_not_allowed', problem);
      settings.change((current) => ({ allowList: [...current.allowList, entry] }));
    },
  });
}
