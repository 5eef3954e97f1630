/**
 * Parser of telnet input (RFC 854): lines of text with commands in between. Each option is refused once when
 * requested, so the connection remains a network virtual terminal, whose client edits and echoes the line.
 * Pure.
 */

/** Events in order of arrival. `reply` must be sent unchanged. */
export type TelnetEvent =
  | { kind: 'line'; text: string }
  /** A line of more than `longest` bytes, dropped because a part of it would be different code. */
  | { kind: 'dropped'; longest: number }
  | { kind: 'interrupt' }
  | { kind: 'end' }
  | { kind: 'reply'; bytes: Buffer };

/** Maximum bytes of a line; a longer one is dropped. */
const MAX_LINE_LENGTH = 1024 * 1024;

const IAC = 255;
/** Commands without an option. All bytes from `EOF` on are commands. */
const EOF = 236;
const ABORT = 238;
const SE = 240;
const BREAK = 243;
const INTERRUPT = 244;
const ARE_YOU_THERE = 246;
const SB = 250;
/** Negotiation: an option follows. */
const WILL = 251;
const WONT = 252;
const DO = 253;
const DONT = 254;

const NUL = 0;
const CONTROL_C = 3;
const CONTROL_D = 4;
const LF = 10;
const CR = 13;

/** How the next byte is interpreted. `negotiation` has the command before the option. */
type State =
  | 'text'
  | 'after CR'
  | 'command'
  | { negotiation: number }
  | 'parameters'
  | 'command in parameters';

export class TelnetReader {
  readonly #longest: number;
  #state: State = 'text';
  #line: number[] = [];
  #tooLong = false;

  /** @param longest maximum bytes of a line without its end */
  constructor(longest = MAX_LINE_LENGTH) {
    this.#longest = longest;
  }

  /** Parses bytes, which may be split anywhere. */
  *read(bytes: Uint8Array): Generator<TelnetEvent> {
    for (const byte of bytes) yield* this.#take(byte);
  }

  *#take(byte: number): Generator<TelnetEvent> {
    const state = this.#state;
    if (typeof state === 'object') {
      this.#state = 'text';
      yield* refusal(state.negotiation, byte);
    } else if (state === 'command') {
      yield* this.#command(byte);
    } else if (state === 'parameters') {
      if (byte === IAC) this.#state = 'command in parameters';
    } else if (state === 'command in parameters') {
      this.#state = byte === SE ? 'text' : 'parameters';
    } else {
      yield* this.#text(byte);
    }
  }

  *#text(byte: number): Generator<TelnetEvent> {
    const afterCr = this.#state === 'after CR';
    this.#state = 'text';
    // A line ends with CR LF. CR NUL is the Return key of clients that send each key.
    if (afterCr && (byte === LF || byte === NUL)) return;
    if (byte === IAC) this.#state = 'command';
    else if (byte === CR) this.#state = 'after CR';
    if (byte === CR || byte === LF) yield* this.#whole();
    else if (byte === CONTROL_C) yield* this.#interrupt();
    else if (byte === CONTROL_D && this.#line.length === 0) yield { kind: 'end' };
    else if (byte !== IAC) this.#keep(byte);
  }

  *#command(byte: number): Generator<TelnetEvent> {
    this.#state = 'text';
    if (byte === SB) this.#state = 'parameters';
    else if (byte >= WILL && byte <= DONT) this.#state = { negotiation: byte };
    else if (byte === INTERRUPT || byte === BREAK || byte === ABORT) yield* this.#interrupt();
    else if (byte === EOF) yield { kind: 'end' };
    else if (byte === ARE_YOU_THERE) yield { kind: 'reply', bytes: Buffer.from('\r\n[Lisp Harbor]\r\n') };
    // No command: the mark after an interrupt is urgent data, which the system removes from the stream.
    else if (byte < EOF) yield* this.#text(byte);
  }

  /** Discards the current line as well. */
  *#interrupt(): Generator<TelnetEvent> {
    this.#begin();
    yield { kind: 'interrupt' };
  }

  #keep(byte: number): void {
    if (this.#line.length < this.#longest) this.#line.push(byte);
    else this.#tooLong = true;
  }

  *#whole(): Generator<TelnetEvent> {
    if (this.#tooLong) yield { kind: 'dropped', longest: this.#longest };
    else yield { kind: 'line', text: Buffer.from(this.#line).toString('utf8') };
    this.#begin();
  }

  #begin(): void {
    this.#line = [];
    this.#tooLong = false;
  }
}

/** Refuses a requested option. A refusal by the other side changes nothing and is not answered (RFC 1143). */
function* refusal(command: number, option: number): Generator<TelnetEvent> {
  if (command === DO) yield { kind: 'reply', bytes: Buffer.of(IAC, WONT, option) };
  if (command === WILL) yield { kind: 'reply', bytes: Buffer.of(IAC, DONT, option) };
}
