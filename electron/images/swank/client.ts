/**
 * A client of Swank or Slynk over any stream: requests get an id, and answers are routed by it. Other messages of the
 * server are passed on as events.
 */

import type { Duplex } from 'node:stream';
import { FrameDecoder, frame } from '../../host/swank-framing';
import { WireReader } from '../../host/wire-reader';
import { parsedSexp, printSexp, type Sexp, symbol, withSymbols } from './sexp';
import { eventOf, type SwankEvent } from './swank-events';

/** The server thread for a request: a new one, the REPL thread, or a suspended thread by number. */
export type SwankThread = 'own' | 'repl' | number;

/** `lost`: the connection ended first. `aborted`: the server aborted the request or could not read it. */
export type SwankReply =
  | { reply: 'value'; value: Sexp }
  | { reply: 'aborted'; reason: string }
  | { reply: 'lost'; reason: string };

interface SwankRequest {
  id: number;
  /** Resolves when the server answers or the connection ends; never rejects. */
  reply: Promise<SwankReply>;
}

/** Milliseconds to wait for the server to close a connection that we ended. */
const LAST_WORDS_MS = 5_000;

interface Pending {
  packet: string;
  settle: (reply: SwankReply) => void;
}

export class SwankClient {
  /** Resolves with the reason when the connection has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly #wire: Duplex;
  readonly #onEvent: (event: SwankEvent) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #end = Promise.withResolvers<string>();
  readonly #named: (text: string) => string;
  /** The thread of the REPL, as the server names it. */
  repl: Sexp = symbol(':repl-thread');
  #lastId = 0;
  #lost: string | null = null;

  /**
   * Takes ownership of the stream, and closes it on a protocol error.
   * @param named replaces Swank’s names in symbols of requests by those of the server
   */
  constructor(wire: Duplex, onEvent: (event: SwankEvent) => void, named = (text: string) => text) {
    this.#named = named;
    this.#wire = wire;
    this.#onEvent = onEvent;
    this.ended = this.#end.promise;
    const reader = new WireReader(wire, new FrameDecoder(), {
      message: (message) => this.#receive(eventOf(parsedSexp(message))),
      lost: (reason) => {
        this.#lose(`it violated the Swank protocol: ${reason}`);
        wire.destroy();
      },
    });
    const lose = (reason: string) => reader.whenRead(() => this.#lose(reason));
    wire.on('error', (error) => lose(`the connection failed (${error.message})`));
    wire.on('end', () => lose('it closed the connection'));
    wire.on('close', () => lose('the connection was closed'));
  }

  /**
   * Requests the value of `form`, in Swank’s names; symbol names in its strings are read in `packageName`.
   */
  request(form: Sexp, thread: SwankThread, packageName: string): SwankRequest {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<SwankReply>();
    const own = withSymbols(form, this.#named);
    const packet = printSexp([symbol(':emacs-rex'), own, packageName, this.#threadName(thread), id]);
    this.#pending.set(id, { packet, settle: resolve });
    this.#send(packet);
    return { id, reply: promise };
  }

  /** Answers a read of standard input. An empty `text` means end of input. */
  answerRead(thread: number, tag: number, text: string): void {
    this.#send(printSexp([symbol(':emacs-return-string'), thread, tag, text]));
  }

  /** Sends the secret of `~/.slime-secret` or `~/.sly-secret`, which must come first. */
  authenticate(secret: string): void {
    this.#wire.write(frame(secret));
  }

  /**
   * Ends our side and ignores further messages, but reads until the server closes its side: SLIME since 2.28
   * can leave the connection lock taken if its threads fail to write.
   */
  close(): void {
    this.#lose('the connection was closed');
    const late = setTimeout(() => this.#wire.destroy(), LAST_WORDS_MS);
    late.unref();
    this.#wire.once('close', () => clearTimeout(late));
    this.#wire.resume().end();
  }

  #threadName(thread: SwankThread): Sexp {
    if (typeof thread === 'number') return thread;
    return thread === 'own' ? symbol('t') : this.repl;
  }

  #send(packet: string): void {
    if (this.#lost === null) this.#wire.write(frame(packet));
    else this.#giveUp(this.#lost);
  }

  #receive(event: SwankEvent): void {
    if (this.#lost !== null) return;
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
        // An unreadable packet has no id, but the server echoes its text.
        for (const [id, { packet }] of this.#pending)
          if (packet === event.packet) this.#settle(id, { reply: 'aborted', reason: event.reason });
        break;
      case 'ping':
        // Flow control: the server waits for this before it sends more.
        this.#send(printSexp([symbol(':emacs-pong'), event.thread, event.tag]));
        break;
      case 'output':
        this.#onEvent(event);
        if (event.waiting !== null) this.#send(printSexp([symbol(':write-done'), event.waiting]));
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
