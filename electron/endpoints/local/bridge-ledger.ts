/**
 * What the stdio bridge must remember of a conversation so that it survives a new harbor: which requests have
 * no answer yet, and how the conversation was opened. Pure: lines in, decisions out.
 */
import { exactJson } from '../../host/bounded-json';
import {
  cancelledBy,
  errorMessage,
  type Id,
  INTERNAL_ERROR,
  idOf,
  isRecord,
  methodOf,
} from '../mcp/json-rpc';

/** What to do with a line from the harbor. `opened`: the replayed opening was answered; nobody else asked for it. */
export type Verdict = 'pass' | 'opened' | 'refused';

const LOST =
  'Lisp Harbor stopped while this request was running. It may or may not have run, and it is not repeated: ' +
  'look at the history before sending it again.';

export class BridgeLedger {
  readonly #unanswered = new Map<Id, unknown>();
  /** Those of them that came in a batch: it may be refused as a whole. */
  readonly #batched = new Set<Id>();
  #initialize: Record<string, unknown> | undefined;
  #initialized: string | undefined;
  #agreed = false;
  #replayId: string | undefined;
  #replays = 0;

  /** Whether some request is without its answer. */
  get waiting(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Whether the harbor has yet to answer what nobody but the bridge has asked. */
  get replaying(): boolean {
    return this.#replayId !== undefined;
  }

  /** Notes a line that is being sent to the harbor. */
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

  /** Notes a line that came from the harbor. */
  received(line: string): Verdict {
    const verdicts = messagesIn(line).map((message) => this.#received(message));
    // A replay is answered by itself: of what is answered together nothing is the bridge's own.
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

  /** A line was refused that has no id: if it was a batch, nothing in it is answered. */
  #refused(): void {
    for (const id of this.#batched) this.#unanswered.delete(id);
    this.#batched.clear();
  }

  /**
   * The harbor is gone. `answers` go to the client, for requests that may have run; `again` goes to the next
   * harbor: an `initialize` without its answer changes nothing, so it is safe to repeat.
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

  /** The opening for a new harbor, under an id no client uses; undefined where there is nothing to repeat. */
  replay(): string | undefined {
    if (!this.#agreed) return undefined;
    this.#replays += 1;
    this.#replayId = `lisp-harbor-bridge-${this.#replays}`;
    return JSON.stringify({ ...this.#initialize, id: this.#replayId });
  }

  /** What follows the answered replay, when the client had got that far. */
  get initialized(): string | undefined {
    return this.#initialized;
  }
}

/** Those of a batch, too; none for what is not JSON, or too much of it: the harbor will say so itself. */
function messagesIn(line: string): unknown[] {
  try {
    const value = exactJson(line);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}
