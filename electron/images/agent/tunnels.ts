/**
 * Streams of octets that the wire carries to a server inside the image, beside everything else: nothing listens on a
 * port, no network and no shared folder is needed, and whatever starts the image can do it. The other half is
 * resources/lisp/sbcl/slime/tunnels.lisp.
 */
import { Duplex } from 'node:stream';
import type { WireEvent, WireRequest } from './wire';

/** Octets that one side may have sent before the other has taken them, as in tunnels.lisp. */
const WINDOW = 262_144;

/** Octets that are taken before the other side is told. */
const ACKNOWLEDGE = 65_536;

/** Octets in one line of the wire. */
const CHUNK = 32_768;

export type TunnelEvent = Extract<WireEvent, { tunnel: number }>;

export class Tunnels {
  readonly #send: (request: WireRequest) => void;
  readonly #open = new Map<number, Tunnel>();
  #count = 0;
  #ended = false;

  constructor(send: (request: WireRequest) => void) {
    this.#send = send;
  }

  open(): Duplex {
    const id = ++this.#count;
    const tunnel = new Tunnel(id, this.#send);
    this.#open.set(id, tunnel);
    tunnel.once('close', () => this.#open.delete(id));
    if (this.#ended) tunnel.destroy();
    else this.#send({ op: 'tunnel-open', tunnel: id });
    return tunnel;
  }

  /** What the image says of a tunnel that is gone is no news. */
  receive(event: TunnelEvent): void {
    const tunnel = this.#open.get(event.tunnel);
    if (event.event === 'tunnel-octets') tunnel?.arrived(Buffer.from(event.octets, 'latin1'));
    else if (event.event === 'tunnel-taken') tunnel?.taken(event.count);
    else tunnel?.shut();
  }

  /** The image is gone. */
  ended(): void {
    this.#ended = true;
    for (const tunnel of [...this.#open.values()]) tunnel.shut();
  }
}

class Tunnel extends Duplex {
  readonly #id: number;
  readonly #send: (request: WireRequest) => void;
  /** Octets that may be sent. */
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

  /** An image that sends more than it may is not the agent's doing. */
  arrived(octets: Buffer): void {
    this.#unread += octets.length;
    if (this.#unread > 2 * WINDOW) {
      this.destroy();
      return;
    }
    this.#arrived.push(octets);
    this.#deliver();
  }

  taken(count: number): void {
    this.#credit += count;
    this.#spend();
  }

  /** The other side has ended; what it sent before is still read. */
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

  /** Sends of what is to be written as much as the other side has room for. */
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
