/**
 * The frames of the ACL2 Bridge in both directions: TYPE SP LEN NL CONTENT NL (ACL2's community book
 * centaur/bridge, topics MESSAGE and COMMAND). LEN counts bytes of UTF-8. Clients that count characters are
 * supported too; the position of the newline after the content distinguishes them.
 */

import type { Writable } from 'node:stream';

/** Maximum bytes of the content of a command. */
export const MAX_CONTENT_BYTES = 4 * 1024 * 1024;

export const MAX_HEADER_BYTES = 64;
const HEADER = /^([A-Z][A-Z0-9_]*) (\d+)$/;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Maximum bytes of a UTF-8 character. */
const MAX_CHARACTER_BYTES = 4;

/** A command of the client, or an error. */
export type Incoming =
  | { kind: 'command'; type: string; content: string }
  | { kind: 'invalid'; problem: string };

/** The connection started with something else than a command, as HTTP and TLS do. */
type Foreign = { kind: 'foreign' };

/** Encodes a message to a client. */
export function frame(type: string, content: string): Buffer {
  return Buffer.from(`${type} ${Buffer.byteLength(content)}\n${content}\n`);
}

interface Header {
  type: string;
  length: number;
  /** Offset of the first byte after the header, where the content begins. */
  end: number;
}

/** The result of a step and the bytes it consumed; null if more bytes are needed. */
type Step = { incoming: Incoming | Foreign; taken: number } | null;

/**
 * Reads commands from the bytes of one connection. After an invalid frame, all bytes received so far are
 * dropped.
 */
export class CommandReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** Number of bytes needed before the next step. */
  #needed = 1;
  /** Remaining bytes of a content that is too long. */
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

  /** Returns the bytes after the skipped content. */
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
    if (length > MAX_CONTENT_BYTES) {
      this.#skipping = length + 1;
      return { incoming: tooLong(length), taken: end };
    }
    const size = this.#sizeOf(bytes.subarray(end), length);
    if (size === null) return null;
    if (size === 'unframed') return this.#unframed(bytes, `no newline after ${length} bytes of content`);
    return { incoming: command(type, bytes.subarray(end, end + size)), taken: end + size + 1 };
  }

  #header(bytes: Buffer): Header | Step {
    const at = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(NEWLINE);
    if (at < 0 && bytes.length < MAX_HEADER_BYTES && this.#mayBegin(bytes)) {
      this.#needed = bytes.length + 1;
      return null;
    }
    const [, type, length] = HEADER.exec(bytes.toString('latin1', 0, Math.max(at, 0))) ?? [];
    if (type !== undefined) return { type, length: Number(length), end: at + 1 };
    if (!this.#begun) return { incoming: { kind: 'foreign' }, taken: bytes.length };
    return this.#unframed(bytes, 'no header such as LISP 7');
  }

  /**
   * Detects early that the first byte is not a capital letter, since such a client may be waiting for a
   * reply.
   */
  #mayBegin(bytes: Buffer): boolean {
    return this.#begun || /^[A-Z]/.test(bytes.toString('latin1', 0, 1));
  }

  #unframed(bytes: Buffer, problem: string): Step {
    return { incoming: { kind: 'invalid', problem: `There is ${problem}.` }, taken: bytes.length };
  }

  /** Returns the size in bytes of a content with the given LEN; null if more bytes are needed. */
  #sizeOf(rest: Buffer, length: number): number | 'unframed' | null {
    if (rest.length <= length) return this.#wait(length + 1 - rest.length);
    if (rest[length] === NEWLINE) return length;
    const { size, characters } = beginning(rest, length);
    const longest = length * MAX_CHARACTER_BYTES;
    // Otherwise a client that sends only parts of characters would never get a reply.
    if (size === length || size > longest) return 'unframed';
    if (size < rest.length) return rest[size] === NEWLINE ? size : 'unframed';
    return this.#wait(Math.min(length - characters, longest - size) + 1);
  }

  #wait(bytes: number): null {
    this.#needed = this.#size + bytes;
    return null;
  }
}

/** Measures the first `length` UTF-8 characters, or all if there are fewer. The last may be incomplete. */
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
  const problem = `The command has ${length} bytes; the maximum is ${MAX_CONTENT_BYTES}. Write it to a file in the project and LD that file.`;
  return { kind: 'invalid', problem };
}

function command(type: string, content: Buffer): Incoming {
  try {
    return { kind: 'command', type, content: new TextDecoder('utf-8', { fatal: true }).decode(content) };
  } catch {
    return { kind: 'invalid', problem: 'The command is not UTF-8 text.' };
  }
}

// Sends messages to one client of the ACL2 Bridge. A client that does not read misses output, and is sent the
// number of missed characters.

/** Maximum bytes queued for a client that does not read. Further output is counted and not sent. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;

export class MessageWriter {
  readonly #stream: Writable;
  #unsent = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Sends a message in any case. */
  send(type: string, content: string): void {
    this.#reportUnsent();
    this.#write(type, content);
  }

  /** Sends output of a command. */
  print(text: string): void {
    if (this.#stream.writableLength > MAX_BACKLOG_BYTES) this.#unsent += text.length;
    else this.send('STDOUT', text);
  }

  #reportUnsent(): void {
    if (this.#unsent === 0) return;
    this.#write('STDOUT', `\n… ${this.#unsent} characters were not sent: they were not read in time …\n`);
    this.#unsent = 0;
  }

  #write(type: string, content: string): void {
    if (this.#stream.writable) this.#stream.write(frame(type, content));
  }
}
