/**
 * The frames of the ACL2 Bridge, both ways: TYPE SP LEN NL CONTENT NL (ACL2's community book centaur/bridge, topics
 * MESSAGE and COMMAND). LEN counts bytes of UTF-8. Clients that count characters are understood too: the newline behind
 * the content says which it is.
 */

/** Bytes of the longest content of a command. */
export const LONGEST_CONTENT = 4 * 1024 * 1024;

export const LONGEST_HEADER = 64;
const HEADER = /^([A-Z][A-Z0-9_]*) (\d+)$/;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Bytes of the longest character of UTF-8. */
const LONGEST_CHARACTER = 4;

/** What a client has sent, or why that is no command. */
export type Incoming =
  | { kind: 'command'; type: string; content: string }
  | { kind: 'invalid'; problem: string };

/** The connection began with something else than a command, as HTTP and TLS do. */
export type Foreign = { kind: 'foreign' };

/** A message to a client. */
export function frame(type: string, content: string): Buffer {
  return Buffer.from(`${type} ${Buffer.byteLength(content)}\n${content}\n`);
}

interface Header {
  type: string;
  length: number;
  /** Where the content begins. */
  end: number;
}

/** What a step has found, and how many bytes of what is there belong to it; null when more has to come first. */
type Step = { incoming: Incoming | Foreign; taken: number } | null;

/** Reads commands from the bytes of one connection. After what is no frame, all that is there by then is dropped. */
export class CommandReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** Nothing can be found before this many bytes are there. */
  #needed = 1;
  /** Bytes still to come of a content that is too long. */
  #skipping = 0;
  #begun = false;

  read(chunk: Buffer): (Incoming | Foreign)[] {
    const found: (Incoming | Foreign)[] = [];
    this.#keep(this.#skip(chunk));
    while (this.#size >= this.#needed) {
      const [first = NOTHING, ...others] = this.#pieces;
      const bytes = others.length === 0 ? first : Buffer.concat(this.#pieces);
      const step = this.#step(bytes);
      if (step === null) {
        this.#pieces = [bytes];
        return found;
      }
      found.push(step.incoming);
      this.#pieces = [];
      this.#size = 0;
      this.#needed = 1;
      this.#keep(this.#skip(bytes.subarray(step.taken)));
    }
    return found;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  /** What follows the content that is skipped. */
  #skip(bytes: Buffer): Buffer {
    const skipped = Math.min(this.#skipping, bytes.length);
    this.#skipping -= skipped;
    return bytes.subarray(skipped);
  }

  #step(bytes: Buffer): Step {
    const header = this.#header(bytes);
    if (header === null) return null;
    if ('incoming' in header) return header;
    this.#begun = true;
    const { type, length, end } = header;
    if (length > LONGEST_CONTENT) {
      this.#skipping = length + 1;
      return { incoming: tooLong(length), taken: end };
    }
    const size = this.#sizeOf(bytes.subarray(end), length);
    if (size === null) return null;
    if (size === 'unframed') return this.#unframed(bytes, `no newline after ${length} bytes of content`);
    return { incoming: command(type, bytes.subarray(end, end + size)), taken: end + size + 1 };
  }

  #header(bytes: Buffer): Header | Step {
    const at = bytes.subarray(0, LONGEST_HEADER).indexOf(NEWLINE);
    if (at < 0 && bytes.length < LONGEST_HEADER && this.#mayBegin(bytes)) {
      this.#needed = bytes.length + 1;
      return null;
    }
    const [, type, length] = HEADER.exec(bytes.toString('latin1', 0, Math.max(at, 0))) ?? [];
    if (type !== undefined) return { type, length: Number(length), end: at + 1 };
    if (!this.#begun) return { incoming: { kind: 'foreign' }, taken: bytes.length };
    return this.#unframed(bytes, 'no header such as LISP 7');
  }

  /** What is no capital letter is known at once, which a visitor who waits for an answer does not. */
  #mayBegin(bytes: Buffer): boolean {
    return this.#begun || /^[A-Z]/.test(bytes.toString('latin1', 0, 1));
  }

  #unframed(bytes: Buffer, problem: string): Step {
    return { incoming: { kind: 'invalid', problem: `There is ${problem}.` }, taken: bytes.length };
  }

  /** Bytes of a content whose length was told as `length`; null when more has to come first. */
  #sizeOf(rest: Buffer, length: number): number | 'unframed' | null {
    if (rest.length <= length) return this.#wait(length + 1 - rest.length);
    if (rest[length] === NEWLINE) return length;
    const { size, characters } = beginning(rest, length);
    const longest = length * LONGEST_CHARACTER;
    // Whoever sends nothing but parts of characters would be waited for without end.
    if (size === length || size > longest) return 'unframed';
    if (size < rest.length) return rest[size] === NEWLINE ? size : 'unframed';
    return this.#wait(Math.min(length - characters, longest - size) + 1);
  }

  #wait(bytes: number): null {
    this.#needed = this.#size + bytes;
    return null;
  }
}

/** The first characters of UTF-8, `length` at most, in bytes; the last one may be there in part. */
function beginning(bytes: Buffer, length: number): { size: number; characters: number } {
  let characters = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (((bytes[at] ?? 0) & 0xc0) === 0x80) continue;
    if (characters === length) return { size: at, characters };
    characters += 1;
  }
  return { size: bytes.length, characters };
}

function tooLong(length: number): Incoming {
  const problem = `The command has ${length} bytes, and ${LONGEST_CONTENT} at most are taken. Write it to a file in the project and LD that.`;
  return { kind: 'invalid', problem };
}

function command(type: string, content: Buffer): Incoming {
  try {
    return { kind: 'command', type, content: new TextDecoder('utf-8', { fatal: true }).decode(content) };
  } catch {
    return { kind: 'invalid', problem: 'The command is not UTF-8 text.' };
  }
}
