/**
 * Servers of Emacs in an image: queries start and stop them, tunnels carry their connections over the wire.
 */

import { Duplex } from 'node:stream';
import { z } from 'zod';
import type { EmacsProtocol } from '../../contract/harbor-status';
import type { EmacsServers, SwankConnection } from '../optional-groups';
import type { AgentQueries } from './queries';
import type { WireEvent, WireRequest } from './wire';

/** Maximum milliseconds to compile and load a server; 4 s is usual for Swank. */
const START_MS = 180_000;

/** Maximum milliseconds for its threads to end. */
const STOP_MS = 60_000;

const Started = z.object({ version: z.string().nullable() });
const Stopped = z.object({ threads: z.array(z.string()) });

export class AgentEmacsServers implements EmacsServers {
  readonly #queries: AgentQueries;
  readonly #tunnels: Tunnels;
  readonly #folder: (server: EmacsProtocol) => string;
  readonly #started = new Map<EmacsProtocol, Promise<string | null>>();

  /** @param folder returns the folder of SLIME or SLY; throws if there is none */
  constructor(queries: AgentQueries, tunnels: Tunnels, folder: (server: EmacsProtocol) => string) {
    this.#queries = queries;
    this.#tunnels = tunnels;
    this.#folder = folder;
  }

  /** Loads a server once; a failure is retried, because the user may have fixed it. */
  start(server: EmacsProtocol): Promise<string | null> {
    const started = this.#started.get(server);
    if (started !== undefined) return started;
    const starting = this.#start(server);
    this.#started.set(server, starting);
    starting.catch(() => this.#started.delete(server));
    return starting;
  }

  connect(server: EmacsProtocol): SwankConnection {
    return this.#tunnels.open(server);
  }

  async stop(server: EmacsProtocol): Promise<string[]> {
    if (!this.#started.has(server)) return [];
    return (await this.#queries.queryConcurrently('emacs-stop', { server }, Stopped, STOP_MS)).threads;
  }

  async #start(server: EmacsProtocol): Promise<string | null> {
    const named = { server, folder: this.#folder(server) };
    return (await this.#queries.queryConcurrently('emacs-start', named, Started, START_MS)).version;
  }
}

/** Flow control window in bytes, as in resources/lisp/emacs/tunnels.lisp. */
const WINDOW = 262_144;

/** Bytes taken before the peer is notified. */
const ACKNOWLEDGE = 65_536;

/** Maximum bytes in one line of the wire. */
const CHUNK = 32_768;

type TunnelEvent = Extract<WireEvent, { tunnel: number }>;

export class Tunnels {
  readonly #send: (request: WireRequest) => void;
  readonly #open = new Map<number, Tunnel>();
  #count = 0;
  #ended = false;

  constructor(send: (request: WireRequest) => void) {
    this.#send = send;
  }

  open(server: EmacsProtocol): Tunnel {
    const id = ++this.#count;
    const tunnel = new Tunnel(id, this.#send);
    this.#open.set(id, tunnel);
    tunnel.once('close', () => this.#open.delete(id));
    if (this.#ended) tunnel.destroy();
    else this.#send({ op: 'tunnel-open', tunnel: id, server });
    return tunnel;
  }

  /** Dispatches an event; events of closed tunnels are ignored. */
  receive(event: TunnelEvent): void {
    const tunnel = this.#open.get(event.tunnel);
    if (event.event === 'tunnel-octets') tunnel?.arrived(Buffer.from(event.octets, 'latin1'));
    else if (event.event === 'tunnel-taken') tunnel?.acknowledged(event.count);
    else tunnel?.shut();
  }

  /** Called when the image has ended. */
  ended(): void {
    this.#ended = true;
    for (const tunnel of [...this.#open.values()]) tunnel.shut();
  }
}

class Tunnel extends Duplex implements SwankConnection {
  readonly #id: number;
  readonly #send: (request: WireRequest) => void;
  /** Bytes that may still be sent. */
  #credit = WINDOW;
  #waiting: { octets: Buffer; done: () => void } | null = null;
  readonly #arrived: Buffer[] = [];
  #unread = 0;
  #acknowledged = 0;
  #closed = false;

  constructor(id: number, send: (request: WireRequest) => void) {
    super({ allowHalfOpen: false });
    this.#id = id;
    this.#send = send;
  }

  evaluates(request: number, evaluation: number): void {
    if (!this.#closed) this.#send({ op: 'tunnel-evaluation', tunnel: this.#id, request, evaluation });
  }

  /** Destroys the tunnel if the image exceeds the window, which the agent never does. */
  arrived(octets: Buffer): void {
    this.#unread += octets.length;
    if (this.#unread > 2 * WINDOW) {
      this.destroy();
      return;
    }
    this.#arrived.push(octets);
    this.#deliver();
  }

  acknowledged(count: number): void {
    this.#credit += count;
    this.#spend();
  }

  /** Called when the peer has closed; data that it sent before is still delivered. */
  shut(): void {
    this.#closed = true;
    this.#waiting?.done();
    this.#waiting = null;
    this.#deliver();
  }

  override _read(): void {
    this.#deliver();
  }

  override _write(octets: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#waiting = { octets, done };
    this.#spend();
  }

  override _final(done: () => void): void {
    this.#end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end();
    done(error);
  }

  #end(): void {
    if (!this.#closed) this.#send({ op: 'tunnel-close', tunnel: this.#id });
    this.#closed = true;
  }

  #deliver(): void {
    while (this.#arrived.length > 0 && this.readableLength < this.readableHighWaterMark) {
      const octets = this.#arrived.shift();
      if (octets) {
        this.#acknowledge(octets.length);
        this.push(octets);
      }
    }
    if (this.#closed && this.#arrived.length === 0) this.push(null);
  }

  #acknowledge(count: number): void {
    this.#unread -= count;
    this.#acknowledged += count;
    if (this.#acknowledged < ACKNOWLEDGE || this.#closed) return;
    this.#send({ op: 'tunnel-taken', tunnel: this.#id, count: this.#acknowledged });
    this.#acknowledged = 0;
  }

  /** Sends pending data as far as the window allows. */
  #spend(): void {
    while (this.#waiting && this.#credit > 0 && !this.#closed) {
      const { octets, done } = this.#waiting;
      const count = Math.min(octets.length, CHUNK, this.#credit);
      this.#credit -= count;
      this.#send({ op: 'tunnel-octets', tunnel: this.#id, octets: octets.toString('latin1', 0, count) });
      this.#waiting = count < octets.length ? { octets: octets.subarray(count), done } : null;
      if (!this.#waiting) done();
    }
  }
}
