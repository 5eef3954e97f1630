/** Builds the tools, prompts and resources that agents see, and the profile of each client. */

import type { Approvals } from '../access/approvals';
import { ClientChoices, ClientProfiles } from '../access/client-settings';

import { Gate } from '../access/gate';
import { type InnerRequests, profiles } from '../compat/compat';
import type { Approver } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { Client } from '../contract/model';
import type { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import type { Options } from '../host/options';
import { paths } from '../host/paths';
import type { SettingsFile } from '../host/settings-file';
import type { Engines } from '../images/discovery';
import type { Launcher } from '../launchers/launcher';
import type { Projects } from '../sandbox/projects';
import { SessionChanges } from '../sessions/changes/session-changes';
import type { LibraryFetches } from '../sessions/library-fetches';
import type { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { GuardedFiles, RemovableFiles } from '../source/files';
import { changeFile, checkHash } from '../tools/files/text-files';
import { writeDefinitionsOf } from '../tools/files/write-file-tool';
import { prompts } from '../tools/prompts/prompts';
import { resources } from '../tools/resources/resources';
import type { AccessRequests } from '../tools/sessions/access-requests';
import { HarborToolbox } from '../tools/toolbox';
import type { Applications } from './applications';
import type { Addresses } from './compose-endpoints';
import type { CurrentProject } from './compose-sessions';

interface ToolboxDependencies {
  options: Pick<Options, 'nrepl'>;
  /** Profile of clients for which none was chosen. */
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
  applications: Applications;
  /** Lisply requests to this harbor itself, for the tools of the profile `lisply`. */
  lisply: InnerRequests;
}

/** @throws HarborError `bad_arguments` if no profile has this name */
export function composeToolbox(dependencies: ToolboxDependencies): {
  toolbox: HarborToolbox;
  clientProfiles: ClientProfiles;
  clientChoices: ClientChoices;
} {
  const { profile, folder, settings, history, projects, project, sessions } = dependencies;
  const ownOnly = () => settings.current.ownHistoryOnly;
  const offered = composeProfiles(dependencies, ownOnly);
  const known = offered.map(({ name }) => name);
  const clientProfiles = new ClientProfiles(history.writer, { usual: profile, known });
  const clientChoices = new ClientChoices(history.writer);
  const toolbox = new HarborToolbox({
    choices: clientProfiles,
    engineOf: (client) => clientChoices.of(client).engine ?? undefined,
    profiles: offered,
    prompts: prompts({ ...dependencies, ownOnly }),
    resources: resources({ ...dependencies, guides: paths.guides, ownOnly }),
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
  const { options, settings, launcher, listeners, approvals, accessRequests } = dependencies;
  const { addresses, applications, lisply } = dependencies;
  const { sessions, checkpoints, fetches, history, projects, engines, files } = dependencies;
  return profiles({
    ...{ sessions, checkpoints, fetches, history, projects, engines, files, ownOnly },
    approver: approvals,
    accessRequests,
    sandbox: launcher.sandbox,
    isPaused: () => approvals.isPaused,
    softLimitMs: () => settings.current.softLimitMs,
    hosts: () => settings.current.hosts,
    endpoints: () => addresses.all,
    applications: () => applications.views(),
    guides: paths.guides,
    ownBackend: (...request) => lisply.send(...request),
    watched: (session) => listeners.has(session),
    ...options.nrepl,
  });
}

interface ChangesParts {
  history: History;
  files: GuardedFiles & RemovableFiles;
  approvals: Approver;
}

export function composeChanges({ history, files, approvals }: ChangesParts, person: Client) {
  const gate = new Gate(history.calls, approvals);
  const changes = new SessionChanges({ history, files });
  const options = { history, files };
  const recorded = <T>(tool: string, args: Record<string, unknown>, work: () => Promise<T>): Promise<T> => {
    const call = {
      client: person,
      endpoint: 'window',
      tool,
      scope: 'evaluate',
      approval: null,
      args,
    } as const;
    return gate
      .run(call, async () => ({ isError: false, answer: await work() }))
      .then(({ answer }) => answer);
  };
  const writing = (session: Session) => ({
    client: person,
    project: session.identity.project,
    session: session.id,
  });
  return {
    changes,
    recorded,
    written: {
      /** @param over the hash of a file whose newer definitions the user agreed to replace */
      definitions: (
        session: Session,
        path: string,
        names: readonly string[],
        over?: string,
      ): Promise<string> =>
        recorded('write_file', { path, definitions: names, session: session.id }, async () => {
          await changes.recheckSaved(session);
          const order = { path, definitions: names, expected_hash: over };
          const { files: done } = await writeDefinitionsOf(session, order, writing(session), options);
          return done[0]?.path ?? path;
        }),
      restore: (session: Session, path: string, saved: number, hash: string): Promise<void> =>
        recorded('revert_file', { path, kept: saved, session: session.id }, async () => {
          const replaced = history.replacedFiles.find(saved);
          if (replaced?.path !== path)
            throw new HarborError('file_missing', 'The earlier contents of this file are no longer stored.');
          await changeFile(path, writing(session), options, (file) => {
            checkHash({ ...file, shown: path }, hash);
            return { bytes: replaced.bytes, answer: null };
          });
          // An image that cannot answer now is queried again before the next write.
          await changes.recheckSaved(session).catch(() => undefined);
        }),
      remove: (session: Session, path: string, hash: string): Promise<void> =>
        recorded('remove_file', { path, session: session.id }, async () => {
          const { project } = session.identity;
          const { bytes, hash: now } = await files.read(project, path);
          checkHash({ hash: now, shown: path }, hash);
          const by = { client: person.key, project, session: session.id };
          const saved = history.replacedFiles.add({ ...by, path, bytes, replacedAt: Date.now() });
          await files.remove(project, path, hash).catch((error: unknown) => {
            history.replacedFiles.remove(saved);
            throw error;
          });
          await changes.recheckSaved(session).catch(() => undefined);
        }),
    },
  };
}
