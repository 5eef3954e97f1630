/** What the last failed evaluation of a session has thrown: Clojure keeps it as `*e` until another fails. */
import { z } from 'zod';
import { Thrown, type ThrownAt, ThrownPlace } from '../../contract/thrown';
import type { Exceptions } from '../optional-groups';
import type { NreplQueries } from './queries';

export class ClojureExceptions implements Exceptions {
  readonly #queries: NreplQueries;
  #failed: number | null = null;

  constructor(queries: NreplQueries) {
    this.#queries = queries;
  }

  /** The evaluation that has failed now. */
  noteFailure(evaluation: number): void {
    this.#failed = evaluation;
  }

  async causes(evaluation: number): Promise<Thrown[]> {
    if (evaluation !== this.#failed) return [];
    return this.#queries.ask('lisp-harbor.thrown/causes', {}, z.array(Thrown));
  }

  async source(evaluation: number, at: ThrownAt): Promise<ThrownPlace | null> {
    if (evaluation !== this.#failed) return null;
    const place = ThrownPlace.optional();
    return (await this.#queries.ask('lisp-harbor.thrown/source', { evaluation, ...at }, place)) ?? null;
  }
}
