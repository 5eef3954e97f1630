/**
 * Queries that call our own Clojure code (resources/clojure) through `lisp-harbor.answers/print-answer`,
 * which prints data. They run in a copy of the session, which sees `*1`, `*e` and `*ns*` and cannot change
 * them, and is closed afterwards.
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { ErrorCode } from '../../contract/model';
import { boundedJsonOrUndefined } from '../../host/json';
import type { NreplClient, NreplMessage, NreplReply } from './client';
import { type ClojureData, clojureData } from './clojure-code';
import { NreplSession } from './nrepl-session';

const Printed = z.union([
  z.object({
    error: z.object({
      code: ErrorCode.catch('query_failed'),
      message: z.string(),
      /** Whether a search of all namespaces may help. */
      search: z.boolean().default(false),
    }),
  }),
  z.object({ value: z.unknown() }),
]);

const NO_ANSWER: Readonly<Record<'late' | 'lost' | 'error', readonly [ErrorCode, string]>> = {
  late: ['took_too_long', 'The image did not answer in time, and the query was cancelled.'],
  lost: ['image_lost', 'The image cannot answer: the connection is closed.'],
  error: [
    'query_failed',
    'The image could not answer: it may be out of memory, or our code in it was redefined.',
  ],
};

export class NreplQueries {
  readonly #questions: SideEvaluator;

  constructor(questions: SideEvaluator) {
    this.#questions = questions;
  }

  /**
   * Calls the function `question` (such as `lisp-harbor.finding/apropos`) with `request`.
   * @throws HarborError with the function's error; `took_too_long`, `query_failed`, `image_lost`
   */
  async query<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const result = await this.#questions.run(
      `(lisp-harbor.answers/print-answer ${question} ${clojureData(request)})`,
    );
    if ('failure' in result) throw new HarborError(...NO_ANSWER[result.failure]);
    return answerIn(result.printed, answer);
  }
}

/**
 * Parses the last line printed by a query: `{"value": …}` or `{"error": {"code", "message"}}`.
 * @throws HarborError with the image's error, or `query_failed` if it printed something else
 */
export function answerIn<T>(printed: string, answer: z.ZodType<T>): T {
  const message = Printed.safeParse(
    boundedJsonOrUndefined(printed.slice(printed.lastIndexOf('\n') + 1)),
  ).data;
  if (message && 'error' in message) throw queryError(message.error);
  const value = answer.safeParse(message?.value);
  if (value.success) return value.data;
  throw new HarborError('query_failed', 'The image returned an invalid answer.');
}

function queryError({ code, message, search }: { code: ErrorCode; message: string; search: boolean }) {
  return new HarborError(code, message, {
    mentions: search ? [mention`${ours('find', 'kind')} with kind apropos looks in all namespaces.`] : [],
  });
}

/** Maximum characters of an answer. */
const LONGEST = 16_000_000;

/** Maximum milliseconds for a query, not counting the time to load our code. */
export const QUESTION_MS = 20_000;

/** The printed text, or why there is none. */
type Answer = { printed: string } | { failure: 'late' | 'lost' | 'error' };

export class SideEvaluator {
  readonly #client: NreplClient;
  readonly #session: NreplSession;
  readonly #ownCode: OwnCode;
  readonly #loaded = new Map<string, Promise<Answer>>();
  readonly #has: boolean;

  /**
   * @param folder our own Clojure code, resources/clojure
   * @param has whether the server has that code on its classpath, so that it need not be sent
   */
  constructor(client: NreplClient, session: NreplSession, folder: string, has = false) {
    this.#client = client;
    this.#session = session;
    this.#has = has;
    this.#ownCode = new OwnCode(path.join(folder, '*.clj'));
  }

  /**
   * Evaluates `code` and returns what it prints.
   * @param session the id of the session whose copy evaluates; ours by default
   */
  async run(code: string, session = this.#session.id): Promise<Answer> {
    const failure = await this.prepare(code);
    return failure ?? this.#evaluate({ code, ns: 'user' }, QUESTION_MS, session);
  }

  /** Loads the parts of our own code that `code` uses; returns null if it is complete. */
  async prepare(code: string): Promise<Answer | null> {
    for (const file of await this.#ownCode.filesFor(code)) {
      const answer = await this.#load(file);
      if ('failure' in answer) return answer;
    }
    return null;
  }

  #load({ name, source }: OwnFile): Promise<Answer> {
    const known = this.#loaded.get(name);
    if (known) return known;
    const file = `lisp_harbor/${name}.clj`;
    const code = this.#has ? `(require 'lisp-harbor.${name})` : source;
    const result = this.#evaluate({ code, ns: 'user', file }, Number.POSITIVE_INFINITY).then((answer) => {
      // A failure, for instance because memory was full, is retried at the next query.
      if ('failure' in answer) this.#loaded.delete(name);
      return answer;
    });
    this.#loaded.set(name, result);
    return result;
  }

  async #evaluate(
    request: { code: string; ns: string; file?: string },
    milliseconds: number,
    session = this.#session.id,
  ): Promise<Answer> {
    const copy = await NreplSession.clone(this.#client, session);
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

/** Returns null on timeout. */
export async function inTime(reply: Promise<NreplReply>, milliseconds: number): Promise<NreplReply | null> {
  if (milliseconds === Number.POSITIVE_INFINITY) return reply;
  const over = new AbortController();
  const late = delay(milliseconds, null, { signal: over.signal, ref: false }).catch(() => null);
  const ended = await Promise.race([reply, late]);
  over.abort();
  return ended;
}

/**
 * A namespace `lisp-harbor.…` by the last part of its name, and its source. Files are sent to servers as
 * needed; a file needs every namespace that it mentions.
 */
interface OwnFile {
  name: string;
  source: string;
}

const MENTION = /\blisp-harbor\.([a-z-]+)/g;

export class OwnCode {
  readonly #patterns: readonly string[];
  readonly #sources = new Map<string, Promise<string>>();

  /**
   * @param patterns paths with `*` for the file name, such as resources/clojure/*.clj; the first match counts
   */
  constructor(...patterns: string[]) {
    this.#patterns = patterns;
  }

  /** Returns the files that `code` needs, dependencies first. */
  async filesFor(code: string): Promise<OwnFile[]> {
    const files = new Map<string, string>();
    await this.#add(code, files, new Set());
    return [...files].map(([name, source]) => ({ name, source }));
  }

  async #add(code: string, files: Map<string, string>, begun: Set<string>): Promise<void> {
    for (const [, name = ''] of code.matchAll(MENTION)) {
      if (begun.has(name)) continue;
      begun.add(name);
      const source = await this.#source(name);
      await this.#add(source, files, begun);
      if (source !== '') files.set(name, source);
    }
  }

  /** Returns the empty string for a namespace that is not ours. */
  #source(name: string): Promise<string> {
    const known = this.#sources.get(name);
    if (known) return known;
    const source = this.#read(name);
    this.#sources.set(name, source);
    return source;
  }

  async #read(name: string): Promise<string> {
    for (const pattern of this.#patterns) {
      const source = await readFile(pattern.replace('*', name), 'utf8').catch(() => null);
      if (source !== null) return source;
    }
    return '';
  }
}
