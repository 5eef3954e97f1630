/** Terminals of this harbor: of a session for one time, or of one that has a name and stays. */
import type { ReplHello } from '../contract/local-socket';
import type { Client } from '../contract/model';
import { ListenerTerminal } from '../sessions/listener-terminal';
import type { Session } from '../sessions/session/session';
import { isHandle } from '../sessions/session-names';
import type { Sessions } from '../sessions/sessions';
import type { Connection, Toolbox } from '../tools/connection';

export interface TerminalDependencies {
  /** Ends with the terminal. */
  connection: Connection;
  sessions: Sessions;
  client: Client;
  /** Gets what is printed. */
  show: (text: string) => void;
}

/** Shows the notes first. */
export function composeTerminal(
  { session, notes }: { session: Session; notes: readonly string[] },
  { connection, sessions, client, show }: TerminalDependencies,
): ListenerTerminal {
  show(notes.map((note) => `; ${note}\n`).join(''));
  const giveUp = () => connection.end();
  return new ListenerTerminal({ session, events: sessions.events, client: client.key, show, giveUp });
}

export type ReplTerminals = (
  hello: ReplHello,
  client: Client,
  show: (text: string) => void,
) => Promise<ListenerTerminal>;

/** The terminals of `lisp-harbor repl`. */
export function composeReplTerminals(toolbox: Toolbox, sessions: Sessions): ReplTerminals {
  return async ({ project, engine, session: name }, client, show) => {
    const connection = toolbox.connect(client, {
      profile: 'default',
      shared: false,
      ...(project !== undefined && { project }),
      ...(engine !== undefined && { engine }),
    });
    const opened =
      name === undefined
        ? await connection.session(undefined)
        : { session: await sessionNamed(name, client, connection, sessions), notes: [] };
    return composeTerminal(opened, { connection, sessions, client, show });
  };
}

/**
 * The client's session of that handle or name; under a new name one is opened. It stays when the connection ends.
 * @throws HarborError `unknown_session` for a handle of none, and why none can be opened
 */
export async function sessionNamed(
  name: string,
  client: Client,
  connection: Connection,
  sessions: Sessions,
): Promise<Session> {
  const known = sessions
    .of(client)
    .find(({ id, identity }) => id === name || (identity.name === name && identity.client === client.key));
  if (known || isHandle(name)) return sessions.find(known?.id ?? name, client);
  const { signal } = new AbortController();
  const { structured } = await connection.call('open_session', { name }, { signal });
  return sessions.find(String((structured as { session: string }).session), client);
}
