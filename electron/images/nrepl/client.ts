/**
 * An nREPL client over any stream: requests get an id, and replies are routed by it until their status says
 * `done`. Also describes what kind of server answers. https://nrepl.org/nrepl/design/overview.html
 */

import type { Duplex } from 'node:stream';
import {
  BencodeDecoder,
  type BencodeDictionary,
  type BencodeValue,
  encode,
  type LengthUnit,
  statusOf,
} from '../../host/bencode';
import { WireReader } from '../../host/wire-reader';

/** A message from the server: part of a reply, or unsolicited. */
export type NreplMessage = BencodeDictionary;

export type NreplRequest = { op: string } & Record<string, BencodeValue>;

/**
 * The end of a request: `status` collects the status words of all messages, `failed` says whether one of them
 * is an error; `lost` if the connection ended first.
 */
export type NreplReply = { done: true; status: string[]; failed: boolean } | { done: false; lost: string };

interface NreplClientOptions {
  /** The unit in which the server counts string lengths. */
  lengths?: LengthUnit;
  /** Receives messages without the id of a running request, mostly late output. */
  onUnrouted?: (message: NreplMessage) => void;
}

/** Maximum number of status words of a request; nREPL defines about twenty. */
const MOST_WORDS = 100;
/** Number of requests whose late messages are routed. */
const MOST_LATE = 200;
/** Milliseconds to wait for the server to close its side. */
const GOODBYE_MS = 1_000;

interface Pending {
  receive: (message: NreplMessage) => void;
  settle: (reply: NreplReply) => void;
  status: string[];
}

export class NreplClient {
  /** Resolves with the reason when the connection has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly #wire: Duplex;
  readonly #options: NreplClientOptions;
  readonly #pending = new Map<string, Pending>();
  /** Receivers of messages that come after the end of their request, oldest first. */
  readonly #late = new Map<string, Pending['receive']>();
  #lastId = 0;
  #lost: string | null = null;
  #givenUp: string | null = null;
  #settleEnded: (reason: string) => void = () => undefined;

