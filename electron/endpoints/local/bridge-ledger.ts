/**
 * The state of a conversation that the stdio bridge needs to survive a restart of the harbor: the requests
 * without an answer, and how the conversation was opened. Pure: lines in, decisions out.
 */
import { exactJson } from '../../host/json';
import {
  cancelledBy,
  errorMessage,
  type Id,
  INTERNAL_ERROR,
  idOf,
  isRecord,
  methodOf,
} from '../mcp/json-rpc';

/**
 * Decides about a line from the harbor. `opened`: it answers the replayed opening, which the client did not
 * send.
 */
export type Verdict = 'pass' | 'opened' | 'refused';

const LOST =
  'Lisp Harbor stopped while this request was running. It may or may not have run, and it is not ' +
  'repeated. Check the history before you send it again.';

export class BridgeLedger {
  readonly #unanswered = new Map<Id, unknown>();
  /** Open requests that were sent in a batch, which can be refused as a whole. */
  readonly #batched = new Set<Id>();
  #initialize: Record<string, unknown> | undefined;
  #initialized: string | undefined;
  #agreed = false;
  #replayId: string | undefined;
  #replays = 0;

  /** Reports whether any request is without an answer. */
  get waiting(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Reports whether the harbor still has to answer the replayed opening. */
  get replaying(): boolean {
    return this.#replayId !== undefined;
  }

  /** Records a line that is sent to the harbor. */
  sent(line: string): void {
    const messages = messagesIn(line);
    for (const message of messages) this.#sent(message);
    if (line.trimStart().startsWith('[')) this.#note(messages);
  }

  #note(batch: readonly unknown[]): void {
    for (const message of batch) {
      const id = idOf(message);
      if (id !== null && methodOf(message) !== undefined) this.#batched.add(id);
    }
  }

  #sent(message: unknown): void {
    const method = methodOf(message);
    const id = idOf(message);
    if (method === 'initialize' && isRecord(message)) this.#initialize = message;
    if (method === 'notifications/initialized') this.#initialized = JSON.stringify(message);
    // A cancelled request gets no answer.
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#unanswered.delete(cancelled);
    if (method !== undefined && id !== null) this.#unanswered.set(id, message);
  }

  /** Records a line from the harbor. */
  received(line: string): Verdict {
    const verdicts = messagesIn(line).map((message) => this.#received(message));
    // The replay is sent alone, so a batch never contains its answer.
    return verdicts.find((verdict) => verdict !== 'pass') ?? 'pass';
  }

  #received(message: unknown): Verdict {
    const id = idOf(message);
    if (methodOf(message) !== undefined || !isRecord(message)) return 'pass';
    if (id === null) {
      this.#refused();
      return 'pass';
    }
    if (id === this.#replayId) {
      this.#replayId = undefined;
      return 'error' in message ? 'refused' : 'opened';
    }
    if (id === idOf(this.#initialize)) this.#agreed = 'result' in message;
    this.#unanswered.delete(id);
    this.#batched.delete(id);
    return 'pass';
  }

  /** Handles a refusal without an id: if the line was a batch, none of its requests is answered. */
  #refused(): void {
    for (const id of this.#batched) this.#unanswered.delete(id);
    this.#batched.clear();
  }

  /**
   * Called when the harbor disconnects. `answers` are errors for requests that may have run. `again` is sent
   * to the next harbor: an unanswered `initialize` has no effect, so repeating it is safe.
   */
  lost(): { answers: string[]; again: string[] } {
    const opening = idOf(this.#initialize);
    const answers: string[] = [];
    const again: string[] = [];
    for (const [id, message] of this.#unanswered) {
      if (id === opening && !this.#agreed) again.push(JSON.stringify(message));
      else answers.push(JSON.stringify(errorMessage(id, INTERNAL_ERROR, LOST)));
    }
    this.#unanswered.clear();
    this.#batched.clear();
    this.#replayId = undefined;
    return { answers, again };
  }

  /**
   * Returns the opening for a new harbor, with an id that no client uses; undefined if there is none to
   * repeat.
   */
  replay(): string | undefined {
    if (!this.#agreed) return undefined;
    this.#replays += 1;
    this.#replayId = `lisp-harbor-bridge-${this.#replays}`;
    return JSON.stringify({ ...this.#initialize, id: this.#replayId });
  }

  /** The notification that follows the answered replay, if the client had sent it. */
  get initialized(): string | undefined {
    return this.#initialized;
  }
}

/**
 * Returns the messages of a line, also those of a batch. Returns none if the line is not JSON or is too
 * large: the harbor reports that.
 */
function messagesIn(line: string): unknown[] {
  try {
    const value = exactJson(line);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}
