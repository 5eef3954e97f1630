/** What sessions of this harbor may reach: by its settings, and by a person who is asked. */
import type { Approver } from '../contract/approvals';
import type { SandboxReport } from '../contract/model';
import { LOCALHOST } from '../contract/server';
import type { SettingsFile } from '../host/settings-file';
import { whoListens } from '../images/listening-ports';
import type { AllowList } from '../sandbox/allow-list';
import { NamedContainers } from '../sandbox/named-containers';
import { NamedServers } from '../sandbox/named-servers';
import { AccessRequests } from '../tools/sessions/access-requests';

/** @param nreplPort what the environment says of an nREPL server */
export function composeNamedServers(settings: SettingsFile, nreplPort: number | undefined): NamedServers {
  const own =
    nreplPort === undefined
      ? []
      : LOCALHOST.map((host) => ({ kind: 'nrepl', host, port: nreplPort }) as const);
  return new NamedServers({
    named: () => [...settings.current.servers, ...own],
    add: (server) => settings.change(({ servers }) => ({ servers: [...servers, server] })),
    whoListens,
  });
}

export interface AccessRequestsDependencies {
  settings: SettingsFile;
  servers: NamedServers;
  allowList: AllowList;
  approver: Approver;
  sandbox: SandboxReport;
}

/** What no sandbox confines reaches the network anyway: nobody is asked in vain. */
export function composeAccessRequests(dependencies: AccessRequestsDependencies): AccessRequests {
  const { settings, servers, allowList, approver, sandbox } = dependencies;
  const containers = new NamedContainers({
    named: () => settings.current.containers,
    add: (container) => settings.change(({ containers: named }) => ({ containers: [...named, container] })),
  });
  const hasNetwork = (project: string) => !sandbox.confined || allowList.hasNetwork(project);
  return new AccessRequests({ approver, servers, containers, hasNetwork });
}
