/**
 * Progress notifications of one call: only for a caller that sent a progress token, at most one every 250 ms,
 * the newest message of each interval, with a number that only grows (MCP basic/utilities/progress).
 */
import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';

const INTERVAL_MS = 250;

export class CallProgress {
  readonly #token: ProgressToken;
  readonly #notify: ServerContext['mcpReq']['notify'];
  #sent = 0;
  #waiting: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(token: ProgressToken, notify: ServerContext['mcpReq']['notify']) {
    this.#token = token;
    this.#notify = notify;
  }

  /** Undefined when the caller asked for no progress. */
  static of({ mcpReq }: ServerContext): CallProgress | undefined {
    const token = mcpReq._meta?.progressToken;
    return token === undefined ? undefined : new CallProgress(token, mcpReq.notify);
  }

  tell(message: string): void {
    // Whoever asks an image how far it has come may have the answer when the call has ended.
    if (this.#ended) return;
    if (this.#timer === undefined) this.#send(message);
    else this.#waiting = message;
  }

  /** Nothing is sent after this: progress must not follow its answer. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #send(message: string): void {
    this.#sent += 1;
    const params = { progressToken: this.#token, progress: this.#sent, message };
    this.#notify({ method: 'notifications/progress', params }).catch(() => {
      // A caller that went away misses its progress; the call itself learns of that through its signal.
    });
    this.#timer = setTimeout(() => this.#intervalOver(), INTERVAL_MS);
  }

  #intervalOver(): void {
    this.#timer = undefined;
    const message = this.#waiting;
    this.#waiting = undefined;
    if (message !== undefined) this.#send(message);
  }
}
