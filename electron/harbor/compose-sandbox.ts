/** Builds the allow-list, the file guard and the approvals of this harbor from its settings. */

import { homedir, tmpdir } from 'node:os';
import { Approvals } from '../access/approvals';
import { partsOf } from '../access/shown-parts';
import { clientFiles } from '../connect/programs/table';
import type { Approver } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { SandboxReport } from '../contract/model';
import { LOCALHOST } from '../contract/server';
import type { DataFolder } from '../host/data-folder';
import { paths } from '../host/paths';
import type { SettingsFile } from '../host/settings-file';
import { findListenerOwner } from '../images/attachable-servers';
import { AllowList, type SessionOnlyEntries } from '../sandbox/allow-list';
import { FileGuard } from '../sandbox/guarded-files';
import { NamedContainers, NamedServers } from '../sandbox/named-servers';

import { ReadRequests } from '../sandbox/read-requests';
import { LibraryFolders, libraryRows } from '../sessions/library-fetches';

import { loadedSystemFolders } from '../sessions/session-folders';
import type { Sessions } from '../sessions/sessions';
import { AccessRequests } from '../tools/sessions/access-requests';

/** The places of this computer and user on which the rules of files and projects depend. */
export function sandboxPlaces(folder: DataFolder) {
  const computer = { platform: process.platform, home: homedir(), env: process.env, packages: [] };
  return {
    home: homedir(),
    dataFolder: folder.root,
    installation: paths.installation,
    clientFiles: clientFiles(computer),
    temporaryFolders: [tmpdir()],
  };
}

interface AllowListDependencies {
  folder: DataFolder;
  settings: SettingsFile;
  passing: SessionOnlyEntries;
  /** The default project. */
  project: { readonly folder: string };
}

export function composeAllowList({ folder, settings, passing, project }: AllowListDependencies): AllowList {
  const libraries = new LibraryFolders(folder.libraries);
  return new AllowList({
    entries: () => [...settings.current.allowList, ...passing.all],
    networkProjects: () => settings.current.networkProjects,
    loopbackPorts: () => settings.current.loopbackPorts,
    withoutDefaults: () => settings.current.withoutDefaults,
    libraries: () =>
      [settings.current.slimeFolder, settings.current.slyFolder].filter((named) => named !== undefined),
    fetched: (named) => libraries.of(named).fetched,
    projects: () => [project.folder, ...settings.current.projects],
    ...sandboxPlaces(folder),
  });
}

/** @param requests absent: file access outside the allow-list is refused without a request */
export function composeFileGuard(
  allowList: AllowList,
  sessions: Sessions,
  requests?: ReadRequests,
): FileGuard {
  return new FileGuard({
    rules: (project, systems) => {
      const rules = allowList.rules(project, systems);
      const more = [...libraryRows(sessions.all, project), ...(requests?.rows(project) ?? [])];
      return { ...rules, rows: [...rules.rows, ...more] };
    },
    systems: (project) => loadedSystemFolders(sessions.all, project),
    ...(requests ? { readRequests: requests } : {}),
  });
}

/** Builds the requests for read access, which the user answers in the window. */
export function composeReadRequests(
  { settings, sessions, allowList }: { settings: SettingsFile; sessions: Sessions; allowList: AllowList },
  approvals: Approvals,
): ReadRequests {
  return new ReadRequests({
    confirm: ({ code, ...question }) =>
      approvals.prompt({ ...question, parts: partsOf({ code }), class: 'read' }),
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

/**
 * Builds the list of servers that sessions may connect to.
 * @param nreplPort port of an nREPL server named by the environment
 */
export function composeNamedServers(settings: SettingsFile, nreplPort: number | undefined): NamedServers {
  const own =
    nreplPort === undefined
      ? []
      : LOCALHOST.map((host) => ({ kind: 'nrepl', host, port: nreplPort }) as const);
  return new NamedServers({
    named: () => [...settings.current.servers, ...own],
    add: (server) => settings.change(({ servers }) => ({ servers: [...servers, server] })),
    findListener: findListenerOwner,
  });
}

interface AccessRequestsDependencies {
  settings: SettingsFile;
  servers: NamedServers;
  allowList: AllowList;
  approver: Approver;
  sandbox: SandboxReport;
}

/**
 * Builds the requests for servers, containers and network access. Without a sandbox the network is always
 * reachable, so no approval is requested for it.
 */
export function composeAccessRequests(dependencies: AccessRequestsDependencies): AccessRequests {
  const { settings, servers, allowList, approver, sandbox } = dependencies;
  const containers = new NamedContainers({
    named: () => settings.current.containers,
    add: (container) => settings.change(({ containers: named }) => ({ containers: [...named, container] })),
  });
  const hasNetwork = (project: string) => !sandbox.confined || allowList.hasNetwork(project);
  const networkReach = () => reachOf(sandbox, settings.current.loopbackPorts);
  return new AccessRequests({ approver, servers, containers, hasNetwork, networkReach });
}

function reachOf({ sharesNetwork = false }: SandboxReport, ports: readonly number[]): string {
  if (sharesNetwork) return 'other computers, and to the servers that listen on this computer';
  return ports.length === 0
    ? 'other computers'
    : `other computers, and to these ports of this computer: ${ports.join(', ')}`;
}

/** The rules of the settings, and whether a window can show a request. */
interface ApprovalsDependencies {
  settings: SettingsFile;
  kind: 'app' | 'headless';
}

export function composeApprovals({ settings, kind }: ApprovalsDependencies): Approvals {
  return new Approvals({
    rules: () => settings.current.approvals,
    addRule: (rule) => settings.change(({ approvals: rules }) => ({ approvals: [...rules, rule] })),
    isAttended: () => kind === 'app',
  });
}
