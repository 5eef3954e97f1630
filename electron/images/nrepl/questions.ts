/**
 * Questions to an nREPL server that leave no trace: each is evaluated in a copy of the session, whose `*1`, `*e` and
 * `*ns*` it sees and cannot change, and which is closed then. They call our own code, resources/clojure, which the
 * server is given before.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NreplClient, NreplMessage, NreplReply } from './client';
import { NreplSession } from './nrepl-session';
import { OwnCode, type OwnFile } from './own-code';

/** Characters of one answer; what is longer was not meant to be printed. */
const LONGEST = 16_000_000;

/** Milliseconds that a question may take; loading our code is not counted. */
export const QUESTION_MS = 20_000;

/** What a question printed, or why there is no answer. */
export type Answer = { printed: string } | { failure: 'late' | 'lost' | 'error' };

export class NreplQuestions {
  readonly #client: NreplClient;
  readonly #session: NreplSession;
  readonly #ownCode: OwnCode;
  readonly #given = new Map<string, Promise<Answer>>();
  readonly #has: boolean;

  /**
   * @param folder of our own Clojure code, resources/clojure
   * @param has whether the server has that code on its classpath, so that it need not be sent
   */
  constructor(client: NreplClient, session: NreplSession, folder: string, has = false) {
    this.#client = client;
    this.#session = session;
    this.#has = has;
    this.#ownCode = new OwnCode(path.join(folder, '*.clj'));
  }

  /** What evaluating `code` prints. */
  async ask(code: string): Promise<Answer> {
    const failure = await this.prepare(code);
    return failure ?? this.#evaluate({ code, ns: 'user' }, QUESTION_MS);
  }

  /** Gives the server what `code` needs of our own code; null when it has all of it. */
  async prepare(code: string): Promise<Answer | null> {
    for (const file of await this.#ownCode.filesFor(code)) {
      const answer = await this.#give(file);
      if ('failure' in answer) return answer;
    }
    return null;
  }

  #give({ name, source }: OwnFile): Promise<Answer> {
    const known = this.#given.get(name);
    if (known) return known;
    const file = `lisp_harbor/${name}.clj`;
    const code = this.#has ? `(require 'lisp-harbor.${name})` : source;
    const given = this.#evaluate({ code, ns: 'user', file }, Number.POSITIVE_INFINITY).then((answer) => {
      // What failed, for instance because memory was full at that moment, is tried again for the next question.
      if ('failure' in answer) this.#given.delete(name);
      return answer;
    });
    this.#given.set(name, given);
    return given;
  }

  async #evaluate(
    request: { code: string; ns: string; file?: string },
    milliseconds: number,
  ): Promise<Answer> {
    const copy = await NreplSession.clone(this.#client, this.#session);
    if (!copy) return { failure: 'lost' };
    let printed = '';
    const { id, reply } = this.#client.begin(
      { ...request, op: 'eval', session: copy.id },
      ({ out }: NreplMessage) => {
        if (typeof out === 'string' && printed.length < LONGEST) printed += out;
      },
    );
    const ended = await inTime(reply, milliseconds);
    if (ended === null) {
      const stop = { op: 'interrupt', session: copy.id, 'interrupt-id': id };
      void this.#client.request(stop).then(() => copy.close());
      return { failure: 'late' };
    }
    void copy.close();
    if (!ended.done) return { failure: 'lost' };
    return ended.failed ? { failure: 'error' } : { printed };
  }
}

/** null when the time is over. */
export async function inTime(reply: Promise<NreplReply>, milliseconds: number): Promise<NreplReply | null> {
  if (milliseconds === Number.POSITIVE_INFINITY) return reply;
  const over = new AbortController();
  const late = delay(milliseconds, null, { signal: over.signal, ref: false }).catch(() => null);
  const ended = await Promise.race([reply, late]);
  over.abort();
  return ended;
}
