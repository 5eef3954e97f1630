/** What sessions of this harbor may reach: by its settings, and by a person who is asked. */
import type { Approver } from '../contract/approvals';
import type { SandboxReport } from '../contract/model';
import type { SettingsFile } from '../host/settings-file';
import type { AllowList } from '../sandbox/allow-list';
import { NamedContainers } from '../sandbox/named-containers';
import { NamedServers } from '../sandbox/named-servers';
import { AccessRequests } from '../tools/sessions/access-requests';

export function composeNamedServers(settings: SettingsFile): NamedServers {
  return new NamedServers({
    named: () => settings.current.servers,
    add: (server) => settings.change(({ servers }) => ({ servers: [...servers, server] })),
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
