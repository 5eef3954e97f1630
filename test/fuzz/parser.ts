/** What must hold for each parser, whatever it is given: a parser is a row, and its properties are made of that. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzz } from './fuzzing';
import { type Repeated, repeated, takesTimeInProportion } from './growth';
import { cuts, inPieces, mutatedBytes, mutatedText, type Recorded } from './mutated';

interface Row extends Recorded {
  name: string;
  /** Whether an error is one that is documented; none is unless given. */
  refuses?: (error: unknown) => boolean;
  /** Inputs whose repetition once took too long. */
  slow?: readonly Repeated[];
}

/** Reads a whole text. */
export interface TextParser<Result> extends Row {
  read: (text: string) => Result | Promise<Result>;
  /** What is true of the result beside that there is one. */
  holds?: (result: Result, text: string) => void;
  /** Texts that broke it once. */
  broke?: readonly string[];
}

export function fuzzText<Result>(parser: TextParser<Result>): void {
  const { name, read, holds, broke = [], refuses = never } = parser;
  describe(name, () => {
    fuzz({
      what: 'takes or refuses what is like the real thing',
      inputs: mutatedText(parser),
      finds: broke,
      usual: 100,
      share: 0.5,
      holds: async (text) => {
        const outcome = await settled(() => read(text), refuses);
        if (outcome !== null) holds?.(outcome.result, text);
      },
    });
    fuzzTime(parser, (text) => settled(() => read(text), refuses));
  });
}

/** Cuts messages out of bytes, of which one reader gets a connection's. */
export interface Framing<Message> extends Row {
  reader: () => { read: (chunk: Buffer) => Iterable<Message> };
  /** What came as a whole, where pieces are told as they come. */
  whole?: (messages: readonly Message[]) => unknown;
  /** What broke it once, as Latin-1, and where it was cut. */
  broke?: readonly (readonly [text: string, cuts: number[]])[];
}

/** Of what a socket has at once. */
const CHUNK = 64 * 1024;

export function fuzzFraming<Message>(framing: Framing<Message>): void {
  const { name, reader, whole = (messages) => messages, broke = [], refuses = never } = framing;
  const readAll = (pieces: readonly Buffer[]): unknown => {
    const cutting = reader();
    const messages: Message[] = [];
    try {
      for (const piece of pieces) for (const message of cutting.read(piece)) messages.push(message);
      return { messages: whole(messages) };
    } catch (error) {
      if (!refuses(error)) throw error;
      return { messages: whole(messages), refused: String(error) };
    }
  };
  describe(name, () => {
    fuzz({
      what: 'reads the same messages however the bytes are cut',
      inputs: fc.tuple(mutatedBytes(framing), cuts),
      finds: broke.map(([text, places]): [Buffer, number[]] => [Buffer.from(text, 'latin1'), places]),
      usual: 100,
      share: 0.5,
      holds: ([bytes, places]) => {
        const atOnce = readAll([bytes]);
        expect(readAll(inPieces(bytes, places))).toEqual(atOnce);
        if (bytes.length < 3_000) expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(atOnce);
      },
    });
    fuzzTime(framing, (text) => {
      const bytes = Buffer.from(text, 'latin1');
      readAll(
        Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, at) =>
          bytes.subarray(at * CHUNK, (at + 1) * CHUNK),
        ),
      );
    });
  });
}

function fuzzTime(row: Row, read: (text: string) => unknown): void {
  fuzz({
    what: 'takes time in proportion to what it reads',
    inputs: repeated(row),
    finds: row.slow ?? [],
    usual: 8,
    share: 0.5,
    holds: (input) => takesTimeInProportion(input, read),
  });
}

function never(): boolean {
  return false;
}

async function settled<Result>(
  read: () => Result | Promise<Result>,
  refuses: (error: unknown) => boolean,
): Promise<{ result: Result } | null> {
  try {
    return { result: await read() };
  } catch (error) {
    if (!refuses(error)) throw error;
    return null;
  }
}
