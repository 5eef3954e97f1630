/**
 * Bencode (BEP 3), the framing of nREPL. Byte strings are treated as UTF-8 text, because nREPL sends nothing
 * else. The decoder looks at each byte once, however the input is split into chunks.
 */
import { Buffer } from 'node:buffer';
import { ByteAccumulator } from './line-reader';

export type BencodeValue = string | number | bigint | BencodeValue[] | { [key: string]: BencodeValue };

/** A message of nREPL. */
export type BencodeDictionary = Readonly<Record<string, BencodeValue>>;

/** Returns the status words of a message. Some servers send a single one without a list. */
export function statusOf({ status }: BencodeDictionary): string[] {
  const words = Array.isArray(status) ? status : [status];
  return words.filter((word) => typeof word === 'string');
}

/** Returns a string field of a message; undefined if it is missing or not a string. */
export function textOf(message: BencodeDictionary, key: string): string | undefined {
  const value = message[key];
  return typeof value === 'string' ? value : undefined;
}

/** Input that is not valid bencode or exceeds the limits. A decoder that threw it cannot be used any more. */
export class BencodeError extends Error {
  override readonly name = 'BencodeError';
}

/**
 * The unit of string lengths. The format says bytes; nbb (1.6) counts UTF-16 units in its input and would
 * wait forever for the rest.
 */
export type LengthUnit = 'bytes' | 'utf16';

/** Encodes `value` as text to be sent as UTF-8, with dictionary keys in byte order as the format requires. */
export function encode(value: BencodeValue, unit: LengthUnit = 'bytes'): string {
  if (typeof value === 'string') {
    return `${unit === 'bytes' ? Buffer.byteLength(value) : value.length}:${value}`;
  }
  if (typeof value === 'bigint') return `i${value}e`;
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new BencodeError(`${value} is not an integer that bencode can encode`);
    return `i${value}e`;
  }
  if (Array.isArray(value)) return `l${value.map((item) => encode(item, unit)).join('')}e`;
  const entries = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `d${entries.map(([key, item]) => encode(key, unit) + encode(item, unit)).join('')}e`;
}

export interface DecoderLimits {
  /** Maximum bytes of one top-level value. */
  bytes: number;
  /** Maximum nesting of lists and dictionaries. */
  depth: number;
  /** Maximum number of strings, integers, lists and dictionaries in one top-level value. */
  values: number;
}

const LIMITS: DecoderLimits = { bytes: 64 * 1024 * 1024, depth: 100, values: 200_000 };

/** Parsing a bigint takes quadratic time in its digits. */
const LONGEST_INTEGER = 4096;

const INTEGER = /^(0|-?[1-9]\d*)$/;
const LENGTH = /^(0|[1-9]\d*)$/;
const BYTE = { colon: 0x3a, dictionary: 0x64, end: 0x65, integer: 0x69, list: 0x6c, zero: 0x30, nine: 0x39 };

/** A list or dictionary that is still open; a dictionary's items alternate between keys and values. */
interface Container {
  kind: 'list' | 'dictionary';
  items: BencodeValue[];
}

/**
 * The token being read: none between values, the digits of an integer or a length, or the bytes of a string.
 */
type Token =
  | { kind: 'none' }
  | { kind: 'integer' | 'length'; digits: string }
  | { kind: 'text'; parts: ByteAccumulator; missing: number };

/** Decodes a stream of top-level values. */
export class BencodeDecoder {
  readonly #limits: DecoderLimits;
  readonly #open: Container[] = [];
  #token: Token = { kind: 'none' };
  #bytes = 0;
  #values = 0;
  /** A top-level value whose last byte was just read. */
  #whole: { value: BencodeValue } | null = null;

