/** Emacs's ways into this harbor: ports that a person opens for sessions, and the one of `--swank-port`. */
import { SWANK_KEY } from './access/client-keys';
import type { Client } from './contract/model';
import type { SwankHost } from './endpoints/swank-port';
import { SwankPorts } from './endpoints/swank-ports';
import type { Log } from './log';
import type { Sessions } from './sessions/sessions';
import { SlimeDefault } from './sessions/slime-default';
import { SlimeSession } from './sessions/slime-session';

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
