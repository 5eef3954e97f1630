/** The ports of protocols that know no client, in this harbor. Each is closed until it is asked for. */
import type { Gate } from './access/gate';
import { acl2BridgePort } from './acl2-bridge-here';
import type { BridgePort } from './endpoints/acl2-bridge/bridge-port';
import type { LisplyPort } from './endpoints/lisply/lisply-port';
import type { McpServices } from './endpoints/mcp-server';
import type { TcpPort } from './endpoints/tcp-port';
import type { TelnetPort } from './endpoints/telnet/telnet-port';
import type { Sessions } from './sessions/sessions';
import { tcpPort } from './tcp-here';
import { telnetPort } from './telnet-here';
import type { Toolbox } from './tools/tool';

export interface SideDoorSurroundings extends McpServices {
  gate: Gate;
  sessions: Sessions;
  toolbox: Toolbox;
  /** The profile of who cannot name one. */
  profile: string;
  /** The folder that sessions get. */
  project: () => string;
  /** That of Lisply, which the HTTP server has a share in. */
  lisply: LisplyPort;
  /** Connections have come or gone. */
  changed: () => void;
}

export interface SideDoorsHere {
  bridge: BridgePort;
  lisply: LisplyPort;
  tcp: TcpPort;
  telnet: TelnetPort;
}

export function sideDoorsHere({ lisply, ...around }: SideDoorSurroundings): SideDoorsHere {
  return {
    bridge: acl2BridgePort(around),
    lisply,
    tcp: tcpPort(around),
    telnet: telnetPort(around),
  };
}
