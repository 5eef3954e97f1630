/**
 * Questions to SCI (https://github.com/babashka/sci) behind a server that is not ours, as nbb, Joyride and babashka have it.
 * Each is one request which brings our own code along, resources/nbb, and takes it away again: its namespaces are
 * removed, and `*ns*`, `*1`, `*2` and `*3`, which all sessions of such a server may share, are as they were.
 */
import path from 'node:path';
import { type NreplClient, textOf } from './client';
import type { NreplSession } from './nrepl-session';
import { OwnCode } from './own-code';
import { TERSE } from './sci-queries';

/** Which of the two languages: they differ in what `catch` calls everything that can be thrown. */
export type SciDialect = 'ClojureScript' | 'Clojure';

export interface SciServer {
  client: NreplClient;
  session: NreplSession;
  dialect: SciDialect;
  /** Folder of our own Clojure code, resources/clojure; that for SCI is beside it. */
  folder: string;
  /** The namespace that the session is in. */
  namespace: () => string;
}

export class SciQuestions {
  readonly #server: SciServer;
  readonly #ownCode: OwnCode;

  constructor(server: SciServer) {
    this.#server = server;
    this.#ownCode = new OwnCode(path.join(server.folder, '../nbb/*.cljs'), path.join(server.folder, '*.clj'));
  }

  /** What calling `question` with `request`, both Clojure code, prints; null when the server is gone. */
  async ask(question: string, request: string): Promise<string | null> {
    const { client, session, namespace } = this.#server;
    const code = await this.#selfContained(`lisp-harbor.attached/print-answer ${question}`, request);
    let printed = '';
    const message = { op: 'eval', session: session.id, ns: namespace(), code, ...TERSE };
    const reply = await client.request(message, (answer) => {
      printed += textOf(answer, 'out') ?? '';
    });
    return reply.done ? printed : null;
  }

  /**
   * Names are qualified, because code of the user may have made others of them. The server puts the value of what it
   * evaluates in front of `*1` and `*2`, so the value is the first of them, and the others are moved beforehand.
   */
  async #selfContained(call: string, request: string): Promise<string> {
    const files = await this.#ownCode.filesFor(call);
    const source = [...files.map((file) => this.#inDialect(file.source)), `(${call} ${request})`].join('\n');
    const namespaces = files.map(({ name }) => `lisp-harbor.${name}`).join(' ');
    return `(clojure.core/let [history [clojure.core/*1 clojure.core/*2 clojure.core/*3]]
      (try (clojure.core/load-string ${JSON.stringify(source)})
           (finally (clojure.core/run! clojure.core/remove-ns '[${namespaces}])))
      (set! clojure.core/*1 (clojure.core/nth history 1))
      (set! clojure.core/*2 (clojure.core/nth history 2))
      (clojure.core/nth history 0))`;
  }

  #inDialect(source: string): string {
    return this.#server.dialect === 'Clojure'
      ? source.replaceAll('(catch :default ', '(catch Throwable ')
      : source;
  }
}
