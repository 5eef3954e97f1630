/** How far ACL2 has come with what it works on: what its prover answers to a signal, and the goal that it named last. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProofProgress } from '../../contract/proof';

/** What the prover itself tells. */
export type ProverState = Pick<ProofProgress, 'steps' | 'stack' | 'checkpoints'>;

/** Milliseconds that the prover may take to tell it; GCL hears a signal between two calls. */
const ANSWER_MS = 1_000;

/** What is known where the prover tells nothing, as on SBCL. */
export const UNTOLD: ProverState = { steps: null, stack: null, checkpoints: null };

/** A goal's name on a line of its own, as ACL2 prints it when it begins with the goal: `[1]Subgoal *1.2/3.1''`. */
const GOAL = /^(?:\[\d+\])?(?:Goal|Subgoal [*\d./]+)(?:'\d*')?'*$/gm;

/** The goal that the commentary names last; null before the first. */
export function goalIn(commentary: string): string | null {
  return commentary.match(GOAL)?.at(-1) ?? null;
}

/** Questions to the prover. Several that are asked at the same time are sent as one. */
export class ProverQuestions {
  #asked: Promise<ProverState> | null = null;
  #answer: ((state: ProverState) => void) | null = null;

  /** @param send sends the question; @param over settles when no answer will come any more */
  ask(send: () => Promise<unknown>, over: Promise<unknown>): Promise<ProverState> {
    this.#asked ??= this.#ask(send, over).finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  answered({ steps, stack, checkpoints }: ProverState): void {
    this.#answer?.({ steps, stack, checkpoints });
  }

  async #ask(send: () => Promise<unknown>, over: Promise<unknown>): Promise<ProverState> {
    const { promise, resolve } = Promise.withResolvers<ProverState>();
    this.#answer = resolve;
    const answered = send().then(() => promise);
    return Promise.race([answered, over.then(() => UNTOLD), delay(ANSWER_MS, UNTOLD, { ref: false })]);
  }
}
