/**
 * Questions to the helper in an ACL2 process that evaluate nothing. ACL2 has one thread, so there is no answer while an
 * evaluation runs; and one that comes while a question is answered waits for that.
 */
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { ImageEnd } from '../image';
import type { Acl2Conversation, RequestListener } from './conversation';
import type { Acl2Record } from './records';
import type { QueryOptions } from './requests';

export class Acl2Queries {
  readonly #conversation: Acl2Conversation;
  #last: Promise<unknown> = Promise.resolve();
  /** Evaluations that run or wait for an answer. */
  #evaluations = 0;
  readonly #ended: Promise<ImageEnd>;
  #end: ImageEnd | null = null;

  constructor(conversation: Acl2Conversation, ended: Promise<ImageEnd>) {
    this.#conversation = conversation;
    this.#ended = ended.then((end) => {
      this.#end = end;
      return end;
    });
  }

  /** Waits until no question is being answered; none is asked until `evaluation` has settled. */
  async without<T>(evaluation: () => Promise<T>): Promise<T> {
    this.#evaluations += 1;
    try {
      await this.#last;
      return await evaluation();
    } finally {
      this.#evaluations -= 1;
    }
  }

  /**
   * The answer to the query `about` (queries.lisp has them) on `text`.
   * @throws HarborError as the helper says it; `busy`, `query_failed`, `image_lost`
   */
  async ask<S extends z.ZodType>(
    about: string,
    text: string,
    options: QueryOptions,
    schema: S,
  ): Promise<z.output<S>> {
    if (this.#evaluations > 0) throw busy();
    const answer = this.#last.then(() => this.#ask(about, text, options));
    this.#last = answer.catch(() => undefined);
    const parsed = schema.safeParse(await answer);
    if (parsed.success) return parsed.data;
    throw new HarborError('query_failed', `ACL2 answered ${about} with something else. Ask again.`);
  }

  async #ask(about: string, text: string, options: QueryOptions): Promise<unknown> {
    if (this.#end) throw lost(this.#end);
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#conversation.ask({ op: 'query', about, text, options }, new Answer(resolve, reject));
    });
    return Promise.race([answered, this.#ended.then((end) => Promise.reject(lost(end)))]);
  }
}

/** Waits for the end of the request: the next one must not begin before. */
class Answer implements RequestListener {
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: HarborError) => void;
  #record: Acl2Record | null = null;

  constructor(resolve: (value: unknown) => void, reject: (error: HarborError) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  record(record: Acl2Record): void {
    if (record.record !== 'begun') this.#record = record;
  }

  form(): void {
    // A query evaluates nothing.
  }

  done(): void {
    const record = this.#record;
    if (record?.record === 'answer') this.#resolve(record.value);
    else if (record?.record === 'failure') this.#reject(new HarborError(record.code, record.message));
    else this.#reject(new HarborError('query_failed', 'ACL2 did not answer.'));
  }
}

function busy(): HarborError {
  return new HarborError(
    'busy',
    'An evaluation runs in this session, and ACL2 answers nothing beside it. Wait for it or cancel it (`job`), then ask again.',
  );
}

function lost({ description }: ImageEnd): HarborError {
  return new HarborError('image_lost', `The image cannot answer: ${description}.`);
}
