/**
 * A Swank client over any stream: requests get an id, and their answers are routed by it. What the server says beside
 * that is handed on as events.
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { asFailure } from '../../contract/errors';
import { FrameDecoder, frame } from './frames';
import { parsedSexp, printSexp, type Sexp, symbol } from './sexp';
import { eventOf, type SwankEvent } from './swank-events';

/** In which thread of the server a request runs: one of its own, that of the REPL, or one that is held. */
export type SwankThread = 'own' | 'repl' | number;

/** `lost`: the connection ended before an answer. `aborted`: the server gave the request up, or could not read it. */
export type SwankReply =
  | { reply: 'value'; value: Sexp }
  | { reply: 'aborted'; reason: string }
  | { reply: 'lost'; reason: string };

export interface SwankRequest {
  id: number;
  /** Settles when the server answers, or is gone; never rejects. */
  reply: Promise<SwankReply>;
}

/** Milliseconds in which a server has closed a connection that we have ended. */
const LAST_WORDS_MS = 5_000;

interface Pending {
  packet: string;
  settle: (reply: SwankReply) => void;
}

export class SwankClient {
  /** Settles with the reason when the connection has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly #wire: Duplex;
  readonly #onEvent: (event: SwankEvent) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #end = Promise.withResolvers<string>();
  #lastId = 0;
  #lost: string | null = null;

  /** Takes the stream over: it is closed when the server sends what is no message. */
  constructor(wire: Duplex, onEvent: (event: SwankEvent) => void) {
    this.#wire = wire;
    this.#onEvent = onEvent;
    this.ended = this.#end.promise;
    const decoder = new FrameDecoder((message) => this.#receive(eventOf(parsedSexp(message))));
    wire.on('data', (chunk: Buffer | string) => this.#decode(decoder, Buffer.from(chunk)));
    wire.on('error', (error) => this.#lose(`the connection broke (${error.message})`));
    wire.on('end', () => this.#lose('it closed the connection'));
    wire.on('close', () => this.#lose('the connection was closed'));
  }

  /** Asks for the value of `form`; names in strings of it are understood in `packageName`. */
  request(form: Sexp, thread: SwankThread, packageName: string): SwankRequest {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<SwankReply>();
    const packet = printSexp([symbol(':emacs-rex'), form, packageName, threadName(thread), id]);
    this.#pending.set(id, { packet, settle: resolve });
    this.#send(packet);
    return { id, reply: promise };
  }

  /** Answers code that reads. An empty `text` is the end of the input. */
  answerRead(thread: number, tag: number, text: string): void {
    this.#send(printSexp([symbol(':emacs-return-string'), thread, tag, text]));
  }

  /** The secret of `~/.slime-secret`, before anything else. */
  authenticate(secret: string): void {
    this.#wire.write(frame(secret));
  }

  /**
   * Says that nothing more comes, and takes no notice of what the server still says. That is read all the same until the
   * server closes as well: SLIME since 2.28 can lose the lock of its connections when its threads fail to write.
   */
  close(): void {
    this.#lose('the connection was closed');
    const late = setTimeout(() => this.#wire.destroy(), LAST_WORDS_MS);
    late.unref();
    this.#wire.once('close', () => clearTimeout(late));
    this.#wire.resume().end();
  }

  #send(packet: string): void {
    if (this.#lost === null) this.#wire.write(frame(packet));
    else this.#giveUp(this.#lost);
  }

  #decode(decoder: FrameDecoder, chunk: Buffer): void {
    if (this.#lost !== null) return;
    try {
      decoder.push(chunk);
    } catch (error) {
      this.#lose(`it sent what is no Swank: ${asFailure(error).message}`);
      this.#wire.destroy();
    }
  }

  #receive(event: SwankEvent): void {
    switch (event.event) {
      case 'return':
        this.#settle(event.id, { reply: 'value', value: event.value });
        break;
      case 'abort':
        this.#settle(event.id, { reply: 'aborted', reason: event.reason });
        break;
      case 'invalid':
        this.#settle(event.id, { reply: 'aborted', reason: event.reason });
        break;
      case 'unreadable':
        // It has no id, for what could not be read has none; but it shows what it was.
        for (const [id, { packet }] of this.#pending)
          if (packet === event.packet) this.#settle(id, { reply: 'aborted', reason: event.reason });
        break;
      case 'ping':
        // The server counts what it sends, and waits for this before it sends more.
        this.#send(printSexp([symbol(':emacs-pong'), event.thread, event.tag]));
        break;
      case 'output':
        this.#onEvent(event);
        if (event.awaited !== null) this.#send(printSexp([symbol(':write-done'), event.awaited]));
        break;
      case 'asked':
        this.#send(printSexp([symbol(':emacs-return'), event.thread, event.tag, event.answer]));
        this.#onEvent(event);
        break;
      default:
        this.#onEvent(event);
    }
  }

  #settle(id: number, reply: SwankReply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(reply);
  }

  #lose(reason: string): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    this.#giveUp(reason);
    this.#end.resolve(reason);
  }

  #giveUp(reason: string): void {
    for (const id of [...this.#pending.keys()]) this.#settle(id, { reply: 'lost', reason });
  }
}

function threadName(thread: SwankThread): Sexp {
  if (typeof thread === 'number') return thread;
  return symbol(thread === 'own' ? 't' : ':repl-thread');
}
