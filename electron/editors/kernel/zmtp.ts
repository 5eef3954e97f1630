/**
 * ZeroMQ sockets of a server: the part of ZMTP 3.0 (RFC 23) that Jupyter’s channels use, with the NULL mechanism. They are
 * made here because the npm package brings 40 MB of native code for the few frames that follow.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';

export type SocketType = 'ROUTER' | 'PUB' | 'REP';

/** Types of a peer that each may have. */
const PEERS: Readonly<Record<SocketType, readonly string[]>> = {
  ROUTER: ['DEALER', 'REQ', 'ROUTER'],
  PUB: ['SUB', 'XSUB'],
  REP: ['REQ', 'DEALER'],
};

const GREETING_BYTES = 64;
/** Larger frames close the connection. */
const LARGEST_FRAME = 64 * 1024 * 1024;
/** Bytes of unsent messages after which a subscriber gets no more. */
const MOST_WAITING = 64 * 1024 * 1024;

const MORE = 1;
const LONG = 2;
const COMMAND = 4;

/** A message with the peer that sent it. */
export interface Received {
  /** The identity of the peer, for `send`. */
  peer: Buffer;
  frames: Buffer[];
}

export class ZmtpServer {
  readonly #type: SocketType;
  readonly #server: Server;
  readonly #peers = new Map<string, Peer>();
  readonly #onMessage: (received: Received) => void;

