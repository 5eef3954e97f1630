/** A conversation in which the other side says anything: what is heard of it must not depend on how its bytes were cut. */
import type { Buffer } from 'node:buffer';
import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzz } from './fuzzing';
import { cuts, inPieces, mutatedBytes, type Recorded } from './mutated';

/** What the other side says comes out of the stream; `sent` is what it was told. */
export class Line extends Duplex {
  sent = '';

  constructor() {
    // As a server's sockets.
    super({ allowHalfOpen: false });
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent += chunk.toString();
    done();
  }
}

/** Settles when nothing more comes. */
export async function ended(line: Line): Promise<void> {
  await finished(line, { writable: false }).catch(() => undefined);
}

export interface Listening {
  /** Settles when all is heard; at the end of the line unless given. */
  over?: Promise<unknown>;
  /** What was heard. Throws where that cannot be. */
  told: () => unknown;
}

export interface Conversation extends Recorded {
  name: string;
  listen: (line: Line) => Listening;
  /** The bytes as this one conversation needs them. */
  said?: (bytes: Buffer, line: Line) => Buffer;
}

export function fuzzConversation({ listen, said = (bytes) => bytes, ...conversation }: Conversation): void {
  const heard = async (bytes: Buffer, places: readonly number[]): Promise<unknown> => {
    const line = new Line();
    const { over = ended(line), told } = listen(line);
    for (const piece of inPieces(said(bytes, line), places)) if (piece.length > 0) line.push(piece);
    line.push(null);
    line.resume();
    await over;
    // What has settled is told to those who wait for it.
    await turn();
    return told();
  };
  describe(conversation.name, () => {
    fuzz({
      what: 'hears the same however the bytes are cut, and leaves nobody waiting',
      inputs: fc.tuple(mutatedBytes(conversation), cuts),
      usual: 60,
      holds: async ([bytes, places]) => {
        expect(await heard(bytes, places)).toEqual(await heard(bytes, []));
      },
    });
  });
}
