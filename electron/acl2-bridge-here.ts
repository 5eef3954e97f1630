/** The port of the ACL2 Bridge in this harbor: each connection gets a session of its own, in the project of that time. */
import { BRIDGE_KEY } from './access/client-keys';
import type { Gate } from './access/gate';
import type { Client, Scope } from './contract/model';
import { BridgePort } from './endpoints/acl2-bridge/bridge-port';
import type { Log } from './log';
import { BridgeSession } from './sessions/bridge-session';
import type { Sessions } from './sessions/sessions';

/** Whoever reaches the port: the protocol knows no client. */
const BRIDGE: Client = { key: BRIDGE_KEY, scopes: new Set<Scope>(['evaluate']) };

export interface BridgeSurroundings {
  sessions: Sessions;
  /** The folder that sessions get. */
  project: () => string;
  gate: Gate;
  log: Log;
  /** Connections have come or gone. */
  changed: () => void;
}

export function acl2BridgePort({ sessions, project, ...services }: BridgeSurroundings): BridgePort {
  return new BridgePort({
    ...services,
    client: BRIDGE,
    newWorld: () => new BridgeSession(sessions, { client: BRIDGE.key, project: project() }),
  });
}
