/**
 * The ports of one protocol for a person's editor: those that the user opened for sessions, and the one that
 * an option opened at the start.
 */

import { lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EditorPortView, EditorProtocol } from '../../contract/harbor-status';
import type { Note } from '../../contract/note';
import { LOOPBACK, listenOnLoopback, type ProtocolPort } from '../loopback';

/** A session that an editor uses through a port. */
export interface ServedSession {
  readonly session: string;
  readonly project: string;
  /** Notes about the image, for a new connection. */
  readonly notes: readonly Note[];
  /**
   * Prepares the image for the protocol.
   * @returns the version of the server in it, if it has one
   * @throws HarborError why it could not be prepared
   */
  start(): Promise<string | null>;
  /** Ends what the connections run in the image. Returns the names of threads that continue. */
  stop(): Promise<string[]>;
}

/** The session of a port. It may change. */
export interface EditorHost<S extends ServedSession> {
  /** null before one was opened. */
  readonly session: string | null;
  /** Opens the session if there is none. @throws HarborError */
  get(): Promise<S>;
}

export interface EditorPortsOptions<S extends ServedSession> {
  protocol: EditorProtocol;
  /**
   * Serves a connection until it is closed. `joined` is called when the peer is known to be an editor, with
   * the version as `ServedSession.start` returns it. Never rejects.
   */
  serve: (socket: Socket, host: EditorHost<S>, joined: (version: string | null) => void) => Promise<void>;
  /** @throws HarborError `unknown_session`, `not_supported` */
  hostOf: (session: string) => Promise<EditorHost<S>>;
  /** Returns the session of the port that an option opens. */
  defaultHost: () => EditorHost<S>;
  /** Called when `view` changed. */
  changed: () => void;
}

export interface PortRequest {
  /** 0 takes any free port. */
  port?: number | undefined;
  /** Whether to write the port into a file of the project, where editors look for it. nREPL only. */
  portFile?: boolean | undefined;
}

export class EditorPorts<S extends ServedSession> implements ProtocolPort<EditorPortView[]> {
  readonly #options: EditorPortsOptions<S>;
  readonly #ports = new Set<EditorPort<S>>();
  readonly #opening = new Map<string, Promise<EditorPortView>>();
  #ended = false;

  constructor(options: EditorPortsOptions<S>) {
    this.#options = options;
  }

