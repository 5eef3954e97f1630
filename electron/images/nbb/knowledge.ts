/**
 * What nbb knows of its names: questions to resources/nbb/knowledge.cljs. nbb does one thing at a time, so they wait
 * for an evaluation that keeps it busy, and are given up after a while.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Findings, type FindRequest, type NameRequest, SymbolDescription } from '../../contract/knowledge';
import type { Knowledge } from '../knowledge';
import { type ClojureData, clojureData } from '../nrepl/clojure-data';
import { answerIn } from '../nrepl/queries';

/** Milliseconds that a question may take, waiting for its turn included. */
const QUESTION_MS = 10_000;

const EXPANSIONS = {
  once: (form: string) => `(macroexpand-1 '${form}\n)`,
  full: (form: string) => `(do (require 'clojure.walk) (clojure.walk/macroexpand-all '${form}\n))`,
} as const;

export class NbbKnowledge implements Knowledge {
  readonly #ask: (code: string) => Promise<string | null>;
  readonly #namespace: () => string;

  /** @param ask what evaluating code between forms prints, null when the image is gone
   * @param namespace the one that the session is in */
  constructor(ask: (code: string) => Promise<string | null>, namespace: () => string) {
    this.#ask = ask;
    this.#namespace = namespace;
  }

  describe({ symbol, package: packageName = this.#namespace() }: NameRequest): Promise<SymbolDescription> {
    return this.#query('describe', { symbol, package: packageName }, SymbolDescription);
  }

  async disassemble(): Promise<string> {
    throw new HarborError('not_supported', 'nbb interprets: there is no machine code to show.');
  }

  async find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    if (kind === 'callers' || kind === 'references')
      throw new HarborError(
        'not_supported',
        'nbb keeps no record of who uses a name. Search the sources of the project for it.',
      );
    return this.#query(kind, { ...request, package: packageName }, Findings);
  }

  expansionCode(form: string, extent: 'once' | 'full'): string {
    return EXPANSIONS[extent](form);
  }

  async #query<T>(question: string, request: ClojureData, answer: z.ZodType<T>): Promise<T> {
    const call = `(lisp-harbor.image/print-answer ${clojureData(question)} ${clojureData(request)})`;
    const over = new AbortController();
    const late = delay(QUESTION_MS, 'late' as const, { signal: over.signal, ref: false });
    const given = await Promise.race([
      this.#ask(call).then((printed) => ({ printed })),
      late.catch(() => 'late' as const),
    ]);
    over.abort();
    if (given === 'late')
      throw new HarborError(
        'took_too_long',
        'nbb does one thing at a time, and an evaluation keeps it busy. Ask when that is over, or interrupt it.',
      );
    if (given.printed === null)
      throw new HarborError('image_lost', 'The image cannot answer: the connection to it is gone.');
    return answerIn(given.printed, answer);
  }
}
