/** Replies of the nREPL port: those of evaluations, and the input that they read. */

import type { Evaluation, Stream } from '../../contract/model';
import { type BencodeDictionary, type BencodeValue, statusOf } from '../../host/bencode';

/** Returns a reply with the id and session of its request. */
export function answerTo({ id, session }: BencodeDictionary, answer: BencodeDictionary): BencodeDictionary {
  return {
    ...(id === undefined ? {} : { id }),
    ...(session === undefined ? {} : { session }),
    ...answer,
  };
}

/** The reply to a request that evaluates. */
export class EvaluationReply {
  readonly #request: BencodeDictionary;
  readonly #session: { namespace: string };
  readonly #send: (message: BencodeDictionary) => void;
  /** The last message of the image's server. It waits until the row is closed. */
  #last: BencodeDictionary | null = null;

  constructor(
    request: BencodeDictionary,
    session: { namespace: string },
    send: (message: BencodeDictionary) => void,
  ) {
    this.#request = request;
    this.#session = session;
    this.#send = send;
  }

  /** Passes on a message of the image's server. */
  pass({ id: _serversOwn, ...message }: BencodeDictionary): void {
    const { ns } = message;
    if (typeof ns === 'string' && ns !== '') this.#session.namespace = ns;
    if (statusOf(message).includes('done')) this.#last ??= message;
    else this.#answer(message);
  }

  output(stream: Stream, text: string): void {
    if (stream === 'input') return;
    this.#answer(stream === 'stdout' ? { out: text } : { err: text });
  }

  needInput(): void {
    this.#answer({ status: ['need-input'] });
  }

  /**
   * Ends the reply.
   * @param shown whether the values and the error are shown here
   */
  settle(row: Evaluation, notes: readonly string[], shown: boolean): void {
    for (const text of notes) this.#answer({ err: `; ${text}\n` });
    if (this.#last === null && shown) this.#show(row);
    this.#answer(this.#last ?? { status: ['done', ...outcomeWords(row)] });
  }

  #show({ forms, condition, package: ns }: Evaluation): void {
    for (const { values } of forms) for (const value of values) this.#answer({ value, ns });
    if (!condition) return;
    this.#answer({ err: `${condition.type}: ${condition.message}\n` });
    this.#answer({ status: ['eval-error'], ex: condition.type, 'root-ex': condition.type });
  }

  #answer(answer: BencodeDictionary): void {
    this.#send(answerTo(this.#request, answer));
  }
}

/** Returns the status words of an outcome. */
function outcomeWords({ outcome }: Evaluation): string[] {
  if (outcome === 'ok' || outcome === 'error') return [];
  return outcome === 'interrupted' ? ['interrupted'] : ['error', `lisp-harbor/${outcome}`];
}

/** Input that code in an image without a server of its own reads, line by line. */
export class EditorInput {
  #text = '';
  #reader: ((line: string | null) => void) | null = null;
  #ended = false;

  /** Returns the next line; null for end of file. Calls `request` if the editor must provide it. */
  line(request: () => void): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#reader = resolve;
    if (!this.#read()) request();
    return promise;
  }

  /** Adds input; empty text is the end of the file. */
  provide(text: string): void {
    this.#text += text;
    if (text === '') this.#settle(this.#text === '' ? null : this.#take(this.#text.length));
    else this.#read();
  }

  end(): void {
    this.#ended = true;
    this.#settle(null);
  }

  /** Gives a complete line to the reader. Returns false if it must wait. */
  #read(): boolean {
    if (this.#ended) this.#settle(null);
    const end = this.#text.indexOf('\n');
    if (this.#reader && end >= 0) this.#settle(this.#take(end + 1).slice(0, -1));
    return this.#reader === null;
  }

  #take(length: number): string {
    const taken = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return taken;
  }

  #settle(line: string | null): void {
    this.#reader?.(line);
    this.#reader = null;
  }
}

/** Returns the value if it is a dictionary, else an empty one. */
export function dictionary(value: BencodeValue | undefined): Readonly<Record<string, BencodeValue>> {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
