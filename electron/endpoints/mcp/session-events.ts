/**
 * What one 2025-era session has sent lately on its streams, so that a client whose stream broke can ask for the rest with
 * `Last-Event-ID` (MCP 2025-11-25, transports: resumability). In memory and bounded: a client that was away
 * for longer than that loses the oldest messages.
 */

const MAX_EVENTS = 128;
const MAX_CHARACTERS = 2 * 1024 * 1024;

export interface SentEvent {
  id: string;
  json: string;
}

interface Kept extends SentEvent {
  sequence: number;
  stream: string;
}

export class SessionEvents {
  readonly #kept: Kept[] = [];
  #sequence = 0;
  #characters = 0;

  /** Keeps a message of a stream. @returns its event's id */
  keep(stream: string, json: string): string {
    const id = this.mark(stream);
    this.#kept.push({ id, sequence: this.#sequence, stream, json });
    this.#characters += json.length;
    this.#forgetOldest();
    return id;
  }

  /** An id for the place that a stream has reached, without a message. */
  mark(stream: string): string {
    this.#sequence += 1;
    // The stream's name is part of the id, so an id stays good after its own event was forgotten.
    return `${this.#sequence}_${stream}`;
  }

  /** What came after an event on its stream, in order; undefined for what is no id of an event. */
  after(eventId: string): { stream: string; events: readonly SentEvent[] } | undefined {
    const [, sequence, stream] = /^(\d+)_(.+)$/.exec(eventId) ?? [];
    if (stream === undefined) return undefined;
    const later = (kept: Kept) => kept.stream === stream && kept.sequence > Number(sequence);
    return { stream, events: this.#kept.filter(later) };
  }

  #forgetOldest(): void {
    while (this.#kept.length > MAX_EVENTS || (this.#kept.length > 1 && this.#characters > MAX_CHARACTERS)) {
      this.#characters -= this.#kept.shift()?.json.length ?? 0;
    }
  }
}
