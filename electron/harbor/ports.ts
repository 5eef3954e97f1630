/**
 * The protocol ports of a harbor. Each is closed unless an option or the window opens it, and has its own
 * client.
 */

import type { Approvals } from '../access/approvals';
import { COMPAT_PORTS, type CompatPortDependencies } from '../compat/compat';
import type { Requester } from '../contract/approvals';
import type { EmacsProtocol, OpenPorts } from '../contract/harbor-status';
import { NREPL_KEY, SLYNK_KEY, SWANK_KEY } from '../contract/known-clients';
import type { ReplHello } from '../contract/local-socket';
import type { Client } from '../contract/model';
import { type Note, noteComments } from '../contract/note';
import { EditorPorts, type EditorPortsOptions, type ServedSession } from '../endpoints/editors/editor-ports';
import { serveNrepl } from '../endpoints/editors/nrepl';
import { serveSwank } from '../endpoints/editors/swank';
import type { ProtocolPort } from '../endpoints/loopback';
import { PORT_NAMES, type PortName } from '../host/options';
import { DefaultEditorSession, type EditorSession } from '../sessions/editors/editor-session';
import { NreplEditorSession } from '../sessions/editors/nrepl-session';
import { EMACS_CLIENTS, SwankSession } from '../sessions/editors/swank-session';
import { ListenerTerminal } from '../sessions/listeners';
import type { OpenRequest } from '../sessions/open-request';
import type { Session } from '../sessions/session/session';
import { isHandle } from '../sessions/session-names';
import type { Sessions } from '../sessions/sessions';
import type { Connection, Toolbox } from '../tools/toolbox';
import type { CurrentProject } from './compose-sessions';

interface PortDependencies extends Omit<CompatPortDependencies, 'openTerminal'> {
  /** The client that ports of sessions belong to. It may attach to every session. */
  person: Client;
  approvals: Approvals;
  project: CurrentProject;
}

/** `view` is the key of the port in the harbor’s status. */
type PortRow = {
  [Name in keyof OpenPorts]: {
    view: Name;
    make: (dependencies: PortDependencies & CompatPortDependencies) => ProtocolPort<OpenPorts[Name]>;
  };
}[keyof OpenPorts];

/** Keyed by the prefix of the option that opens the port: `--bridge-port`. */
const PORTS = {
  ...COMPAT_PORTS,
  swank: { view: 'swank', make: (dependencies) => emacsPorts('swank', SWANK_KEY, dependencies) },
  slynk: { view: 'slynk', make: (dependencies) => emacsPorts('slynk', SLYNK_KEY, dependencies) },
  nrepl: {
    view: 'nrepl',
    make: ({ sessions, person, project, approvals, log, changed }) => {
      const refusal = (client: string) =>
        approvals.refusal({ client, class: 'evaluate', tool: 'nrepl' })?.message ?? null;
      return editorPorts(
        { sessions, person, changed },
        {
          protocol: 'nrepl',
          make: (session, client) => new NreplEditorSession(session, client, sessions.events),
          serve: (socket, host, joined) => serveNrepl(socket, host, joined, { refusal, log }),
          request: { client: NREPL_KEY, project: project.folder },
        },
      );
    },
  },
} satisfies Record<PortName, PortRow>;

/** @param owner the client of the session that the option opens */
function emacsPorts(
  protocol: EmacsProtocol,
  owner: string,
  { sessions, person, project, approvals, log, changed }: PortDependencies,
): EditorPorts<SwankSession> {
  const refusalFor = (client: string) =>
    approvals.refusal({ client, class: 'evaluate', tool: 'slime' })?.message ?? null;
  const refusal = () => refusalFor(owner) ?? refusalFor(EMACS_CLIENTS[protocol]);
  return editorPorts(
    { sessions, person, changed },
    {
      protocol,
      make: (session, client) => new SwankSession(session, client, protocol),
      serve: (socket, host, joined) => serveSwank(socket, host, joined, { protocol, refusal, log }),
      request: { client: owner, project: project.folder, engine: 'sbcl' },
    },
  );
}

