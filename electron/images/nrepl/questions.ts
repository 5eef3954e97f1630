/**
 * Questions to an nREPL server that leave no trace: each is evaluated in a copy of the session, whose `*1`, `*e` and
 * `*ns*` it sees and cannot change, and which is closed then.
 */
import { readFile } from 'node:fs/promises';
import type { NreplClient } from './client';
import { NreplSession } from './session';

/** Characters of one answer; what is longer was not meant to be printed. */
const LONGEST = 4_000_000;

export class NreplQuestions {
  readonly #client: NreplClient;
  readonly #session: NreplSession;
  readonly #source: string;
  #asking: Promise<boolean> | null = null;

  /** @param source file of our own Clojure code, resources/clojure/image.clj, which the questions call */
  constructor(client: NreplClient, session: NreplSession, source: string) {
    this.#client = client;
    this.#session = session;
    this.#source = source;
  }

  /** What evaluating `code` prints; null when the server cannot answer. Our own code is loaded before the first. */
  async ask(code: string): Promise<string | null> {
    this.#asking ??= this.#load();
    return (await this.#asking) ? this.#evaluate(code) : null;
  }

  async #load(): Promise<boolean> {
    return (await this.#evaluate(await readFile(this.#source, 'utf8'))) !== null;
  }

  async #evaluate(code: string): Promise<string | null> {
    const copy = await NreplSession.clone(this.#client, this.#session);
    if (!copy) return null;
    let printed = '';
    const reply = await this.#client.request(
      { op: 'eval', session: copy.id, code, ns: 'user' },
      ({ out }) => {
        if (typeof out === 'string' && printed.length < LONGEST) printed += out;
      },
    );
    void copy.close();
    return reply.done && !reply.status.includes('eval-error') ? printed : null;
  }
}
