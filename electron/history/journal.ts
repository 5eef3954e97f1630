/**
 * The journal of the history: files to which records are appended before they are in the database. A record
 * is a line: the length of its text and the text's checksum, in hexadecimal, and the text, a JSON array of
 * writes. JSON has no line feed, so a reader finds the next record after a damaged one, and code that is
 * recorded cannot imitate one.
 *
 * Each harbor appends to files of its own. A file is removed when all of its records are in the database.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { makePrivateFolder } from '../host/data-folder';
import type { RowWrite } from './row-writes';

/** Bytes after which the next record begins a new file. */
const MAX_SEGMENT = 4 * 1024 * 1024;
/** Bytes that are read at once; a longer record is read alone. */
const BATCH = 256 * 1024;
/** A longer one is no record. */
const LONGEST_RECORD = 512 * 1024 * 1024;

/**
 * The end of the last record. Earlier segments are complete; later ones are being written by now, and must not be
 * read.
 */
export interface JournalEnd {
  segment: string;
  offset: number;
}

/** Returns the folder of the journal: `history-journal` next to `history.db`. */
export function journalFolder(history: string): string {
  const { dir, name } = path.parse(history);
  return path.join(dir, `${name}-journal`);
}

// Records.

/** `llllllll cccccccc ` before the text. */
const HEADER = 18;
const LINE_FEED = 0x0a;

/** Maximum bytes of a character of JavaScript in UTF-8. */
const BYTES_OF_CHARACTER = 3;
/** Most records fit, so that none allocates a buffer. It is written before the next one is encoded. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Returns the record, in memory that the next call uses again. */
function encode(writes: readonly RowWrite[]): Buffer {
  const text = JSON.stringify(writes);
  const most = HEADER + BYTES_OF_CHARACTER * text.length + 1;
  const buffer = most <= scratch.length ? scratch : Buffer.allocUnsafe(HEADER + Buffer.byteLength(text) + 1);
  const length = buffer.write(text, HEADER);
  const end = HEADER + length;
  writeHexadecimal(buffer, 0, length);
  writeHexadecimal(buffer, 9, crc32(buffer.subarray(HEADER, end)));
  buffer[end] = LINE_FEED;
  return buffer.subarray(0, end + 1);
}

const DIGITS_OF_HEX = Buffer.from('0123456789abcdef');
const SPACE = 0x20;

/** Writes eight digits and a space. */
function writeHexadecimal(buffer: Buffer, at: number, number: number): void {
  for (let digit = 0; digit < 8; digit += 1)
    buffer[at + digit] = DIGITS_OF_HEX[(number >>> (28 - 4 * digit)) & 15] ?? SPACE;
  buffer[at + 8] = SPACE;
}

/** Returns the size of the record that begins here, by its header; 0 if there is none. */
function sizeOfRecord(bytes: Buffer): number {
  const [, length] = /^([\da-f]{8}) [\da-f]{8} $/.exec(bytes.toString('latin1', 0, HEADER)) ?? [];
  const size = length === undefined ? 0 : HEADER + Number.parseInt(length, 16) + 1;
  return size <= LONGEST_RECORD ? size : 0;
}

/** Some records of a segment, and where to go on. */
export interface JournalPart {
  records: (readonly RowWrite[])[];
  next: number;
  /** Stretches of bytes that are no records. */
  damaged: number;
}

/**
 * Reads records from `from` on: some hundred kilobytes, or one record.
 * @param end the end of the segment as far as it is written
 */
export function readPart(descriptor: number, from: number, end: number): JournalPart {
  const part: JournalPart = { records: [], next: from, damaged: 0 };
  let isDamaged = false;
  let [start, bytes] = [from, readAt(descriptor, from, Math.min(BATCH, end - from))];
  while (part.next < end) {
    const rest = bytes.subarray(part.next - start);
    if (rest.length < Math.min(HEADER, end - part.next) && part.next > from) break;
    const size = sizeOfRecord(rest);
    if (size > rest.length && size <= end - part.next && rest.length > 0) {
      if (part.next > from) break;
      bytes = readAt(descriptor, start, size);
    }
    const at = part.next - start;
    const record = size > 0 && at + size <= bytes.length ? decode(bytes.subarray(at), size) : null;
    if (record !== null) {
      part.records.push(record);
      part.next += size;
      isDamaged = false;
      continue;
    }
    if (!isDamaged) part.damaged += 1;
    isDamaged = true;
    const lineEnd = rest.indexOf(LINE_FEED);
    part.next = lineEnd >= 0 ? part.next + lineEnd + 1 : rest.length > 0 ? part.next + rest.length : end;
  }
  return part;
}

