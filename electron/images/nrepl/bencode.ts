/**
 * Bencode (BEP 3), the framing of nREPL. Byte strings are UTF-8 text here, as nREPL sends nothing else. The
 * decoder looks at each byte once, however the input is cut into chunks.
 */
import { Buffer } from 'node:buffer';
import { GatheredBytes } from '../../host/gathered-bytes';

export type BencodeValue = string | number | bigint | BencodeValue[] | { [key: string]: BencodeValue };

/** Input that is no bencode, or more of it than the limits allow. A decoder that threw it is of no further use. */
export class BencodeError extends Error {
  override readonly name = 'BencodeError';
}

/**
 * What the length of a string counts. The format says bytes; nbb (1.6) counts UTF-16 units in what it reads,
 * and waits for ever for the rest when it is told bytes.
 */
export type LengthUnit = 'bytes' | 'utf16';

/** `value` as text to be sent as UTF-8; keys of dictionaries in the order of their bytes, as the format wants. */
export function encode(value: BencodeValue, unit: LengthUnit = 'bytes'): string {
  if (typeof value === 'string') {
    return `${unit === 'bytes' ? Buffer.byteLength(value) : value.length}:${value}`;
  }
  if (typeof value === 'bigint') return `i${value}e`;
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new BencodeError(`${value} is no integer that bencode can carry`);
    return `i${value}e`;
  }
  if (Array.isArray(value)) return `l${value.map((item) => encode(item, unit)).join('')}e`;
  const entries = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `d${entries.map(([key, item]) => encode(key, unit) + encode(item, unit)).join('')}e`;
}

export interface DecoderLimits {
  /** Bytes of one top-level value. */
  bytes: number;
  /** Lists and dictionaries inside each other. */
  depth: number;
  /** Strings, integers, lists and dictionaries of one top-level value. */
  values: number;
}

const LIMITS: DecoderLimits = { bytes: 64 * 1024 * 1024, depth: 100, values: 200_000 };

/** Turning digits into a bigint costs the square of their count. */
const LONGEST_INTEGER = 4096;

const INTEGER = /^(0|-?[1-9]\d*)$/;
const LENGTH = /^(0|[1-9]\d*)$/;
const BYTE = { colon: 0x3a, dictionary: 0x64, end: 0x65, integer: 0x69, list: 0x6c, zero: 0x30, nine: 0x39 };

/** A list or a dictionary that is not closed yet; a dictionary's items are keys and values in turn. */
interface Container {
  kind: 'list' | 'dictionary';
  items: BencodeValue[];
}

/** What is being read right now: between values, the digits of an integer or a length, or a string's bytes. */
type Token =
  | { kind: 'none' }
  | { kind: 'integer' | 'length'; digits: string }
  | { kind: 'text'; parts: GatheredBytes; missing: number };

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

  /** The values that `chunk` completes. @throws BencodeError */
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
    else throw new BencodeError(`byte 0x${byte.toString(16).padStart(2, '0')} begins no value`);
  }

  #integer(byte: number, digits: string): void {
    if (byte !== BYTE.end) {
      if (digits.length >= LONGEST_INTEGER) throw new BencodeError('an integer is too long');
      this.#token = { kind: 'integer', digits: digits + String.fromCharCode(byte) };
      return;
    }
    if (!INTEGER.test(digits)) throw new BencodeError(`"${digits.slice(0, 20)}" is no integer`);
    const number = Number(digits);
    this.#value(Number.isSafeInteger(number) ? number : BigInt(digits));
  }

  #length(byte: number, digits: string): void {
    if (byte !== BYTE.colon) {
      const more = digits + String.fromCharCode(byte);
      if (!LENGTH.test(more)) throw new BencodeError(`"${more.slice(0, 20)}" is no length of a string`);
      if (Number(more) > this.#limits.bytes) throw this.#tooLarge();
      this.#token = { kind: 'length', digits: more };
      return;
    }
    const missing = Number(digits);
    if (missing === 0) this.#value('');
    else this.#token = { kind: 'text', parts: new GatheredBytes(), missing };
  }

  /** Answers how many bytes of the chunk belong to the string. */
  #text(chunk: Buffer, at: number): number {
    const token = this.#token;
    if (token.kind !== 'text') return 0;
    const part = chunk.subarray(at, at + token.missing);
    this.#count(part.length);
    token.parts.add(part);
    token.missing -= part.length;
    // Decoded when complete, so that a character which was cut in two is whole again.
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
    if (!container) throw new BencodeError('an end without a beginning');
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

/** Own properties only: a key such as `__proto__` is a key like any other. */
function dictionary(items: BencodeValue[]): { [key: string]: BencodeValue } {
  const entries: [string, BencodeValue][] = [];
  for (let at = 0; at + 1 < items.length; at += 2) entries.push([String(items[at]), items[at + 1] ?? '']);
  return Object.fromEntries(entries);
}