  /** Takes ownership of the stream, and closes it on a protocol error. */
  constructor(wire: Duplex, options: NreplClientOptions = {}) {
    this.#wire = wire;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    const reader = new WireReader(wire, new BencodeDecoder(), {
      message: (value) => this.#route(value),
      lost: (reason) => this.#giveUp(reason),
    });
    const lose = (reason: string) => reader.whenRead(() => this.#lose(reason));
    wire.on('error', (error) => lose(error.message));
    wire.on('end', () => lose('the server closed the connection'));
    wire.on('close', () => lose('the connection was closed'));
  }

  /**
   * The protocol error because of which the connection was given up, as text after "because"; null if there
   * was none.
   */
  get givenUp(): string | null {
    return this.#givenUp;
  }

  /** Sends a request. `receive` gets every message of the reply. Always resolves, never rejects. */
  request(request: NreplRequest, receive?: Pending['receive']): Promise<NreplReply> {
    return this.begin(request, receive).reply;
  }

  /**
   * Like `request`, and returns the id for `interrupt`.
   * @param late also receives messages after the end, such as output of threads, while they are few
   */
  begin(
    request: NreplRequest,
    receive: Pending['receive'] = () => undefined,
    late = false,
  ): { id: string; reply: Promise<NreplReply> } {
    this.#lastId += 1;
    const id = String(this.#lastId);
    if (late) this.#keepLate(id, receive);
    if (this.#lost !== null) return { id, reply: Promise.resolve({ done: false, lost: this.#lost }) };
    const { promise: reply, resolve: settle } = Promise.withResolvers<NreplReply>();
    this.#pending.set(id, { receive, settle, status: [] });
    this.#wire.write(encode({ ...request, id }, this.#options.lengths));
    return { id, reply };
  }

  /**
   * Ends our side and reads until the server closes its side. If we closed at once, a server that is writing
   * would get an error, and nbb's server exits on that. Resolves when the connection is closed.
   */
  async close(reason = 'the connection was closed'): Promise<void> {
    this.#lose(reason);
    if (this.#wire.destroyed) return;
    const closed = new Promise<void>((resolve) => this.#wire.once('close', () => resolve()));
    this.#wire.end();
    const late = setTimeout(() => this.#wire.destroy(), GOODBYE_MS).unref();
    await closed;
    clearTimeout(late);
  }

  #keepLate(id: string, receive: Pending['receive']): void {
    this.#late.set(id, receive);
    const [oldest] = this.#late.keys();
    if (this.#late.size > MOST_LATE && oldest !== undefined) this.#late.delete(oldest);
  }

  #giveUp(reason: string): void {
    this.#givenUp = reason;
    this.#lose(`the server violated the nREPL protocol: ${reason}`);
    this.#wire.destroy();
  }

  #route(value: BencodeValue): void {
    if (this.#lost !== null) return;
    if (typeof value !== 'object' || Array.isArray(value)) throw new Error('a message is not a dictionary');
    const id = typeof value.id === 'string' ? value.id : '';
    const pending = this.#pending.get(id);
    if (!pending) {
      (this.#late.get(id) ?? this.#options.onUnrouted)?.(value);
      return;
    }
    const status = statusOf(value);
    for (const word of status) if (pending.status.length < MOST_WORDS) pending.status.push(word);
    pending.receive(value);
    // `done` may be anywhere in the list, and earlier messages may have other words.
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

/** The language of an SCI server. The two differ in the catch-all of `catch`. */
export type SciDialect = 'ClojureScript' | 'Clojure';

export interface ServerFacts {
  ops: ReadonlySet<string>;
  /** Description such as "nREPL 1.0.0 on Clojure 1.11.1, Java 17". */
  description: string;
  /** Clojure on the JVM, which can load our own Clojure code. */
  clojure: boolean;
  /** The SCI interpreter, with its name and language; null for other servers. */
  sci: { name: string; dialect: SciDialect } | null;
  /** nbb, whose sessions share one namespace and one `*1`. */
  nbb: boolean;
  /** Joyride, the VS Code extension, which serves nREPL like nbb. */
  joyride: boolean;
}

/**
 * Sends `describe` and summarizes the server: its ops, and what it runs on. Returns null if the connection is
 * lost or the server cannot answer.
 */
export async function describeServer(client: NreplClient): Promise<ServerFacts | null> {
  let ops: BencodeValue = {};
  let versions: BencodeValue = {};
  const reply = await client.request({ op: 'describe' }, (message: NreplMessage) => {
    ops = message.ops ?? ops;
    versions = message.versions ?? versions;
  });
  if (!reply.done || reply.failed || reply.status.includes('unknown-op')) return null;
  const [all, named] = [dictionary(ops), dictionary(versions)];
  const nbb = 'nbb-nrepl' in named;
  // Joyride's server uses nbb's name, but lacks the ops that inspect namespaces.
  const joyride = nbb && !('info' in all) && !('classpath' in all);
  return {
    ops: new Set(Object.keys(all)),
    description: describe(named, joyride ? { 'nbb-nrepl': 'Joyride’s nREPL' } : {}),
    clojure: 'clojure' in named && 'java' in named,
    sci: sciOf(named, joyride),
    nbb,
    joyride,
  };
}

function sciOf(named: Readonly<Record<string, BencodeValue>>, joyride: boolean): ServerFacts['sci'] {
  if ('nbb-nrepl' in named) return { name: joyride ? 'Joyride' : 'nbb', dialect: 'ClojureScript' };
  const babashka = 'babashka' in named || 'babashka.nrepl' in named;
  return babashka ? { name: 'babashka', dialect: 'Clojure' } : null;
}

const NAMES: Readonly<Record<string, string>> = {
  nrepl: 'nREPL',
  'nbb-nrepl': 'nbb nREPL',
  'babashka.nrepl': 'babashka nREPL',
  babashka: 'babashka',
  clojure: 'Clojure',
  java: 'Java',
  node: 'Node',
};

function describe(
  versions: Readonly<Record<string, BencodeValue>>,
  names: Readonly<Record<string, string>>,
): string {
  const known = Object.entries({ ...NAMES, ...names }).flatMap(([key, name]) => {
    const version = versionText(versions[key]);
    return version === undefined ? [] : [`${name} ${version}`.trim()];
  });
  return known.length === 0 ? 'an nREPL server' : known.join(', ');
}

/** The version is a string, or a dictionary with one; empty if it contains no digit, as in nbb. */
function versionText(version: BencodeValue | undefined): string | undefined {
  if (version === undefined) return undefined;
  const text = typeof version === 'string' ? version : dictionary(version)['version-string'];
  return typeof text === 'string' && /\d/.test(text) ? text : '';
}

function dictionary(value: BencodeValue): Readonly<Record<string, BencodeValue>> {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
