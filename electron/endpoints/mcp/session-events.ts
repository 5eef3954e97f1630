/**
 * What one 2025-era session has sent lately, so that a client whose stream broke can ask for the rest with
 * `Last-Event-ID` (MCP 2025-11-25, transports: resumability). In memory and bounded: a client that was away
 * for longer than that loses the oldest messages.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 128;
const MAX_CHARACTERS = 2 * 1024 * 1024;

interface Sent {
  sequence: number;
  stream: string;
  json: string;
}

export class SessionEvents implements EventStore {
  readonly #sent: Sent[] = [];
  #sequence = 0;
  #characters = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const json = JSON.stringify(message);
    this.#sequence += 1;
    this.#sent.push({ sequence: this.#sequence, stream, json });
    this.#characters += json.length;
    this.#forgetOldest();
    // The stream's name is part of the id, so an id stays good after its own event was forgotten.
    return `${this.#sequence}_${stream}`;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return parseEventId(eventId)?.stream;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseEventId(lastEventId);
    if (last === undefined) throw new Error(`Not an event id: ${lastEventId}`);
    for (const { sequence, stream, json } of [...this.#sent]) {
      if (stream === last.stream && sequence > last.sequence) {
        await send(`${sequence}_${stream}`, JSON.parse(json));
      }
    }
    return last.stream;
  }

  #forgetOldest(): void {
    while (this.#sent.length > MAX_EVENTS || (this.#sent.length > 1 && this.#characters > MAX_CHARACTERS)) {
      this.#characters -= this.#sent.shift()?.json.length ?? 0;
    }
  }
}

function parseEventId(eventId: string): { sequence: number; stream: string } | undefined {
  const match = /^(\d+)_(.+)$/.exec(eventId);
  return match?.[2] === undefined ? undefined : { sequence: Number(match[1]), stream: match[2] };
}