  constructor(type: SocketType, onMessage: (received: Received) => void = () => undefined) {
    this.#type = type;
    this.#onMessage = onMessage;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Rejects if the address is in use. */
  listen(address: { host: string; port: number } | { path: string }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(address, () => resolve());
    });
  }

  /** Sends a message to a peer; it is dropped if the peer has disconnected. */
  send(peer: Buffer, frames: readonly (Buffer | string)[]): void {
    this.#peers.get(peer.toString('hex'))?.send(frames);
  }

  /** Sends a message to every peer that has subscribed to the beginning of its first frame. */
  publish(frames: readonly (Buffer | string)[]): void {
    const topic = Buffer.from(frames[0] ?? '');
    for (const peer of this.#peers.values()) if (peer.wants(topic)) peer.send(frames);
  }

  /** Resolves when everything that was sent has been written. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all(Array.from(this.#peers.values(), (peer) => peer.end()));
  }

  #accept(socket: Socket): void {
    const peer = new Peer(socket, this.#type, {
      ready: () => void this.#peers.set(peer.identity.toString('hex'), peer),
      message: (frames) => this.#onMessage({ peer: peer.identity, frames }),
      closed: () => {
        const key = peer.identity.toString('hex');
        if (this.#peers.get(key) === peer) this.#peers.delete(key);
      },
    });
  }
}

interface PeerEvents {
  ready(): void;
  message(frames: Buffer[]): void;
  closed(): void;
}

class Peer {
  identity: Buffer = Buffer.concat([Buffer.from([0]), randomBytes(4)]);
  readonly #socket: Socket;
  readonly #type: SocketType;
  readonly #events: PeerEvents;
  readonly #subscriptions: Buffer[] = [];
  #received = Buffer.alloc(0);
  #frames: Buffer[] = [];
  #isGreeted = false;
  #isReady = false;

  constructor(socket: Socket, type: SocketType, events: PeerEvents) {
    this.#socket = socket;
    this.#type = type;
    this.#events = events;
    socket.setNoDelay(true);
    socket.on('error', () => {
      // `close` follows and is handled.
    });
    socket.once('close', () => events.closed());
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.write(greeting());
  }

  wants(topic: Buffer): boolean {
    return this.#subscriptions.some((each) => topic.subarray(0, each.length).equals(each));
  }

  send(frames: readonly (Buffer | string)[]): void {
    if (this.#socket.destroyed || (this.#type === 'PUB' && this.#socket.writableLength > MOST_WAITING))
      return;
    const last = frames.length - 1;
    const parts = frames.map((each, index) => frame(Buffer.from(each), index < last ? MORE : 0));
    this.#socket.write(Buffer.concat(parts));
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) resolve();
      else this.#socket.end(() => resolve(void this.#socket.destroy()));
    });
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (!this.#isGreeted) {
      if (this.#received.length < GREETING_BYTES) return;
      if (!isGreeting(this.#received)) return void this.#socket.destroy();
      this.#received = this.#received.subarray(GREETING_BYTES);
      this.#isGreeted = true;
      this.#socket.write(command('READY', metadata({ 'Socket-Type': this.#type, Identity: '' })));
    }
    for (let next = nextFrame(this.#received); next !== null; next = nextFrame(this.#received)) {
      if (next === 'invalid') return void this.#socket.destroy();
      this.#received = this.#received.subarray(next.bytes);
      if (next.flags & COMMAND) this.#command(next.body);
      else if (this.#isReady) this.#frame(next.body, (next.flags & MORE) !== 0);
      else return void this.#socket.destroy();
    }
  }

  #command(body: Buffer): void {
    const length = body[0] ?? 0;
    const name = body.toString('latin1', 1, 1 + length);
    const rest = body.subarray(1 + length);
    if (name === 'READY') this.#ready(rest);
    else if (name === 'PING') this.#socket.write(command('PONG', rest.subarray(2)));
    else if (name === 'SUBSCRIBE') this.#subscriptions.push(Buffer.from(rest));
    else if (name === 'CANCEL') this.#unsubscribe(rest);
  }

  #ready(rest: Buffer): void {
    const { 'socket-type': type, identity } = metadataIn(rest);
    if (type === undefined || !PEERS[this.#type].includes(type.toString('latin1')))
      return void this.#socket.destroy();
    if (identity && identity.length > 0) this.identity = identity;
    this.#isReady = true;
    this.#events.ready();
  }

  #frame(body: Buffer, isFollowed: boolean): void {
    if (this.#type === 'PUB') {
      if (body[0] === 1) this.#subscriptions.push(Buffer.from(body.subarray(1)));
      else if (body[0] === 0) this.#unsubscribe(body.subarray(1));
      return;
    }
    this.#frames.push(Buffer.from(body));
    if (isFollowed) return;
    this.#events.message(this.#frames.splice(0));
  }

  #unsubscribe(topic: Buffer): void {
    const place = this.#subscriptions.findIndex((each) => each.equals(topic));
    if (place >= 0) this.#subscriptions.splice(place, 1);
  }
}

/** Signature, version 3.0, the mechanism NULL, and no role of a server. */
export function greeting(): Buffer {
  const bytes = Buffer.alloc(GREETING_BYTES);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write('NULL', 12, 'latin1');
  return bytes;
}

function isGreeting(bytes: Buffer): boolean {
  const mechanism = bytes.toString('latin1', 12, 32).replace(/\0+$/, '');
  return bytes[0] === 0xff && bytes[9] === 0x7f && (bytes[10] ?? 0) >= 3 && mechanism === 'NULL';
}

export function frame(body: Buffer, flags: number): Buffer {
  if (body.length < 256) return Buffer.concat([Buffer.from([flags, body.length]), body]);
  const head = Buffer.alloc(9);
  head[0] = flags | LONG;
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([head, body]);
}

interface Frame {
  flags: number;
  body: Buffer;
  /** With its head. */
  bytes: number;
}

/** Returns null if it is not complete. */
export function nextFrame(bytes: Buffer): Frame | 'invalid' | null {
  const flags = bytes[0];
  if (flags === undefined) return null;
  const head = flags & LONG ? 9 : 2;
  if (bytes.length < head) return null;
  const length = flags & LONG ? Number(bytes.readBigUInt64BE(1)) : (bytes[1] ?? 0);
  if (length > LARGEST_FRAME) return 'invalid';
  if (bytes.length < head + length) return null;
  return { flags, body: bytes.subarray(head, head + length), bytes: head + length };
}

export function command(name: string, rest: Buffer): Buffer {
  return frame(Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'latin1'), rest]), COMMAND);
}

export function metadata(values: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(values).flatMap(([name, value]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(value));
      return [Buffer.from([name.length]), Buffer.from(name, 'latin1'), length, Buffer.from(value)];
    }),
  );
}

/** Returns values by their names in lower case. */
function metadataIn(bytes: Buffer): Readonly<Record<string, Buffer | undefined>> {
  const values: Record<string, Buffer> = {};
  for (let at = 0; at < bytes.length; ) {
    const name = bytes.toString('latin1', at + 1, at + 1 + (bytes[at] ?? 0)).toLowerCase();
    at += 1 + name.length;
    if (at + 4 > bytes.length) break;
    const length = bytes.readUInt32BE(at);
    values[name] = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return values;
}
