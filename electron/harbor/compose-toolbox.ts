/** What agents can ask of this harbor: its profiles, prompts and resources, and which profile each client gets. */
import type { Approvals } from '../access/approvals';
import { ClientChoices } from '../access/client-choices';
import { ClientProfiles } from '../access/client-profiles';
import type { InnerRequests } from '../endpoints/lisply/inner-requests';
import type { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Options } from '../host/options';
import { places } from '../host/places';
import type { SettingsFile } from '../host/settings-file';
import type { Engines } from '../images/discovery';
import type { Launcher } from '../launchers/launcher';
import type { Projects } from '../sandbox/projects';
import type { LibraryFetches } from '../sessions/library-fetches';
import type { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Sessions } from '../sessions/sessions';
import type { GuardedFiles } from '../source/files';
import { profiles } from '../tools/profiles/profiles';
import { prompts } from '../tools/prompts/prompts';
import { resources } from '../tools/resources/resources';
import type { AccessRequests } from '../tools/sessions/access-requests';
import { HarborToolbox } from '../tools/toolbox';
import type { CurrentProject } from './compose-project';
import type { Addresses } from './open-endpoints';

export interface ToolboxDependencies {
  options: Pick<Options, 'nrepl'>;
  /** Of clients for whom nobody has chosen another. */
  profile: string;
  folder: DataFolder;
  settings: SettingsFile;
  history: History;
  projects: Projects;
  project: CurrentProject;
  engines: Engines;
  launcher: Launcher;
  sessions: Sessions;
  checkpoints: Checkpoints;
  fetches: LibraryFetches;
  listeners: Listeners;
  approvals: Approvals;
  accessRequests: AccessRequests;
  files: GuardedFiles;
  addresses: Addresses;
  /** This harbor's own Lisply, for the tools of the profile `lisply`. */
  lisply: InnerRequests;
}

/** @throws HarborError `bad_arguments` when there is no profile of that name */
export function composeToolbox(dependencies: ToolboxDependencies): {
  toolbox: HarborToolbox;
  clientProfiles: ClientProfiles;
  clientChoices: ClientChoices;
} {
  const { profile, folder, settings, history, projects, project, sessions } = dependencies;
  const ownOnly = () => settings.current.ownHistoryOnly;
  const offered = composeProfiles(dependencies, ownOnly);
  const known = offered.map(({ name }) => name);
  const clientProfiles = new ClientProfiles(history.writer.database, { usual: profile, known });
  const clientChoices = new ClientChoices(history.writer.database);
  const toolbox = new HarborToolbox({
    choices: clientProfiles,
    engineOf: (client) => clientChoices.of(client).engine ?? undefined,
    profiles: offered,
    prompts: prompts({ ...dependencies, ownOnly }),
    resources: resources({ ...dependencies, guides: places.guides, ownOnly }),
    sessions,
    projects,
    ownOnly,
    project: () => project.folder,
    scratch: folder.scratch,
  });
  toolbox.profile(profile);
  return { toolbox, clientProfiles, clientChoices };
}

function composeProfiles(dependencies: ToolboxDependencies, ownOnly: () => boolean) {
  const { options, settings, launcher, listeners, approvals, accessRequests, addresses, lisply } =
    dependencies;
  const { sessions, checkpoints, fetches, history, projects, engines, files } = dependencies;
  return profiles({
    ...{ sessions, checkpoints, fetches, history, projects, engines, files, ownOnly },
    approver: approvals,
    accessRequests,
    sandbox: launcher.sandbox,
    isPaused: () => approvals.isPaused,
    softLimitMs: () => settings.current.softLimitMs,
    endpoints: () => addresses.all,
    guides: places.guides,
    ownBackend: (...asked) => lisply.send(...asked),
    watched: (session) => listeners.has(session),
    ...options.nrepl,
  });
}
