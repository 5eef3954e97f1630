/**
 * MCP as lines of JSON over a duplex stream (MCP basic/transports, stdio), as an SDK transport. The SDK's own
 * says nothing about a line that is no message; a caller deserves -32700 or -32600, and the stream goes on.
 */
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { exactJson, JsonTooLarge } from '../../host/bounded-json';
import { type Line, LineReader } from '../../host/line-reader';
import { cancelledBy, errorMessage, INVALID_REQUEST, idOf, methodOf, PARSE_ERROR } from './json-rpc';
import { answeredBy, claimsVersion, OpenRequests, readMessages } from './messages';

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #stream: Duplex;
  readonly #lines: LineReader;
  readonly #maxLineBytes: number;
  readonly #known: (() => void) | undefined;
  /** By each request whose answer goes with others. */
  readonly #batches = new Map<RequestId, OpenRequests>();
  #version: string | undefined;
  #opened = false;
  #closed = false;

  /**
   * @param maxLineBytes of one message; a longer one is refused
   * @param known given for a stranger, who is known once the conversation is open. Who begins with what is no JSON speaks
   * something else, and is let go
   */
  constructor(stream: Duplex, maxLineBytes: number, known?: () => void) {
    this.#stream = stream;
    this.#known = known;
    this.#maxLineBytes = maxLineBytes;
    this.#lines = new LineReader(maxLineBytes);
  }

  async start(): Promise<void> {
    this.#stream.on('data', this.#onData);
    this.#stream.once('end', this.#onEnd);
    this.#stream.once('close', this.#onEnd);
    this.#stream.on('error', this.#onError);
    this.#stream.resume();
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed');
    const id = answeredBy(message);
    if (id !== undefined && this.#batches.has(id)) this.#settle(id, message);
    else this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.off('data', this.#onData);
    this.#stream.end();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.read(chunk)) if (!this.#closed) this.#receive(line);
    if (!this.#stream.writableNeedDrain) return;
    // A peer that does not read its answers gets no further requests read.
    this.#stream.pause();
    this.#stream.once('drain', () => this.#stream.resume());
  };

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => this.onerror?.(error);

  #receive(line: Line): void {
    if ('tooLong' in line) {
      this.#refuse(null, INVALID_REQUEST, `A message has at most ${this.#maxLineBytes} bytes.`);
    } else if (line.text.trim() !== '') {
      this.#receiveText(line.text);
    }
  }

  #receiveText(text: string): void {
    let value: unknown;
    try {
      value = exactJson(text);
    } catch (error) {
      if (error instanceof JsonTooLarge)
        this.#refuse(null, INVALID_REQUEST, `Invalid Request: ${error.message}.`);
      else this.#refuse(null, PARSE_ERROR, 'Parse error: the line is not JSON.');
      if (this.#known && !this.#opened) void this.close();
      return;
    }
    const read = readMessages(value, this.#version);
    if ('refused' in read) {
      this.#refuse(read.id, read.code, read.refused);
      return;
    }
    if (read.batch) this.#await(new OpenRequests(read.messages));
    for (const message of read.messages) if (this.#opened || this.#opens(message)) this.#take(message);
  }

  #take(message: JSONRPCMessage): void {
    const cancelled = cancelledBy(message);
    this.onmessage?.(message);
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #await(batch: OpenRequests): void {
    for (const id of batch.ids) this.#batches.set(id, batch);
  }

  /** @param answer absent for a request that was cancelled: it gets none */
  #settle(id: RequestId, answer?: JSONRPCMessage): void {
    const batch = this.#batches.get(id);
    this.#batches.delete(id);
    batch?.settle(id, answer);
    if (batch?.settled && batch.answers.length > 0) this.#write(batch.answers);
  }

  /**
   * A conversation opens with `initialize`, or with a message that carries its protocol version (2026-07-28).
   * Only a ping may come before.
   */
  #opens(message: JSONRPCMessage): boolean {
    const method = methodOf(message);
    this.#opened = method === 'initialize' || claimsVersion(message);
    if (this.#opened) this.#known?.();
    if (this.#opened || method === 'ping') return true;
    const id = idOf(message);
    if (id !== null) this.#refuse(id, INVALID_REQUEST, 'Not initialized: send initialize first.');
    return false;
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#write(errorMessage(id, code, message));
  }

  #write(value: object): void {
    this.#stream.write(`${JSON.stringify(value)}\n`);
  }
}
