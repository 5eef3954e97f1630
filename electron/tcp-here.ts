/** MCP over TCP in this harbor: whoever connects is a client of its own, for as long as it is connected. */
import { TCP_KEYS } from './access/client-keys';
import type { Client, Scope } from './contract/model';
import type { McpServices } from './endpoints/mcp-server';
import { TcpPort } from './endpoints/tcp-port';
import type { Sessions } from './sessions/sessions';
import type { Toolbox } from './tools/tool';

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
