/**
 * An nREPL client over any stream: requests get an id, replies are routed by it until their status says `done`.
 * https://nrepl.org/nrepl/design/overview.html
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { asFailure } from '../../contract/errors';
import { BencodeDecoder, type BencodeValue, encode, type LengthUnit } from './bencode';

/** One message of a server: part of the reply to a request, or something nobody asked for. */
export type NreplMessage = Readonly<Record<string, BencodeValue>>;

export type NreplRequest = { op: string } & Record<string, BencodeValue>;

/**
 * How a request ended: `status` gathers what all its messages said, and `failed` whether an error was among that; `lost` when
 * the connection ended before it.
 */
export type NreplReply = { done: true; status: string[]; failed: boolean } | { done: false; lost: string };

export interface NreplClientOptions {
  /** How the server counts the strings it reads. */
  lengths?: LengthUnit;
  /** Gets messages without an id of a running request: late output, mostly. */
  onUnrouted?: (message: NreplMessage) => void;
}

/** Milliseconds that a server may take to close its side. */
const GOODBYE_MS = 1_000;

interface Pending {
  receive: (message: NreplMessage) => void;
  settle: (reply: NreplReply) => void;
  status: string[];
}

export class NreplClient {
  /** Settles with the reason when the connection has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly #wire: Duplex;
  readonly #options: NreplClientOptions;
  readonly #pending = new Map<string, Pending>();
  #lastId = 0;
  #lost: string | null = null;
  #settleEnded: (reason: string) => void = () => undefined;

  /** Takes the stream over: it is closed when the server sends what is no nREPL. */
  constructor(wire: Duplex, options: NreplClientOptions = {}) {
    this.#wire = wire;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    const decoder = new BencodeDecoder((value) => this.#route(value));
    wire.on('data', (chunk: Buffer | string) => this.#decode(decoder, Buffer.from(chunk)));
    wire.on('error', (error) => this.#lose(error.message));
    wire.on('end', () => this.#lose('the server closed the connection'));
    wire.on('close', () => this.#lose('the connection was closed'));
  }

  /** `receive` gets every message of the reply as it comes. Settles always, never rejects. */
  request(request: NreplRequest, receive?: Pending['receive']): Promise<NreplReply> {
    return this.begin(request, receive).reply;
  }

  /** As `request`, with the id that an `interrupt` can name. */
  begin(
    request: NreplRequest,
    receive: Pending['receive'] = () => undefined,
  ): { id: string; reply: Promise<NreplReply> } {
    this.#lastId += 1;
    const id = String(this.#lastId);
    if (this.#lost !== null) return { id, reply: Promise.resolve({ done: false, lost: this.#lost }) };
    const { promise: reply, resolve: settle } = Promise.withResolvers<NreplReply>();
    this.#pending.set(id, { receive, settle, status: [] });
    this.#wire.write(encode({ ...request, id }, this.#options.lengths));
    return { id, reply };
  }

  /**
   * Says goodbye and reads on until the server has done so too: one that is writing to us would get an error instead, and
   * nbb's server ends of that. Settles when the connection is gone.
   */
  async close(reason = 'the connection was closed'): Promise<void> {
    this.#lose(reason);
    if (this.#wire.destroyed) return;
    const gone = new Promise<void>((resolve) => this.#wire.once('close', () => resolve()));
    this.#wire.end();
    const late = setTimeout(() => this.#wire.destroy(), GOODBYE_MS).unref();
    await gone;
    clearTimeout(late);
  }

  #decode(decoder: BencodeDecoder, chunk: Buffer): void {
    if (this.#lost !== null) return;
    try {
      decoder.push(chunk);
    } catch (error) {
      this.#lose(`the server sent what is no nREPL: ${asFailure(error).message}`);
      this.#wire.destroy();
    }
  }

  #route(value: BencodeValue): void {
    if (typeof value !== 'object' || Array.isArray(value)) throw new Error('a message is no dictionary');
    const id = typeof value.id === 'string' ? value.id : '';
    const pending = this.#pending.get(id);
    if (!pending) {
      this.#options.onUnrouted?.(value);
      return;
    }
    const status = statusOf(value);
    pending.status.push(...status);
    pending.receive(value);
    // `done` may stand anywhere in the list, and other words may come in earlier messages.
    if (!status.includes('done')) return;
    this.#pending.delete(id);
    const failed = pending.status.some((word) => word === 'error' || word === 'eval-error');
    pending.settle({ done: true, status: pending.status, failed });
  }

  #lose(reason: string): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    for (const { settle } of this.#pending.values()) settle({ done: false, lost: reason });
    this.#pending.clear();
    this.#settleEnded(reason);
  }
}

function statusOf(message: NreplMessage): string[] {
  const { status } = message;
  return Array.isArray(status) ? status.filter((word) => typeof word === 'string') : [];
}

/** A string of a message; undefined when it is absent or something else. */
export function textOf(message: NreplMessage, key: string): string | undefined {
  const value = message[key];
  return typeof value === 'string' ? value : undefined;
}