  /** All ports, that of the option first. */
  get view(): EditorPortView[] {
    return [...this.#ports].map((port) => port.view);
  }

  get addresses(): string[] {
    return this.view.map(({ host, port, protocol }) => `${protocol}://${host}:${port}`);
  }

  /**
   * Opens a port for the session, or returns the open one.
   * @throws HarborError as `ServedSession.start`; `port_in_use`; `bad_arguments` if it is open at another
   *   port, or if the port file exists
   */
  async open(session: string, request: PortRequest = {}): Promise<EditorPortView> {
    const known = this.#of(session);
    if (known) return known.as(request);
    const opening = this.#opening.get(session) ?? this.#open(session, request);
    this.#opening.set(session, opening);
    return opening.finally(() => this.#opening.delete(session));
  }

  /** Opens the port of the option. Its session is opened when an editor connects. */
  async listen(port: number): Promise<void> {
    const opened = this.#portFor(this.#options.defaultHost());
    await opened.listen(port, `--${this.#options.protocol}-port`);
    this.#add(opened);
  }

  /**
   * Closes the session’s port.
   * @returns whether it was open, and the names of threads that continue
   */
  async stop(session: string): Promise<{ closed: boolean; threads: string[] }> {
    const port = this.#remove(session);
    return port ? { closed: true, threads: await port.close() } : { closed: false, threads: [] };
  }

  /** Called when a session ended. Closes its port. */
  async ended(session: string): Promise<void> {
    await this.#remove(session)?.shut();
  }

  /** Closes all ports and refuses to open more. The images are stopped elsewhere. */
  async close(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#ports].map((port) => port.shut()));
  }

  async #open(session: string, request: PortRequest): Promise<EditorPortView> {
    const port = this.#portFor(await this.#options.hostOf(session));
    await port.prepare();
    if (this.#ended) throw new HarborError('session_ended', 'The harbor is stopping. No port can be opened.');
    await port.listen(request.port ?? 0, '--port');
    try {
      if (request.portFile) await port.writePortFile();
    } catch (error) {
      await port.shut();
      throw error;
    }
    return this.#add(port);
  }

  #portFor(host: EditorHost<S>): EditorPort<S> {
    return new EditorPort({ ...this.#options, host });
  }

  #add(port: EditorPort<S>): EditorPortView {
    this.#ports.add(port);
    this.#options.changed();
    return port.view;
  }

  /** Removes and returns the session’s port. */
  #remove(session: string): EditorPort<S> | undefined {
    const port = this.#of(session);
    if (port && this.#ports.delete(port)) this.#options.changed();
    return port;
  }

  #of(session: string): EditorPort<S> | undefined {
    return [...this.#ports].find((port) => port.session === session);
  }
}

type EditorPortOptions<S extends ServedSession> = Pick<
  EditorPortsOptions<S>,
  'protocol' | 'serve' | 'changed'
> & { host: EditorHost<S> };

class EditorPort<S extends ServedSession> {
  readonly #options: EditorPortOptions<S>;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #version: string | null = null;
  #connections = 0;
  #portFile: PortFile | null = null;

  constructor(options: EditorPortOptions<S>) {
    this.#options = options;
    // Editors send small messages and wait for each response. Nagle’s algorithm would add 40 ms to each.
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  get session(): string | null {
    return this.#options.host.session;
  }

  get view(): EditorPortView {
    const address = { protocol: this.#options.protocol, host: LOOPBACK, port: this.#port };
    return {
      ...address,
      connect: waysToConnect(address),
      session: this.session,
      version: this.#version,
      connections: this.#connections,
      portFile: this.#portFile?.path ?? null,
    };
  }

  /** Returns the view if the port is as requested. @throws HarborError `bad_arguments` */
  async as({ port = 0, portFile = false }: PortRequest): Promise<EditorPortView> {
    if (port !== 0 && port !== this.#port)
      throw new HarborError(
        'bad_arguments',
        `The session already has a port for ${this.#options.protocol}, ${this.#port}. Close it first (--close), or use it.`,
      );
    if (portFile && this.#portFile === null) {
      await this.writePortFile();
      this.#options.changed();
    }
    return this.view;
  }

  /** Prepares the image before an editor connects. @throws HarborError as ServedSession.start */
  async prepare(): Promise<void> {
    this.#version = await (await this.#options.host.get()).start();
  }

  /**
   * @param port 0 takes any free port
   * @param option the option that names the port, for the error message
   * @throws HarborError `port_in_use`
   */
  async listen(port: number, option: string): Promise<void> {
    this.#port = await listenOnLoopback(this.#server, port, option);
  }

  /** @throws HarborError `bad_arguments` */
  async writePortFile(): Promise<void> {
    const { protocol, host } = this.#options;
    if (protocol !== 'nrepl')
      throw new HarborError(
        'bad_arguments',
        'Only nREPL has a port file. Use --port-file with --protocol nrepl.',
      );
    this.#portFile = new PortFile((await host.get()).project, this.#port);
  }

  /** Stops listening and closes all connections. */
  async shut(): Promise<void> {
    this.#portFile?.remove();
    this.#portFile = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * As `shut`, and also ends what the connections run in the image. Returns the names of threads that
   * continue.
   */
  async close(): Promise<string[]> {
    await this.shut();
    return this.session === null ? [] : (await this.#options.host.get()).stop();
  }

  #accept(socket: Socket): void {
    const { serve, host, changed } = this.#options;
    this.#sockets.add(socket);
    // A disconnected peer is not an error. Each handler listens for `close`.
    socket.on('error', () => socket.destroy());
    let joined = false;
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (!joined) return;
      this.#connections -= 1;
      changed();
    });
    const join = (version: string | null): void => {
      this.#version = version;
      if (joined || socket.destroyed) return;
      joined = true;
      this.#connections += 1;
      changed();
    };
    void serve(socket, host, join);
  }
}

/** The file in which editors look for the port of a project’s nREPL. */
const PORT_FILE = '.nrepl-port';

/** A port file that this harbor wrote. */
class PortFile {
  readonly path: string;
  readonly #port: string;

  /** @throws HarborError `bad_arguments` if there is one already, or it cannot be written */
  constructor(project: string, port: number) {
    this.path = path.join(project, PORT_FILE);
    this.#port = String(port);
    try {
      // Never through a link, and never over a file of another server.
      writeFileSync(this.path, this.#port, { flag: 'wx' });
    } catch (error) {
      throw portFileError(this.path, error as NodeJS.ErrnoException);
    }
  }

  /** Removes the file unless another server has written it since. */
  remove(): void {
    try {
      if (!lstatSync(this.path).isFile() || readFileSync(this.path, 'utf8') !== this.#port) return;
      unlinkSync(this.path);
    } catch {
      // It is gone already.
    }
  }
}

function portFileError(file: string, { code, message }: NodeJS.ErrnoException): HarborError {
  return new HarborError(
    'bad_arguments',
    code === 'EEXIST'
      ? `${file} exists, so another nREPL server may use it. It was not changed. Stop that server, or remove the file if it is left over.`
      : `${file} could not be written: ${message}.`,
  );
}

// The way to connect from each editor.

type Address = Pick<EditorPortView, 'protocol' | 'host' | 'port'>;

interface Way {
  editor: string;
  /** A command of the editor, to be entered as it is. */
  enter: (address: Address) => string;
}

const WAYS: Readonly<Record<EditorProtocol, readonly Way[]>> = {
  nrepl: [
    {
      editor: 'Emacs with CIDER',
      enter: ({ host, port }) => `M-x cider-connect-clj RET ${host} RET ${port} RET`,
    },
    {
      editor: 'VS Code with Calva',
      enter: ({ host, port }) =>
        `Calva: Connect to a Running REPL Server, not in Project › Generic › ${host}:${port}`,
    },
    { editor: 'Neovim with Conjure', enter: ({ host, port }) => `:ConjureConnect ${host} ${port}` },
    { editor: 'Vim with fireplace', enter: ({ host, port }) => `:FireplaceConnect nrepl://${host}:${port}` },
    {
      editor: 'IntelliJ with Cursive',
      enter: ({ host, port }) => `Run › Clojure REPL › Remote › ${host}, ${port}`,
    },
  ],
  swank: [
    {
      editor: 'Emacs with SLIME',
      enter: ({ host, port }) => `M-x slime-connect RET ${host} RET ${port} RET`,
    },
    { editor: 'Neovim with Conjure', enter: ({ host, port }) => `:ConjureConnect ${host} ${port}` },
  ],
  slynk: [
    {
      editor: 'Emacs with SLY',
      enter: ({ host, port }) => `M-x sly-connect RET ${host} RET ${port} RET`,
    },
  ],
};

/** Returns the editors that speak the protocol of the port, with a command or a path of menus for each. */
function waysToConnect(address: Address): { editor: string; enter: string }[] {
  return WAYS[address.protocol].map(({ editor, enter }) => ({ editor, enter: enter(address) }));
}
