/**
 * MCP over stdin and stdout for clients that start their servers themselves: a pipe to the socket of the
 * running harbor. When the harbor restarts, the client’s conversation continues, and requests that were
 * running fail instead of running twice. It loads only Node modules, nothing of the harbor.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type ReachOptions, reachHarbor } from '../../host/harbor-reach';
import { exactJson } from '../../host/json';
import { type Line, LineReader } from '../../host/line-reader';
import { onAbort } from '../../host/listeners';
import { idOf, isRecord, methodOf } from '../mcp/json-rpc';
import { BridgeLedger } from './bridge-ledger';

export interface StdioOptions extends ReachOptions {
  secretFile: string;
  hello: { client: string; project?: string; profile?: string; engine?: string };
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Whether to log the traffic on `stderr`. */
  debug?: boolean;
  /** Time in milliseconds that a restarting harbor may take before another is started. */
  restartTimeoutMs?: number;
}

const RESTART_TIMEOUT_MS = 5000;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Maximum number of bytes queued while no harbor is connected. After that the client’s stdin is paused. */
const MAX_QUEUED = 8 * 1024 * 1024;
const LIST_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** Runs until the client closes stdin and every request is answered. Resolves with the exit code. */
export async function runStdio(options: StdioOptions): Promise<number> {
  const bridge = new StdioBridge(options);
  try {
    return await bridge.run();
  } catch (error) {
    options.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/**
 * Returns a UUID (RFC 9562, version 4). It only has to be unique, not secret, so node:crypto is not loaded.
 */
function newConversation(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

class StdioBridge {
  readonly #options: StdioOptions;
  /** Identifies the conversation to a restarted harbor, which then finds its session. */
  readonly #conversation = newConversation();
  readonly #ledger = new BridgeLedger();
  readonly #fromClient = new LineReader(MAX_LINE_BYTES);
  readonly #done = new AbortController();
  /** Lines that were not sent to any harbor yet. */
  #queue: string[] = [];
  #queued = 0;
  /** The harbor’s socket while it is writable: after the hello and the replay. */
  #harbor: Socket | undefined;
  #stdinEnded = false;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async run(): Promise<number> {
    this.#listen();
    let restartTimeoutMs = 0;
    let needed = (): boolean => true;
    try {
      while (!this.#done.signal.aborted) {
        const socket = await reachHarbor(this.#options, {
          needed,
          restartTimeoutMs,
          signal: this.#done.signal,
        });
        this.#debug(() => 'The harbor is connected.');
        await this.#converse(socket);
        this.#debug(() => 'The harbor disconnected.');
        // From now on a harbor is started only if the client has sent something that no harbor received.
        restartTimeoutMs = this.#options.restartTimeoutMs ?? RESTART_TIMEOUT_MS;
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
    // A client that died closes both streams. No answer can be sent.
    stdin.once('error', () => this.#done.abort());
    stdout.once('error', () => this.#done.abort());
  }

  /** Forwards whole lines as the bytes received, and parses them while the harbor works on them. */
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

  /** Pauses stdin while the harbor reads slower than the client writes, or while the queue is full. */
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

  /** Serves one harbor from the hello until its socket closes. */
  async #converse(socket: Socket): Promise<void> {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const removeListener = onAbort(this.#done.signal, () => void socket.end());
    socket.on('error', () => {
      // `close` follows and is handled.
    });
    try {
      const refusal = this.#receive(socket);
      await this.#introduce(socket);
      await closed;
      this.#lose();
      const message = refusal();
      if (message !== undefined) throw new Error(message);
    } finally {
      removeListener();
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

  /**
   * Reads the harbor’s lines. The returned function returns why the harbor refused the connection, if it did.
   */
  #receive(socket: Socket): () => string | undefined {
    const { stdout } = this.#options;
    const lines = new LineReader(MAX_LINE_BYTES);
    let refusal: string | undefined;
    let first = true;
    const receive = (line: string): void => {
      if (first) refusal = refusalOf(line);
      first = false;
      if (refusal !== undefined) return;
      const verdict = this.#ledger.received(line);
      if (verdict === 'opened') this.#reopen(socket);
      else if (verdict === 'refused') refusal = `The harbor did not accept the conversation: ${line}`;
      else this.#toClient(line);
      if (refusal !== undefined) socket.destroy();
    };
    socket.on('data', (chunk) => {
      const passes = !this.#options.debug && !first && !this.#ledger.replaying && lines.isWhole(chunk);
      if (passes) stdout.write(chunk);
      for (const line of lines.read(chunk)) {
        if (!('text' in line)) continue;
        if (passes) this.#ledger.received(line.text);
        else receive(line.text);
      }
      this.#finishWhenIdle();
      if (!stdout.writableNeedDrain) return;
      socket.pause();
      stdout.once('drain', () => socket.resume());
    });
    return () => refusal;
  }

  /** Resumes the conversation. The tools may be those of another version. */
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

/** Describes a message by its method and id. Its contents may be long or secret. */
function named(line: string): string {
  try {
    const message = exactJson(line);
    return [methodOf(message) ?? 'answer', idOf(message)].filter((word) => word !== null).join(' ');
  } catch {
    return 'not valid JSON';
  }
}

/** Returns the message of the line `{"ok":false,…}` that refuses a hello. MCP messages have no `ok`. */
function refusalOf(line: string): string | undefined {
  if (!line.startsWith('{"ok":false')) return undefined;
  const value = exactJson(line);
  return isRecord(value) && typeof value.message === 'string'
    ? value.message
    : 'The harbor refused this connection.';
}
