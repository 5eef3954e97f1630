/** What code in a Swank server reads from its standard input. */
import type { SwankClient } from './client';
import type { SwankEvaluation } from './evaluation';

export class SwankInput {
  readonly #client: SwankClient;
  /** Threads that wait for an answer, by the tags of their reads. */
  readonly #waiting = new Map<number, number>();

  constructor(client: SwankClient) {
    this.#client = client;
  }

  /** Answers with the next line of the evaluation's source; where it has none, the input is at its end. */
  async answer(
    { thread, tag }: { thread: number; tag: number },
    evaluation: SwankEvaluation | undefined,
  ): Promise<void> {
    this.#waiting.set(tag, thread);
    const { input } = evaluation?.request ?? {};
    if (!input) evaluation?.notes.push('The code read from its input, which is at its end here.');
    const line = (await input?.()) ?? null;
    if (this.#waiting.delete(tag)) this.#client.answerRead(thread, tag, line === null ? '' : `${line}\n`);
  }

  /** Answers all reads with the end of the input; what a person types later is for nobody. */
  giveUp(): void {
    for (const [tag, thread] of this.#waiting) this.#client.answerRead(thread, tag, '');
    this.#waiting.clear();
  }

  /** The code that read was unwound. */
  aborted(tag: number): void {
    this.#waiting.delete(tag);
  }
}
