/** What sessions of this harbor may reach: by its settings, and by a person who is asked. */
import type { Approver } from '../contract/approvals';
import type { SandboxReport } from '../contract/model';
import type { SettingsChange } from '../contract/settings';
import type { SettingsFile } from '../host/settings-file';
import type { AllowList } from '../sandbox/allow-list';
import { NamedContainers } from '../sandbox/named-containers';
import { NamedServers } from '../sandbox/named-servers';
import { AccessRequests } from '../tools/sessions/access-requests';

export interface ChangingSettings {
  settings: SettingsFile;
  /** Writes them, and tells whoever shows them. */
  change: (change: SettingsChange) => void;
}

export function namedServers({ settings, change }: ChangingSettings): NamedServers {
  return new NamedServers({
    named: () => settings.current.servers,
    add: (server) => change({ servers: [...settings.current.servers, server] }),
  });
}

export interface AskedReachSurroundings extends ChangingSettings {
  servers: NamedServers;
  allowList: AllowList;
  approver: Approver;
  sandbox: SandboxReport;
}

/** What no sandbox confines reaches the network anyway: nobody is asked in vain. */
export function askedReach({
  settings,
  change,
  servers,
  allowList,
  approver,
  sandbox,
}: AskedReachSurroundings): AccessRequests {
  const containers = new NamedContainers({
    named: () => settings.current.containers,
    add: (container) => change({ containers: [...settings.current.containers, container] }),
  });
  const hasNetwork = (project: string) => !sandbox.confined || allowList.hasNetwork(project);
  return new AccessRequests({ approver, servers, containers, hasNetwork });
}