  constructor(limits: Partial<DecoderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Yields the values that `chunk` completes. @throws BencodeError */
  *read(chunk: Buffer): Generator<BencodeValue> {
    let at = 0;
    while (at < chunk.length) {
      at += this.#token.kind === 'text' ? this.#text(chunk, at) : this.#byte(chunk[at] ?? 0);
      if (this.#whole === null) continue;
      const { value } = this.#whole;
      this.#whole = null;
      yield value;
    }
  }

  #byte(byte: number): number {
    this.#count(1);
    if (this.#token.kind === 'integer') this.#integer(byte, this.#token.digits);
    else if (this.#token.kind === 'length') this.#length(byte, this.#token.digits);
    else this.#begin(byte);
    return 1;
  }

  #begin(byte: number): void {
    if (byte === BYTE.end) this.#close();
    else if (byte >= BYTE.zero && byte <= BYTE.nine) {
      this.#token = { kind: 'length', digits: String.fromCharCode(byte) };
    } else if (this.#wantsKey()) {
      throw new BencodeError('the key of a dictionary is not a string');
    } else if (byte === BYTE.integer) this.#token = { kind: 'integer', digits: '' };
    else if (byte === BYTE.list) this.#enter('list');
    else if (byte === BYTE.dictionary) this.#enter('dictionary');
    else throw new BencodeError(`byte 0x${byte.toString(16).padStart(2, '0')} does not begin a value`);
  }

  #integer(byte: number, digits: string): void {
    if (byte !== BYTE.end) {
      if (digits.length >= LONGEST_INTEGER) throw new BencodeError('an integer is too long');
      this.#token = { kind: 'integer', digits: digits + String.fromCharCode(byte) };
      return;
    }
    if (!INTEGER.test(digits)) throw new BencodeError(`"${digits.slice(0, 20)}" is not an integer`);
    const number = Number(digits);
    this.#value(Number.isSafeInteger(number) ? number : BigInt(digits));
  }

  #length(byte: number, digits: string): void {
    if (byte !== BYTE.colon) {
      const more = digits + String.fromCharCode(byte);
      if (!LENGTH.test(more)) throw new BencodeError(`"${more.slice(0, 20)}" is not a string length`);
      if (Number(more) > this.#limits.bytes) throw this.#tooLarge();
      this.#token = { kind: 'length', digits: more };
      return;
    }
    const missing = Number(digits);
    if (missing === 0) this.#value('');
    else this.#token = { kind: 'text', parts: new ByteAccumulator(), missing };
  }

  /** Returns the number of bytes of the chunk that belong to the string. */
  #text(chunk: Buffer, at: number): number {
    const token = this.#token;
    if (token.kind !== 'text') return 0;
    const part = chunk.subarray(at, at + token.missing);
    this.#count(part.length);
    token.parts.add(part);
    token.missing -= part.length;
    // Decoded when complete, because a character may be split across chunks.
    if (token.missing === 0) this.#value(token.parts.take().toString('utf8'));
    return part.length;
  }

  #wantsKey(): boolean {
    const container = this.#open.at(-1);
    return container?.kind === 'dictionary' && container.items.length % 2 === 0;
  }

  #enter(kind: Container['kind']): void {
    if (this.#open.length >= this.#limits.depth) throw new BencodeError('values are nested too deeply');
    this.#open.push({ kind, items: [] });
  }

  #close(): void {
    const container = this.#open.pop();
    if (!container) throw new BencodeError('an end marker without an open list or dictionary');
    const { kind, items } = container;
    if (kind === 'dictionary' && items.length % 2 === 1) {
      throw new BencodeError('a dictionary ends after a key');
    }
    this.#value(kind === 'list' ? items : dictionary(items));
  }

  #value(value: BencodeValue): void {
    this.#token = { kind: 'none' };
    this.#values += 1;
    if (this.#values > this.#limits.values) throw new BencodeError('a message has too many values');
    const container = this.#open.at(-1);
    if (container) {
      container.items.push(value);
      return;
    }
    this.#bytes = 0;
    this.#values = 0;
    this.#whole = { value };
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw this.#tooLarge();
  }

  #tooLarge(): BencodeError {
    return new BencodeError(`a message is larger than ${this.#limits.bytes} bytes`);
  }
}

/** Creates own properties only, also for a key such as `__proto__`. */
function dictionary(items: BencodeValue[]): { [key: string]: BencodeValue } {
  const entries: [string, BencodeValue][] = [];
  for (let at = 0; at + 1 < items.length; at += 2) entries.push([String(items[at]), items[at + 1] ?? '']);
  return Object.fromEntries(entries);
}
