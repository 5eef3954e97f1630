/** The protocol ports of a harbor, a row each. Every one is closed until it is asked for, and knows no client but its own. */
import type { Gate } from '../access/gate';
import { OneTimeCode } from '../access/one-time-code';
import { BRIDGE_KEY, LISPLY_KEY, SWANK_KEY, TCP_KEYS, TELNET_KEY } from '../contract/known-clients';
import type { Client, Scope } from '../contract/model';
import type { OpenPorts } from '../contract/ports';
import { BridgePort } from '../endpoints/acl2-bridge/bridge-port';
import type { LisplyHttp } from '../endpoints/lisply/lisply-http';
import { LisplyPort } from '../endpoints/lisply/lisply-port';
import type { McpServices } from '../endpoints/mcp/mcp-conversation';
import type { ProtocolPort } from '../endpoints/protocol-port';
import { SwankPorts } from '../endpoints/swank/swank-ports';
import { TcpPort } from '../endpoints/tcp/tcp-port';
import { TelnetPort } from '../endpoints/telnet/telnet-port';
import { PORT_NAMES, type PortName } from '../host/port-options';
import { BridgeSession } from '../sessions/bridge-session';
import type { Sessions } from '../sessions/sessions';
import { SlimeDefault } from '../sessions/slime-default';
import { SlimeSession } from '../sessions/slime-session';
import type { Toolbox } from '../tools/connection';
import type { CurrentProject } from './compose-project';
import { composeTerminal } from './compose-terminals';

export interface PortDependencies extends McpServices {
  gate: Gate;
  sessions: Sessions;
  toolbox: Toolbox;
  /** In whose name ports of sessions are opened: who may attach to every session. */
  person: Client;
  /** The profile of who cannot name one. */
  profile: string;
  /** The folder that sessions get. */
  project: CurrentProject;
  /** Lisply over HTTP, which has its place on the HTTP server as well. */
  lisply: LisplyHttp;
  /** The view of a port is another one now. */
  changed: () => void;
}

/** `view` is where the harbor's status shows the port. */
type PortRow = {
  [Name in keyof OpenPorts]: {
    view: Name;
    make: (dependencies: PortDependencies) => ProtocolPort<OpenPorts[Name]>;
  };
}[keyof OpenPorts];

const client = (key: string, ...scopes: Scope[]): Client => ({ key, scopes: new Set(scopes) });
const BRIDGE = client(BRIDGE_KEY, 'evaluate');
const LISPLY = client(LISPLY_KEY, 'read', 'evaluate');
const TELNET = client(TELNET_KEY, 'evaluate');

/** By the beginning of the option that opens each: `--bridge-port`. */
const PORTS = {
  bridge: {
    view: 'acl2Bridge',
    make: ({ sessions, project, gate, log, changed }) =>
      new BridgePort({
        ...{ gate, log, changed },
        client: BRIDGE,
        newWorld: () => new BridgeSession(sessions, { client: BRIDGE.key, project: project.folder }),
      }),
  },
  lisply: {
    view: 'lisply',
    make: ({ lisply, log, changed }) => new LisplyPort({ lisply, client: LISPLY, log, changed }),
  },
  tcp: {
    view: 'tcp',
    make: ({ sessions, ...services }) =>
      new TcpPort({
        ...services,
        newClient: (name) => client(TCP_KEYS + name, 'read', 'evaluate'),
        endSessions: (ended) => endSessionsOf(sessions, ended),
      }),
  },
  telnet: {
    view: 'telnet',
    make: ({ toolbox, sessions, profile, log, changed }) =>
      new TelnetPort({
        ...{ log, changed },
        code: new OneTimeCode(),
        openTerminal: async (show) => {
          const connection = toolbox.connect(TELNET, { profile, shared: false });
          const opened = await connection.session(undefined);
          return composeTerminal(opened, { connection, sessions, client: TELNET, show });
        },
      }),
  },
  swank: {
    view: 'swank',
    make: ({ sessions, person, project, log, changed }) => {
      const ports = new SwankPorts({
        ...{ log, changed },
        hostOf: async (session) => new SlimeSession(await sessions.find(session, person), person.key),
        defaultHost: () =>
          new SlimeDefault(sessions, { client: SWANK_KEY, project: project.folder, engine: 'sbcl' }),
      });
      // Nothing is behind a port any more whose session has ended.
      sessions.events.on('ended', (session) => void ports.ended(session));
      return ports;
    },
  },
} satisfies Record<PortName, PortRow>;

export type ProtocolPorts = { readonly [Name in PortName]: ReturnType<(typeof PORTS)[Name]['make']> };

export function composePorts(dependencies: PortDependencies): ProtocolPorts {
  const made = PORT_NAMES.map((name) => [name, PORTS[name].make(dependencies)]);
  return Object.fromEntries(made) as ProtocolPorts;
}

/** What the harbor's status shows of them. */
export function viewsOf(ports: ProtocolPorts): OpenPorts {
  const views = PORT_NAMES.map((name) => [PORTS[name].view, ports[name].view]);
  return Object.fromEntries(views) as OpenPorts;
}

async function endSessionsOf(sessions: Sessions, { key }: Client): Promise<void> {
  const own = sessions.all.filter(({ identity }) => identity.client === key);
  await Promise.all(own.map((session) => sessions.close(session)));
}
