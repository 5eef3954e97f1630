/** MCP conversations as lines of JSON over a socket. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, McpRequestContext, RequestId, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { exactJson, JsonTooLarge } from '../../host/json';
import { type Line, LineReader } from '../../host/line-reader';
import { addListeners } from '../../host/listeners';
import type { McpCaller, McpServices } from './caller';
import { notifyChanges, ResourceInterest } from './change-notifications';
import type { HarborServer } from './harbor-server';
import { cancelledBy, errorMessage, INVALID_REQUEST, idOf, methodOf, PARSE_ERROR } from './json-rpc';
import { mcpServer } from './mcp-server';
import { answeredBy, claimsVersion, OpenRequests, readMessages } from './messages';

/**
 * Serves one MCP conversation in lines over a socket. It ends when the socket closes, which cancels running
 * calls. Resolves when the connection is closed too.
 * @param maxLineBytes maximum length of one message
 * @param onOpened for unauthenticated peers, as in `LineTransport`
 */
export async function converse(
  services: McpServices,
  socket: Socket,
  caller: Omit<McpCaller, 'era' | 'interest'>,
  maxLineBytes: number,
  onOpened?: () => void,
): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const transport = new LineTransport(socket, maxLineBytes, onOpened);
  const serve = ({ era }: McpRequestContext) => {
    const interested = era === 'legacy' ? { interest: new ResourceInterest() } : {};
    const speaking = { ...caller, era, ...interested };
    const server = mcpServer(services, speaking);
    server.onclose = notifyChanges(server, services, speaking);
    transport.direct = server;
    return server;
  };
  serveStdio(serve, { transport });
  await closed;
  await caller.connection.end().catch((error) => services.log.error('Closing a connection failed', error));
}

/**
 * MCP as lines of JSON over a duplex stream (MCP basic/transports, stdio), as an SDK transport. Unlike the
 * SDK’s own, it answers an invalid line with -32700 or -32600 and continues.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** Answers calls that need not pass through the SDK. */
  direct: Pick<HarborServer, 'answer'> | undefined;
  readonly #stream: Duplex;
  readonly #lines: LineReader;
  readonly #maxLineBytes: number;
  readonly #onOpened: (() => void) | undefined;
  /** The batch of each open request that was sent in one. */
  readonly #batches = new Map<RequestId, OpenRequests>();
  #version: string | undefined;
  #removeListener: () => void = () => undefined;
  #opened = false;
  #closed = false;

  /**
   * @param maxLineBytes maximum length of one message
   * @param onOpened given for unauthenticated peers: called when the conversation is open. A peer whose first
   *   line is not JSON speaks another protocol and is disconnected
   */
  constructor(stream: Duplex, maxLineBytes: number, onOpened?: () => void) {
    this.#stream = stream;
    this.#onOpened = onOpened;
    this.#maxLineBytes = maxLineBytes;
    this.#lines = new LineReader(maxLineBytes);
  }

  async start(): Promise<void> {
    this.#removeListener = addListeners(this.#stream, (on) => on('data', this.#onData));
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
    this.#respond(message);
  }

  #respond(message: JSONRPCMessage): void {
    const id = answeredBy(message);
    if (id !== undefined && this.#batches.has(id)) this.#settle(id, message);
    else this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#removeListener();
    this.#stream.end();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.read(chunk)) if (!this.#closed) this.#receive(line);
    if (!this.#stream.writableNeedDrain) return;
    // No more requests are read from a peer that does not read its responses.
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
      if (this.#onOpened && !this.#opened) void this.close();
      return;
    }
    const read = readMessages(value, this.#version);
    if ('refused' in read) {
      this.#refuse(read.id, read.code, read.refused);
      return;
    }
    if (read.batch) this.#addBatch(new OpenRequests(read.messages));
    for (const message of read.messages) if (this.#opened || this.#opens(message)) this.#dispatch(message);
  }

  #dispatch(message: JSONRPCMessage): void {
    if (this.direct?.answer(message, (response) => this.#respond(response))) return;
    const cancelled = cancelledBy(message);
    this.onmessage?.(message);
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #addBatch(batch: OpenRequests): void {
    for (const id of batch.ids) this.#batches.set(id, batch);
  }

  /** @param answer absent for a cancelled request, which gets no response */
  #settle(id: RequestId, answer?: JSONRPCMessage): void {
    const batch = this.#batches.get(id);
    this.#batches.delete(id);
    batch?.settle(id, answer);
    if (batch?.settled && batch.answers.length > 0) this.#write(batch.answers);
  }

  /**
   * Reports whether a message may be handled. A conversation opens with `initialize`, or with a message that
   * contains its protocol version (2026-07-28). Only a ping may come earlier.
   */
  #opens(message: JSONRPCMessage): boolean {
    const method = methodOf(message);
    this.#opened = method === 'initialize' || claimsVersion(message);
    if (this.#opened) this.#onOpened?.();
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