function decode(record: Buffer, size: number): readonly RowWrite[] | null {
  const text = record.subarray(HEADER, size - 1);
  if (crc32(text) !== Number.parseInt(record.toString('latin1', 9, 17), 16)) return null;
  try {
    const writes: unknown = JSON.parse(text.toString());
    return isRecord(writes) ? writes : null;
  } catch {
    return null;
  }
}

/** The database rejects a write of another version. */
function isRecord(writes: unknown): writes is RowWrite[] {
  return Array.isArray(writes) && writes.every((write) => Array.isArray(write));
}

function readAt(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const more = readSync(descriptor, bytes, read, length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
}

// Segments: the files. Their names begin with a number that increases, so they are read in order.

const SEGMENT = /^0\d{12}-[\da-f]{16}$/;
const DIGITS = 13;
const MAX_NUMBER = 999_999_999_999;

/** Returns the names of the segments, oldest first. */
export function segmentsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => SEGMENT.test(name))
      .sort();
  } catch {
    return [];
  }
}

/**
 * Opens a segment and reads it.
 * @returns `gone` if there is no such file, `unreadable` if it is no file or the disk reports an error
 */
export function withSegment<T>(
  file: string,
  read: (descriptor: number, size: number) => T,
): { value: T } | 'gone' | 'unreadable' {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, flags);
    const found = fstatSync(descriptor);
    return found.isFile() ? { value: read(descriptor, found.size) } : 'unreadable';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : 'unreadable';
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Renames a segment so that it is not read again. Returns its new path; null if that is not possible. */
export function moveSegmentAside(file: string): string | null {
  const aside = path.join(path.dirname(file), `damaged-${path.basename(file)}`);
  try {
    renameSync(file, aside);
    return aside;
  } catch {
    return null;
  }
}

/** Removes a segment. If that fails, its position stays in the database, and its records do not come twice. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next start tries again.
  }
}

const numbered = (number: number): string => String(number).padStart(DIGITS, '0');

export class Journal {
  readonly folder: string;
  #active: { name: string; descriptor: number; size: number } | null = null;
  #number = 0;

  /** @param history the file of the database; the first record creates the folder */
  constructor(history: string) {
    this.folder = journalFolder(history);
  }

  get end(): JournalEnd {
    if (this.#active !== null) return { segment: this.#active.name, offset: this.#active.size };
    return { segment: numbered(this.#nextNumber()), offset: 0 };
  }

  /**
   * Appends the writes as one record, with one system call. It survives the end of this process.
   * @returns its size in bytes
   * @throws the error of the file system; the journal is then as before
   */
  append(writes: readonly RowWrite[]): number {
    const record = encode(writes);
    if (this.#active !== null && this.#active.size >= MAX_SEGMENT) this.close();
    this.#active ??= this.#begin();
    const { descriptor, size } = this.#active;
    try {
      for (let written = 0; written < record.length; )
        written += writeSync(descriptor, record, written, record.length - written, size + written);
    } catch (error) {
      this.#shorten(size);
      throw error;
    }
    this.#active.size += record.length;
    return record.length;
  }

  /** Removes the active segment, whose records are in the database. The next record begins another one. */
  clear(): void {
    const name = this.#active?.name;
    this.close();
    if (name !== undefined) removeIfPossible(path.join(this.folder, name));
  }

  /** Closes the active segment; its records stay. */
  close(): void {
    const active = this.#active;
    this.#active = null;
    if (active !== null) closeSync(active.descriptor);
  }

  #begin(): { name: string; descriptor: number; size: number } {
    makePrivateFolder(this.folder);
    this.#number = this.#nextNumber();
    if (this.#number > MAX_NUMBER) throw new Error('The journal has a file with the highest number.');
    // A name that no other harbor has.
    const name = `${numbered(this.#number)}-${randomBytes(8).toString('hex')}`;
    return { name, descriptor: openSync(path.join(this.folder, name), 'wx', 0o600), size: 0 };
  }

  /** Above all numbers so far, so that a reader never takes a new segment for an earlier one. */
  #nextNumber(): number {
    return Math.max(this.#number, Number.parseInt(segmentsIn(this.folder).at(-1) ?? '0', 10)) + 1;
  }

  /** Takes back an incomplete record. */
  #shorten(size: number): void {
    try {
      if (this.#active !== null) ftruncateSync(this.#active.descriptor, size);
    } catch {
      this.close();
    }
  }
}
