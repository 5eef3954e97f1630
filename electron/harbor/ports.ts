/** The ports of protocols that know no client, in this harbor. Each is closed until it is asked for. */
import type { Gate } from '../access/gate';
import { OneTimeCode } from '../access/one-time-code';
import { BRIDGE_KEY, SWANK_KEY, TCP_KEYS, TELNET_KEY } from '../contract/client-keys';
import type { Client, Scope } from '../contract/model';
import { BridgePort } from '../endpoints/acl2-bridge/bridge-port';
import type { LisplyPort } from '../endpoints/lisply/lisply-port';
import type { McpServices } from '../endpoints/mcp/mcp-server';
import type { SwankHost } from '../endpoints/swank/swank-port';
import { SwankPorts } from '../endpoints/swank/swank-ports';
import { TcpPort } from '../endpoints/tcp/tcp-port';
import { TelnetPort } from '../endpoints/telnet/telnet-port';
import type { Log } from '../host/log';
import { BridgeSession } from '../sessions/bridge-session';
import { ListenerTerminal } from '../sessions/listener-terminal';
import type { Sessions } from '../sessions/sessions';
import { SlimeDefault } from '../sessions/slime-default';
import { SlimeSession } from '../sessions/slime-session';
import type { Toolbox } from '../tools/connection';

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

export interface TcpSurroundings extends McpServices {
  toolbox: Toolbox;
  sessions: Sessions;
  /** The one that connections get. */
  profile: string;
  /** Connections have come or gone. */
  changed: () => void;
}

export function tcpPort({ sessions, ...services }: TcpSurroundings): TcpPort {
  return new TcpPort({
    ...services,
    newClient: (name) => ({
      key: `${TCP_KEYS}${name}`,
      scopes: new Set<Scope>(['read', 'evaluate']),
    }),
    endSessions: (client) => endSessionsOf(sessions, client),
  });
}

async function endSessionsOf(sessions: Sessions, { key }: Client): Promise<void> {
  const own = sessions.all.filter(({ identity }) => identity.client === key);
  await Promise.all(own.map((session) => sessions.close(session)));
}

/** Whoever has the code: the protocol knows no client. */
const TELNET: Client = { key: TELNET_KEY, scopes: new Set<Scope>(['evaluate']) };

export interface TelnetSurroundings {
  toolbox: Toolbox;
  sessions: Sessions;
  /** The one whose engine sessions get, unless the harbor was given another. */
  profile: string;
  log: Log;
  /** Connections have come or gone, or the code is another. */
  changed: () => void;
}

export function telnetPort({ toolbox, sessions, profile, log, changed }: TelnetSurroundings): TelnetPort {
  return new TelnetPort({
    code: new OneTimeCode(),
    log,
    changed,
    openTerminal: async (show) => {
      const connection = toolbox.connect(TELNET, { profile, shared: false });
      const { session, notes } = await connection.session(undefined);
      show(notes.map((note) => `; ${note}\n`).join(''));
      return new ListenerTerminal({
        session,
        events: sessions.events,
        client: TELNET.key,
        show,
        giveUp: () => connection.end(),
      });
    },
  });
}

export interface SwankSurroundings {
  sessions: Sessions;
  /** In whose name ports are opened: who may attach to every session. */
  person: Client;
  log: Log;
  /** The ports are others now. */
  changed: () => void;
}

/** Each port is closed with its session. */
export function swankPorts({ sessions, person, log, changed }: SwankSurroundings): SwankPorts {
  const hostOf = (session: string) => new SlimeSession(sessions.find(session, person), person.key);
  const ports = new SwankPorts({ hostOf, log, changed });
  sessions.events.on('ended', (session) => void ports.ended(session));
  return ports;
}

/** The image behind the port that is asked for at the start: that of a session of its own in `project`. */
export function slimeHost(sessions: Sessions, project: string): SwankHost {
  return new SlimeDefault(sessions, { client: SWANK_KEY, project, engine: 'sbcl' });
}