interface EditorPortRow<S extends EditorSession & ServedSession>
  extends Pick<EditorPortsOptions<S>, 'protocol' | 'serve'> {
  /** The session of the port that an option opens. */
  request: OpenRequest;
  /** @param client the client that revives a lost session */
  make: (session: Session, client: string) => S;
}

/** The port of a session closes when the session ends. */
function editorPorts<S extends EditorSession & ServedSession>(
  { sessions, person, changed }: Pick<PortDependencies, 'sessions' | 'person' | 'changed'>,
  { request, make, ...row }: EditorPortRow<S>,
): EditorPorts<S> {
  const ports = new EditorPorts<S>({
    ...{ ...row, changed },
    hostOf: async (id) => {
      const session = make(await sessions.find(id, person, null), person.key);
      return { session: session.session, get: async () => session };
    },
    defaultHost: () =>
      new DefaultEditorSession(sessions, request, (session) => make(session, request.client)),
  });
  sessions.events.on('ended', (session) => void ports.ended(session));
  return ports;
}

export type ProtocolPorts = { readonly [Name in PortName]: ReturnType<(typeof PORTS)[Name]['make']> };

export function composePorts(dependencies: PortDependencies): ProtocolPorts {
  const { toolbox, sessions, profile } = dependencies;
  const openTerminal: CompatPortDependencies['openTerminal'] = async (client, show) => {
    const connection = toolbox.connect(client, { profile, shared: false });
    const opened = await connection.session(undefined, null);
    return composeTerminal(opened, { connection, sessions, client, show });
  };
  const ports = PORT_NAMES.map((name) => [name, PORTS[name].make({ ...dependencies, openTerminal })]);
  return Object.fromEntries(ports) as ProtocolPorts;
}

/** Returns the state of the ports for the harbor’s status. */
export function viewsOf(ports: ProtocolPorts): OpenPorts {
  const views = PORT_NAMES.map((name) => [PORTS[name].view, ports[name].view]);
  return Object.fromEntries(views) as OpenPorts;
}

/** A terminal of a temporary session, or of a named one that continues after the terminal is closed. */
interface TerminalDependencies {
  /** Closed with the terminal. */
  connection: Connection;
  sessions: Sessions;
  client: Client;
  /** Called with output. */
  show: (text: string) => void;
}

/** Builds a terminal and prints pending notes first. */
function composeTerminal(
  { session, notes }: { session: Session; notes: readonly Note[] },
  { connection, sessions, client, show }: TerminalDependencies,
): ListenerTerminal {
  show(noteComments(notes));
  const giveUp = () => connection.end();
  return new ListenerTerminal({ session, events: sessions.events, client: client.key, show, giveUp });
}

type ReplTerminals = (
  hello: ReplHello,
  client: Client,
  show: (text: string) => void,
) => Promise<ListenerTerminal>;

/** Builds the terminals of `lisp-harbor repl`. */
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
        ? await connection.session(undefined, null)
        : { session: await sessionNamed(name, { client, grant: null }, connection, sessions), notes: [] };
    return composeTerminal(opened, { connection, sessions, client, show });
  };
}

/**
 * Returns the client’s session with this handle or name. An unknown name opens a session, which continues
 * after the connection is closed.
 * @throws HarborError `unknown_session` for an unknown handle, or why no session can be opened
 */
export async function sessionNamed(
  name: string,
  { client, grant }: Requester,
  connection: Connection,
  sessions: Sessions,
): Promise<Session> {
  const known = sessions
    .of(client)
    .find(({ id, identity }) => id === name || (identity.name === name && identity.client === client.key));
  if (known || isHandle(name)) return sessions.find(known?.id ?? name, client, grant);
  const { signal } = new AbortController();
  // The grant is for the call that names the session.
  const { structured } = await connection.call('open_session', { name }, { signal, grant: null });
  return sessions.find(String((structured as { session: string }).session), client, grant);
}
