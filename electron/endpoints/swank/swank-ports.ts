/** All ports on which Emacs finds images: those that a person opened for a session, and the one of `--swank-port`. */
import { HarborError } from '../../contract/errors';
import type { SwankView } from '../../contract/ports';
import type { Log } from '../../host/log';
import type { ProtocolPort } from '../protocol-port';
import { type SwankHost, SwankPort } from './swank-port';

export interface SwankPortsOptions {
  /** The image of a session. @throws HarborError `unknown_session`, `not_supported` */
  hostOf: (session: string) => Promise<SwankHost>;
  /** The image behind the port of the option, which belongs to no session yet. */
  defaultHost: () => SwankHost;
  log: Log;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class SwankPorts implements ProtocolPort<SwankView[]> {
  readonly #options: SwankPortsOptions;
  readonly #ports = new Set<SwankPort>();
  readonly #starting = new Map<string, Promise<SwankView>>();
  #ended = false;

  constructor(options: SwankPortsOptions) {
    this.#options = options;
  }

  /** Of all of them, the one of the option first. */
  get view(): SwankView[] {
    return [...this.#ports].map((port) => port.view);
  }

  get addresses(): string[] {
    return this.view.map(({ host, port }) => `swank://${host}:${port}`);
  }

  /**
   * Opens a port for the session, any free one, with Swank ready behind it; answers the one it has, if it has one.
   * @throws HarborError as SwankHost.start
   */
  async start(session: string): Promise<SwankView> {
    const open = this.#of(session);
    if (open) return open.view;
    const starting = this.#starting.get(session) ?? this.#start(session);
    this.#starting.set(session, starting);
    return starting.finally(() => this.#starting.delete(session));
  }

  /** Opens the port of the option; nothing need be ready behind it. */
  async listen(port: number): Promise<void> {
    const opened = this.#portFor(this.#options.defaultHost());
    await opened.listen(port);
    this.#add(opened);
  }

  /** Closes the session's port; answers the names of threads that go on all the same. */
  async stop(session: string): Promise<string[]> {
    const port = this.#take(session);
    return port ? port.close() : [];
  }

  /** Call when a session has ended: nothing is behind its port any more. */
  async ended(session: string): Promise<void> {
    await this.#take(session)?.shut();
  }

  /** Closes all ports, and opens no other; the images are ended by others. */
  async close(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#ports].map((port) => port.shut()));
  }

  async #start(session: string): Promise<SwankView> {
    const port = this.#portFor(await this.#options.hostOf(session));
    await port.prepare();
    if (this.#ended) throw new HarborError('session_ended', 'The harbor is ending; no port can be opened.');
    await port.listen(0);
    return this.#add(port);
  }

  #portFor(host: SwankHost): SwankPort {
    const { log, changed } = this.#options;
    return new SwankPort({ host, log, changed });
  }

  #add(port: SwankPort): SwankView {
    this.#ports.add(port);
    this.#options.changed();
    return port.view;
  }

  /** The session's port, which counts as closed from now on. */
  #take(session: string): SwankPort | undefined {
    const port = this.#of(session);
    if (port && this.#ports.delete(port)) this.#options.changed();
    return port;
  }

  #of(session: string): SwankPort | undefined {
    return [...this.#ports].find((port) => port.session === session);
  }
}
