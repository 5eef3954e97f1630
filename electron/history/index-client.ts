/** The thread that has the history's index, as the harbor asks it: started when it is needed, ended when it is not. */
import { Worker } from 'node:worker_threads';
import { HarborError } from '../contract/errors';
import type { Answer, IndexThreadData, Question, QuestionName, Questions } from './index/questions';

/** What a quiet moment is, in which closed rows are indexed: nothing has ended for so long. */
const QUIET_MS = 200;
/** Rows that wait for one; more are indexed whatever goes on. */
const MOST_WAITING = 1_000;
/** How long the thread is kept that nobody asks anything, with all that it has in memory. */
const IDLE_MS = 60_000;

type Pending = PromiseWithResolvers<unknown>;

export class IndexClient {
  readonly #workerUrl: URL;
  readonly #data: IndexThreadData;
  readonly #pending = new Map<number, Pending>();
  readonly #closed = new Set<number>();
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #ended = false;

  /** @param workerUrl search-worker.ts, as it is bundled; it starts with the first question */
  constructor(workerUrl: URL, data: IndexThreadData) {
    this.#workerUrl = workerUrl;
    this.#data = data;
  }

  /** @throws HarborError `internal` when the thread stopped; the next question starts another */
  async ask<Q extends QuestionName>(name: Q, args: Questions[Q]['args']): Promise<Questions[Q]['answer']> {
    const pending: Pending = Promise.withResolvers();
    const id = ++this.#lastId;
    this.#pending.set(id, pending);
    this.#worker ??= this.#start();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker.postMessage({ id, name, args, closed: [...this.#closed] } satisfies Question<Q>);
    this.#closed.clear();
    this.#endWhenIdle();
    return (await pending.promise) as Questions[Q]['answer'];
  }

  /** The evaluation has ended, or has changed since: it is indexed in a quiet moment, or by the next question. */
  changed(evaluation: number): void {
    this.#closed.add(evaluation);
    if (this.#ended) return;
    if (this.#closed.size > MOST_WAITING) this.#poke();
    else if (this.#timer !== null) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#poke(), QUIET_MS).unref();
  }

  /** What fails here fails again where somebody waits for an answer. */
  #poke(): void {
    this.ask('poke', null).catch(() => undefined);
  }

  /** Questions that are still asked fail. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const timer of [this.#timer, this.#idle]) if (timer !== null) clearTimeout(timer);
    await this.#worker?.terminate();
  }

  #endWhenIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#pending.size > 0) return;
      this.#worker?.removeAllListeners('exit').postMessage('end');
      this.#worker = null;
    }, IDLE_MS).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { workerData: this.#data });
    worker.unref();
    let reason = '';
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => this.#stopped(reason || `exit code ${code}`));
    return worker;
  }

  #stopped(reason: string): void {
    this.#worker = null;
    for (const { reject } of this.#pending.values()) {
      reject(
        new HarborError('internal', `The search stopped before it had an answer (${reason}). Search again.`),
      );
    }
    this.#pending.clear();
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('problem' in answer) {
      pending?.reject(new HarborError('internal', `The history could not be searched: ${answer.problem}`));
    } else {
      pending?.resolve(answer.value);
    }
  }
}
