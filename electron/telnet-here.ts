/** Telnet in this harbor: each connection has a session of its own, in the project of that time. */
import { TELNET_KEY } from './access/client-keys';
import { OneTimeCode } from './access/one-time-code';
import type { Client, Scope } from './contract/model';
import { TelnetPort } from './endpoints/telnet/telnet-port';
import type { Log } from './log';
import type { Sessions } from './sessions/sessions';
import { ListenerTerminal } from './sessions/terminal';
import type { Toolbox } from './tools/tool';

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
