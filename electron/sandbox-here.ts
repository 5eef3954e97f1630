/** What clients may touch here: the allow-list of the settings, and the guard of the files that follows it. */
import { homedir, tmpdir } from 'node:os';
import type { DataFolder } from './data-folder';
import { AllowList } from './sandbox/allow-list';
import { FileGuard } from './sandbox/guarded-files';
import { LibraryFolders } from './sessions/library-folders';
import { loadedSystemFolders } from './sessions/loaded-folders';
import type { Sessions } from './sessions/sessions';
import type { SettingsFile } from './settings';

export function allowListHere(folder: DataFolder, settings: SettingsFile): AllowList {
  const libraries = new LibraryFolders(folder.libraries);
  return new AllowList({
    entries: () => settings.current.allowList,
    networkProjects: () => settings.current.networkProjects,
    withoutDefaults: () => settings.current.withoutDefaults,
    libraries: () => [settings.current.slimeFolder].filter((named) => named !== undefined),
    fetched: (project) => libraries.of(project).fetched,
    home: homedir(),
    dataFolder: folder.root,
    temporaryFolders: [tmpdir()],
  });
}

export function fileGuard(allowList: AllowList, sessions: Sessions): FileGuard {
  return new FileGuard({
    rules: (project, systems) => allowList.rules(project, systems),
    systems: (project) => loadedSystemFolders(sessions.all, project),
  });
}
