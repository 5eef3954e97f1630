/** Emacs's ways into this harbor: ports that a person opens for sessions, and the one of `--swank-port`. */
import { SWANK_KEY } from './access/client-keys';
import type { Client } from './contract/model';
import { SwankPorts } from './endpoints/swank-ports';
import type { Doors } from './listening';
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

/** The port that was asked for at the start: it serves a session of its own in `project`. */
export function swankDoor(port: number | undefined, sessions: Sessions, project: string): Doors['swank'] {
  if (port === undefined) return null;
  return { port, host: new SlimeDefault(sessions, { client: SWANK_KEY, project, engine: 'sbcl' }) };
}
