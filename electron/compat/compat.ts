/** Entry of this folder: the profiles and protocol ports of other systems. Other rooms import only this file. */

import type { Gate } from '../access/gate';
import { OneTimeCode } from '../access/tokens';
import { ProfileName } from '../contract/clients';
import { BRIDGE_KEY, LISPLY_KEY, TCP_KEYS, TELNET_KEY } from '../contract/known-clients';
import type { Client, Scope } from '../contract/model';
import type { Terminal } from '../endpoints/local/repl';
import type { McpServices } from '../endpoints/mcp/caller';
import { BridgeSession } from '../sessions/bridge-session';
import type { Sessions } from '../sessions/sessions';
import { defaultProfile } from '../tools/default-profile';
import type { Profile } from '../tools/profile';
import type { Toolbox } from '../tools/toolbox';
import { acl2Profile } from './acl2/acl2-profile';
import { BridgePort } from './acl2-bridge/bridge-port';
import { clMcpServerProfile } from './cl-mcp-server/cl-mcp-server-profile';
import { lispMcpServerProfile } from './lisp-mcp-server/lisp-mcp-server-profile';
import { InnerRequests, LisplyBackend } from './lisply/lisply-backend';
import { LisplyHttp, LisplyPort } from './lisply/lisply-http';
import { type LisplyProfileOptions, lisplyProfile } from './lisply/lisply-profile';
import { type NreplProfileOptions, nreplProfile } from './nrepl/nrepl-profile';
import { TcpPort } from './tcp-port';
import { TelnetPort } from './telnet/telnet-port';

/** Returns all profiles, ours first, in the order in which lists show them. */
export function profiles(options: NreplProfileOptions & LisplyProfileOptions): Profile[] {
  const all: Record<ProfileName, Profile> = {
    default: defaultProfile(options),
    'cl-mcp-server': clMcpServerProfile(options),
    'lisp-mcp-server': lispMcpServerProfile(options),
    acl2: acl2Profile(options),
    nrepl: nreplProfile(options),
    lisply: lisplyProfile(options),
  };
  return ProfileName.options.map((name) => all[name]);
}

export interface CompatPortDependencies extends McpServices {
  gate: Gate;
  sessions: Sessions;
  toolbox: Toolbox;
  /** The profile of clients that cannot name one. */
  profile: string;
  /** The folder that new sessions get. */
  project: { readonly folder: string };
  /** Lisply over HTTP, which the HTTP server serves as well. */
  lisply: LisplyHttp;
  /** Opens a terminal on a new session. `show` receives what is printed. */
  openTerminal: (client: Client, show: (text: string) => void) => Promise<Terminal>;
  /** Called when the view of a port has changed. */
  changed: () => void;
}

const client = (key: string, ...scopes: Scope[]): Client => ({ key, scopes: new Set(scopes) });
const BRIDGE = client(BRIDGE_KEY, 'evaluate');
const LISPLY = client(LISPLY_KEY, 'read', 'evaluate');
const TELNET = client(TELNET_KEY, 'evaluate');

/** Protocol ports by the prefix of the option that opens them (`--bridge-port`). `view` names the port in the harbor's status. */
export const COMPAT_PORTS = {
  bridge: {
    view: 'acl2Bridge' as const,
    make: ({ sessions, project, gate, log, changed }: CompatPortDependencies) =>
      new BridgePort({
        ...{ gate, log, changed },
        client: BRIDGE,
        newWorld: () => new BridgeSession(sessions, { client: BRIDGE.key, project: project.folder }),
      }),
  },
  lisply: {
    view: 'lisply' as const,
    make: ({ lisply, log, changed }: CompatPortDependencies) =>
      new LisplyPort({ lisply, client: LISPLY, log, changed }),
  },
  tcp: {
    view: 'tcp' as const,
    make: ({ sessions, ...services }: CompatPortDependencies) =>
      new TcpPort({
        ...services,
        newClient: (name) => client(TCP_KEYS + name, 'read', 'evaluate'),
        endSessions: (ended) => endSessionsOf(sessions, ended),
      }),
  },
  telnet: {
    view: 'telnet' as const,
    make: ({ openTerminal, log, changed }: CompatPortDependencies) =>
      new TelnetPort({
        ...{ log, changed },
        code: new OneTimeCode(),
        openTerminal: (show) => openTerminal(TELNET, show),
      }),
  },
};

async function endSessionsOf(sessions: Sessions, { key }: Client): Promise<void> {
  const own = sessions.all.filter(({ identity }) => identity.client === key);
  await Promise.all(own.map((session) => sessions.close(session)));
}

export { InnerRequests, LisplyBackend, LisplyHttp, TelnetPort };
