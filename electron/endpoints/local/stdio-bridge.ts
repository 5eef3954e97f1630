/**
 * MCP over stdin and stdout for clients that start their servers themselves: a pipe to the running harbor's
 * socket. It outlives the harbor: when that is restarted the client's conversation goes on, and requests that
 * were running fail instead of running twice. Plain Node, nothing of the harbor is loaded.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { exactJson } from '../../host/bounded-json';
import { type ReachOptions, reachHarbor } from '../../host/harbor-reach';
import { type Line, LineReader } from '../../host/line-reader';
import { idOf, isRecord, methodOf } from '../mcp/json-rpc';
import { BridgeLedger } from './bridge-ledger';

export interface StdioOptions extends ReachOptions {
  secretFile: string;
  hello: { client: string; project?: string; profile?: string; engine?: string };
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Whether to say on `stderr` what goes to and fro. */
  debug?: boolean;
  /** How long a harbor that went away may take to come back before another is started. */
  patienceMs?: number;
}

const PATIENCE_MS = 5000;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** What a client may send ahead while no harbor listens; then it is made to wait. */
const MAX_QUEUED = 8 * 1024 * 1024;
const LIST_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** Runs until the client closes stdin and has its answers. Resolves with the exit code. */
export async function runStdio(options: StdioOptions): Promise<number> {
  const bridge = new StdioBridge(options);
  try {
    return await bridge.run();
  } catch (error) {
    options.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** A UUID (RFC 9562, version 4). It is no secret and only has to be another each time, so node:crypto is not loaded for it. */
function newConversation(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

class StdioBridge {
  readonly #options: StdioOptions;
  /** A harbor that was started again finds the conversation's session by this. */
  readonly #conversation = newConversation();
  readonly #ledger = new BridgeLedger();
  readonly #fromClient = new LineReader(MAX_LINE_BYTES);
  readonly #done = new AbortController();
  /** Lines that no harbor has been sent. */
  #queue: string[] = [];
  #queued = 0;
  /** The harbor's socket while it may be written to: after the hello and a replay, if one was due. */
  #harbor: Socket | undefined;
  #stdinEnded = false;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async run(): Promise<number> {
    this.#listen();
    let patienceMs = 0;
    let needed = (): boolean => true;
    try {
      while (!this.#done.signal.aborted) {
        const socket = await reachHarbor(this.#options, { needed, patienceMs, signal: this.#done.signal });
        this.#debug(() => 'The harbor answers.');
        await this.#converse(socket);
        this.#debug(() => 'The harbor is gone.');
        // From now on a harbor is started only for a client that asks something of it.
        patienceMs = this.#options.patienceMs ?? PATIENCE_MS;
        needed = () => this.#queue.length > 0;
      }
    } catch (error) {
      if (!this.#done.signal.aborted) throw error;
    } finally {
      this.#options.stdin.destroy();
    }
    return 0;
  }

  #listen(): void {
    const { stdin, stdout } = this.#options;
    stdin.on('data', (chunk: Buffer) => {
      this.#fromClientTo(this.#harbor, chunk);
      this.#pace();
    });
    stdin.once('end', () => {
      for (const line of this.#fromClient.rest()) this.#toHarbor(line);
      this.#stdinEnded = true;
      this.#finishWhenIdle();
    });
    // A client that died closes both; there is nobody left to answer.
    stdin.once('error', () => this.#done.abort());
    stdout.once('error', () => this.#done.abort());
  }

  /** Whole lines leave as the bytes they came in, and are looked into while the harbor works on them. */
  #fromClientTo(harbor: Socket | undefined, chunk: Buffer): void {
    const passes = !this.#options.debug && harbor !== undefined && this.#fromClient.isWhole(chunk);
    if (passes) harbor.write(chunk);
    for (const line of this.#fromClient.read(chunk)) {
      if (!passes) this.#toHarbor(line);
      else if ('text' in line) this.#ledger.sent(line.text);
    }
  }

  #toHarbor(line: Line): void {
    if ('tooLong' in line) {
      this.#options.stderr.write(`A line of more than ${MAX_LINE_BYTES} bytes was dropped.\n`);
    } else if (line.text.trim() === '') {
      return;
    } else if (this.#harbor !== undefined) {
      this.#send(this.#harbor, line.text);
    } else {
      this.#queue.push(line.text);
      this.#queued += line.text.length;
    }
  }

  #send(socket: Socket, line: string): void {
    this.#debug(() => `To the harbor: ${named(line)}`);
    this.#ledger.sent(line);
    socket.write(`${line}\n`);
  }

  /** Makes a client wait that sends faster than the harbor reads, or too much while there is none. */
  #pace(): void {
    const { stdin } = this.#options;
    if (this.#harbor === undefined) {
      if (this.#queued > MAX_QUEUED) stdin.pause();
    } else if (this.#harbor.writableNeedDrain) {
      stdin.pause();
      this.#harbor.once('drain', () => stdin.resume());
    } else {
      stdin.resume();
    }
  }

  /** One harbor, from hello to the end of its socket. */
  async #converse(socket: Socket): Promise<void> {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const finish = (): void => void socket.end();
    socket.on('error', () => {
      // `close` follows, and that is what counts.
    });
    this.#done.signal.addEventListener('abort', finish);
    try {
      const refusal = this.#receive(socket);
      await this.#introduce(socket);
      await closed;
      this.#lose();
      const message = refusal();
      if (message !== undefined) throw new Error(message);
    } finally {
      this.#done.signal.removeEventListener('abort', finish);
      socket.destroy();
    }
  }

  async #introduce(socket: Socket): Promise<void> {
    const { hello, secretFile } = this.#options;
    const secret = (await readFile(secretFile, 'utf8')).trim();
    socket.write(`${JSON.stringify({ ...hello, kind: 'mcp', secret, conversation: this.#conversation })}\n`);
    const replay = this.#ledger.replay();
    if (replay === undefined) this.#open(socket);
    else socket.write(`${replay}\n`);
  }

  /** Reads the harbor's lines. The function it answers tells why the harbor refused, if it did. */
  #receive(socket: Socket): () => string | undefined {
    const { stdout } = this.#options;
    const lines = new LineReader(MAX_LINE_BYTES);
    let refusal: string | undefined;
    let first = true;
    const take = (line: string): void => {
      if (first) refusal = refusalOf(line);
      first = false;
      if (refusal !== undefined) return;
      const verdict = this.#ledger.received(line);
      if (verdict === 'opened') this.#reopen(socket);
      else if (verdict === 'refused') refusal = `The harbor did not take the conversation over: ${line}`;
      else this.#toClient(line);
      if (refusal !== undefined) socket.destroy();
    };
    socket.on('data', (chunk) => {
      const passes = !this.#options.debug && !first && !this.#ledger.replaying && lines.isWhole(chunk);
      if (passes) stdout.write(chunk);
      for (const line of lines.read(chunk)) {
        if (!('text' in line)) continue;
        if (passes) this.#ledger.received(line.text);
        else take(line.text);
      }
      this.#finishWhenIdle();
      if (!stdout.writableNeedDrain) return;
      socket.pause();
      stdout.once('drain', () => socket.resume());
    });
    return () => refusal;
  }

  /** The client goes on as before; its tools may be another version's. */
  #reopen(socket: Socket): void {
    if (this.#ledger.initialized !== undefined) {
      socket.write(`${this.#ledger.initialized}\n`);
      this.#toClient(LIST_CHANGED);
    }
    this.#open(socket);
  }

  #open(socket: Socket): void {
    this.#harbor = socket;
    const queue = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    for (const line of queue) this.#send(socket, line);
    this.#pace();
    this.#finishWhenIdle();
  }

  #lose(): void {
    this.#harbor = undefined;
    const { answers, again } = this.#ledger.lost();
    for (const answer of answers) this.#toClient(answer);
    this.#queue.unshift(...again);
    this.#options.stdin.resume();
    this.#finishWhenIdle();
  }

  #toClient(line: string): void {
    this.#debug(() => `To the client: ${named(line)}`);
    this.#options.stdout.write(`${line}\n`);
  }

  #debug(message: () => string): void {
    if (this.#options.debug) this.#options.stderr.write(`debug ${message()}\n`);
  }

  #finishWhenIdle(): void {
    if (this.#stdinEnded && !this.#ledger.waiting && this.#queue.length === 0) this.#done.abort();
  }
}

/** A message by its method and id: what else it holds may be long, and secret. */
function named(line: string): string {
  try {
    const message = exactJson(line);
    return [methodOf(message) ?? 'answer', idOf(message)].filter((word) => word !== null).join(' ');
  } catch {
    return 'what is not JSON';
  }
}

/** The message of the line `{"ok":false,…}` that refuses a hello; MCP has no `ok`. */
function refusalOf(line: string): string | undefined {
  if (!line.startsWith('{"ok":false')) return undefined;
  const value = exactJson(line);
  return isRecord(value) && typeof value.message === 'string'
    ? value.message
    : 'The harbor refused this connection.';
}
