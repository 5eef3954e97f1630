/**
 * Queries to SCI, the interpreter of nbb, Joyride and babashka (https://github.com/babashka/sci): functions
 * of resources/nbb that return data. SCI is single-threaded, so queries wait for the running evaluation and
 * time out.
 */

import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Findings, type FindRequest, type NameRequest, SymbolDescription } from '../../contract/knowledge';
import { textOf } from '../../host/bencode';
import type { Knowledge } from '../optional-groups';
import type { NreplClient, SciDialect } from './client';
import { type ClojureData, clojureData, expansionCode } from './clojure-code';
import type { NreplSession } from './nrepl-session';
import { answerIn, OwnCode } from './queries';

/** Maximum milliseconds for a query, including the wait. */
const QUESTION_MS = 10_000;

/** Print options for a query that prints its answer: its value is not needed, so it is cut. */
export const TERSE = {
  'nrepl.middleware.print/print': 'cider.nrepl.pprint/pprint',
  'nrepl.middleware.print/options': { length: 1, level: 1 },
};

/**
 * Calls the function `question` with `request`, both Clojure code, and returns what it prints; null if the
 * image has ended.
 */
type Evaluate = (question: string, request: string) => Promise<string | null>;

export class SciQueries {
  readonly #name: string;
  readonly #evaluate: Evaluate;

  /** @param name name of the image in error messages */
  constructor(name: string, evaluate: Evaluate) {
    this.#name = name;
    this.#evaluate = evaluate;
  }

  /**
   * Calls the function `question` (such as `lisp-harbor.knowledge/apropos`) with `request`.
   * @throws HarborError with the function's error; `took_too_long`, `query_failed`, `image_lost`
   */
  async query<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const over = new AbortController();
    const late = delay(QUESTION_MS, 'late' as const, { signal: over.signal, ref: false });
    const result = await Promise.race([
      this.#evaluate(question, clojureData(request)).then((printed) => ({ printed })),
      late.catch(() => 'late' as const),
    ]);
    over.abort();
    if (result === 'late')
      throw new HarborError(
        'took_too_long',
        `${this.#name} is single-threaded and busy with an evaluation. Try again when it is over, or interrupt it.`,
      );
    if (result.printed === null)
      throw new HarborError('image_lost', 'The image cannot answer: the connection is closed.');
    return answerIn(result.printed, answer);
  }
}

/**
 * A foreign SCI server (nbb, Joyride, babashka). Each query is one request that brings our own code
 * (resources/nbb) and cleans up: its namespaces are removed, and `*ns*`, `*1`, `*2` and `*3`, which sessions
 * of such a server may share, are restored.
 */
interface SciServer {
  client: NreplClient;
  session: NreplSession;
  dialect: SciDialect;
  /** Folder of our own Clojure code, resources/clojure; the code for SCI is in its sibling folder nbb. */
  folder: string;
  /** Current namespace of the session. */
  namespace: () => string;
}

export class SciEvaluator {
  readonly #server: SciServer;
  readonly #ownCode: OwnCode;

  constructor(server: SciServer) {
    this.#server = server;
    this.#ownCode = new OwnCode(path.join(server.folder, '../nbb/*.cljs'), path.join(server.folder, '*.clj'));
  }

  /**
   * Calls `question` with `request`, both Clojure code, and returns what it prints; null if the server is
   * gone.
   */
  async run(question: string, request: string): Promise<string | null> {
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
   * Names are qualified, because user code may shadow them. After the request the server pushes its value
   * onto `*1`, so the value is the old `*1`, and the others are shifted beforehand.
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

/** Answers queries about names in SCI with resources/nbb/knowledge.cljs. */
export class SciKnowledge implements Knowledge {
  readonly expansionCode = expansionCode;
  readonly #name: string;
  readonly #queries: SciQueries;
  readonly #namespace: () => string;

  /**
   * @param name name of the image in error messages
   * @param namespace returns the current namespace of the session
   */
  constructor(name: string, queries: SciQueries, namespace: () => string) {
    this.#name = name;
    this.#queries = queries;
    this.#namespace = namespace;
  }

  describe({ symbol, package: packageName = this.#namespace() }: NameRequest): Promise<SymbolDescription> {
    const request = { symbol, package: packageName };
    return this.#queries.query('lisp-harbor.knowledge/describe', request, SymbolDescription);
  }

  async disassemble(): Promise<string> {
    throw new HarborError(
      'not_supported',
      `${this.#name} is an interpreter: there is no machine code to show.`,
    );
  }

  async find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    if (kind === 'callers' || kind === 'references')
      throw new HarborError(
        'not_supported',
        `${this.#name} does not record references. Search the project sources instead.`,
      );
    const question = `lisp-harbor.knowledge/${kind}`;
    return this.#queries.query(question, { ...request, package: packageName }, Findings);
  }
}
