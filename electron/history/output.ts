/**
 * The output of evaluations. Small pieces are written in few transactions. For each evaluation the first and
 * last 2 Mi characters are stored and the characters between are counted. `sequence` of a chunk is its offset
 * in all printed output, so offsets stay valid when the middle is dropped. Output that cannot be written is
 * queued and is read as if it were written.
 */

import type { Database } from 'better-sqlite3';
import type { Stream } from '../contract/model';
import { whyUnwritable } from './database';
import { beginning, ending, pieces } from './long-text';
import type { Writer } from './writer';

const BATCH = 256 * 1024;
const BATCH_MS = 100;

export interface OutputPage {
  /** Standard output and error in order. */
  text: string;
  /** Dropped characters between the requested offset and the beginning of `text`. */
  skipped: number;
  /** The offset of the next page. */
  next: number;
  /** Whether there is more now. */
  more: boolean;
}

interface Chunk {
  sequence: number;
  stream: Stream;
  characters: number;
  text: string;
}

export class Output {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #inOneTransaction: () => void;
  readonly #unwritten = new UnwrittenOutput();
  #timer: NodeJS.Timeout | null = null;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#inOneTransaction = writer.database.transaction(() => {
      for (const evaluation of this.#unwritten.evaluations) this.#write(evaluation);
    });
    writer.addBacklog(() => this.#writeAll());
  }

  /**
   * Adds output. Never throws: output without room is counted as dropped.
   * @param dropped counts the lost characters right before `text`
   */
  append(evaluation: number, stream: Stream, text: string, dropped = 0): void {
    let gap = dropped;
    for (const piece of pieces(text, BATCH)) {
      this.#unwritten.add(evaluation, { stream, text: piece, dropped: gap });
      gap = 0;
      if (this.#unwritten.size >= BATCH) this.flush();
    }
    if (this.#writer.waiting === null) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  /**
   * Writes queued output in one transaction.
   * @returns false if that is not possible now
   */
  flush(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#unwritten.isEmpty || this.#writer.attempt(() => this.#writeAll());
  }

  /** Drops the output of an evaluation whose row was dropped. */
  forget(evaluation: number): void {
    this.#unwritten.forget(evaluation);
  }

  /** The number of dropped characters. */
  dropped(evaluation: number): number {
    return (this.#statements.dropped.get(evaluation) ?? 0) + this.#unwritten.dropped(evaluation);
  }

  /**
   * Returns a page of output.
   * @param offset counts all printed characters, including dropped ones
   * @param limit characters, at least 2; a page also ends where the middle was dropped
   */
  page(evaluation: number, offset: number, limit: number): OutputPage {
    this.flush();
    const page: OutputPage = { text: '', skipped: 0, next: offset, more: false };
    for (const chunk of this.#chunks(evaluation, offset)) {
      const start = Math.max(offset, chunk.sequence);
      const beyondGap = page.text !== '' && start > page.next;
      const rest = chunk.text.slice(start - chunk.sequence);
      const taken = beyondGap ? '' : beginning(rest, limit - page.text.length);
      page.more = taken.length < rest.length;
      if (taken === '') break;
      if (page.text === '') page.skipped = start - offset;
      page.text += taken;
      page.next = start + taken.length;
      if (page.more) break;
    }
    return page;
  }

  /** Returns the last `limit` characters of both streams, in order. No surrogate pair is split. */
  end(evaluation: number, limit: number): Pick<Chunk, 'stream' | 'text'>[] {
    this.flush();
    const last = this.#statements.last.get(evaluation);
    const ends: Pick<Chunk, 'stream' | 'text'>[] = [];
    let surplus = -limit;
    for (const { stream, text } of this.#chunks(evaluation, last ? Math.max(0, endOf(last) - limit) : 0)) {
      ends.push({ stream, text });
      surplus += text.length;
    }
    for (let first = ends[0]; first && surplus > 0; first = ends[0]) {
      const { length } = first.text;
      if (length > surplus) first.text = ending(first.text, length - surplus);
      else ends.shift();
      surplus -= length;
    }
    return ends;
  }

  /** Returns the stored text of a stream; stdout includes the input that code read. */
  whole(evaluation: number, stream: 'stdout' | 'stderr'): string {
    this.flush();
    const written = this.#statements.texts.all(evaluation, stream).join('');
    return written + this.#unwritten.whole(evaluation, stream);
  }

  /** Yields the chunks from an offset on, in order. The statement closes when the caller leaves its loop. */
  *#chunks(evaluation: number, offset: number): Generator<Chunk> {
    yield* this.#statements.from.iterate(evaluation, offset - CHUNK, offset);
    if (this.#unwritten.isEmpty) return;
    const last = this.#statements.last.get(evaluation);
    for (const chunk of this.#unwritten.chunks(evaluation, last ? endOf(last) : 0))
      if (endOf(chunk) > offset) yield chunk;
  }

  #writeAll(): void {
    try {
      this.#inOneTransaction();
      this.#unwritten.clear();
    } catch (error) {
      if (whyUnwritable(error) !== null) throw error;
      // An internal error; it must not end the evaluation.
      this.#unwritten.giveUp();
    }
  }

  #write(evaluation: number): void {
    const { last: lastChunk, write, drop, count } = this.#statements;
    let last = lastChunk.get(evaluation) ?? { sequence: 0, stream: 'stdout', characters: 0 };
    let removed = this.#unwritten.lost(evaluation);
    for (const { stream, text, dropped } of this.#unwritten.printed(evaluation)) {
      if (dropped > 0) last = { stream, sequence: endOf(last) + dropped, characters: 0 };
      removed += dropped;
      const room = last.stream === stream ? CHUNK - last.characters : 0;
      for (const piece of fill(text, room)) {
        const sequence = piece.joins ? last.sequence : endOf(last);
        write.run(evaluation, sequence, stream, piece.text.length, piece.text);
        last = { sequence, stream, characters: (piece.joins ? last.characters : 0) + piece.text.length };
      }
    }
    const retainedFrom = endOf(last) - RETAINED_AT_EACH_END;
    for (const { characters } of drop.all(evaluation, RETAINED_AT_EACH_END, retainedFrom, retainedFrom))
      removed += characters;
    if (removed > 0) count.run(removed, evaluation);
  }
}

function endOf({ sequence, characters }: Pick<Chunk, 'sequence' | 'characters'>): number {
  return sequence + characters;
}

/** Splits text into chunks: first a piece that fits the last chunk's `room`, then new chunks. */
function* fill(text: string, room: number): Generator<{ text: string; joins: boolean }> {
  const joined = room < 2 ? '' : beginning(text, room);
  if (joined !== '') yield { text: joined, joins: true };
  for (const piece of pieces(text.slice(joined.length), CHUNK)) yield { text: piece, joins: false };
}

function prepare(database: Database) {
  return {
    last: database.prepare<[number], Omit<Chunk, 'text'>>(
      'select sequence, stream, characters from output where evaluation = ? order by sequence desc limit 1',
    ),
    write: database.prepare<[number, number, Stream, number, string]>(
      `insert into output (evaluation, sequence, stream, characters, text) values (?, ?, ?, ?, ?)
       on conflict do update set characters = characters + excluded.characters, text = text || excluded.text`,
    ),
    drop: database.prepare<[number, number, number, number], Pick<Chunk, 'characters'>>(
      `delete from output where evaluation = ? and sequence >= ? and sequence < ? and sequence + characters <= ?
       returning characters`,
    ),
    dropped: database
      .prepare<[number], number>('select output_dropped from evaluations where id = ?')
      .pluck(),
    count: database.prepare<[number, number]>(
      'update evaluations set output_dropped = output_dropped + ? where id = ?',
    ),
    from: database.prepare<[number, number, number], Chunk>(
      `select sequence, stream, characters, text from output
       where evaluation = ? and sequence > ? and sequence + characters > ? order by sequence`,
    ),
    texts: database
      .prepare<[number, Stream], string>(
        `select text from output where evaluation = ? and iif(stream = 'input', 'stdout', stream) = ? order by sequence`,
      )
      .pluck(),
  };
}

// Output that is not in the database: usually for a moment, and as long as the database cannot be written.
// The middle is dropped here too.

/** Characters stored at each end of an evaluation's output, plus at most one chunk. */
export const RETAINED_AT_EACH_END = 2 * 1024 * 1024;
const CHUNK = 16 * 1024;
/** Maximum queued characters of all evaluations; more are counted as dropped. */
const MOST = 16 * 1024 * 1024;

/** Text with the number of lost characters right before it. */
interface Printed {
  stream: Stream;
  text: string;
  dropped: number;
}

interface Unwritten {
  printed: Printed[];
  /** In characters. */
  length: number;
  /** The number of pieces that make up the beginning, once that is long enough. */
  head: number | null;
  /** Dropped characters after the last piece. */
  lost: number;
}

class UnwrittenOutput {
  readonly #of = new Map<number, Unwritten>();
  readonly #forgotten = new Set<number>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#of.size === 0;
  }

  /** In characters. */
  get size(): number {
    return this.#size;
  }

  get evaluations(): Iterable<number> {
    return this.#of.keys();
  }

  add(evaluation: number, { stream, text, dropped }: Printed): void {
    if (this.#forgotten.has(evaluation)) return;
    const unwritten = this.#of.get(evaluation) ?? { printed: [], length: 0, head: null, lost: 0 };
    this.#of.set(evaluation, unwritten);
    if (this.#size + text.length > MOST) {
      unwritten.lost += dropped + text.length;
      return;
    }
    const gap = dropped + unwritten.lost;
    unwritten.lost = 0;
    const last = unwritten.printed.at(-1);
    if (last?.stream === stream && gap === 0 && last.text.length < CHUNK) last.text += text;
    else unwritten.printed.push({ stream, text, dropped: gap });
    unwritten.length += text.length;
    this.#size += text.length;
    this.#dropMiddle(unwritten);
  }

  /** Everything has been written. */
  clear(): void {
    this.#of.clear();
    this.#size = 0;
  }

  /** Nothing can be written; counts everything as dropped. */
  giveUp(): void {
    for (const unwritten of this.#of.values()) {
      unwritten.lost += unwritten.printed.reduce((sum, { text, dropped }) => sum + text.length + dropped, 0);
      Object.assign(unwritten, { printed: [], length: 0, head: null });
    }
    this.#size = 0;
  }

  /** Drops the output of the evaluation, now and in the future. */
  forget(evaluation: number): void {
    this.#size -= this.#of.get(evaluation)?.length ?? 0;
    this.#of.delete(evaluation);
    this.#forgotten.add(evaluation);
  }

  printed(evaluation: number): readonly Printed[] {
    return this.#of.get(evaluation)?.printed ?? [];
  }

  /** Characters dropped after the queued ones. */
  lost(evaluation: number): number {
    return this.#of.get(evaluation)?.lost ?? 0;
  }

  /** All dropped characters. */
  dropped(evaluation: number): number {
    return this.printed(evaluation).reduce((sum, { dropped }) => sum + dropped, this.lost(evaluation));
  }

  whole(evaluation: number, whole: 'stdout' | 'stderr'): string {
    return this.printed(evaluation)
      .filter(({ stream }) => (stream === 'input' ? 'stdout' : stream) === whole)
      .map(({ text }) => text)
      .join('');
  }

  /** @param end the end offset of the written output */
  *chunks(evaluation: number, end: number): Generator<Chunk> {
    let sequence = end;
    for (const { stream, text, dropped } of this.printed(evaluation)) {
      sequence += dropped;
      yield { sequence, stream, characters: text.length, text };
      sequence += text.length;
    }
  }

  /** Drops pieces as long as both ends remain complete. */
  #dropMiddle(unwritten: Unwritten): void {
    if (unwritten.length < 2 * RETAINED_AT_EACH_END) return;
    const { printed } = unwritten;
    unwritten.head ??= headOf(printed);
    for (;;) {
      const removed = printed[unwritten.head];
      const next = printed[unwritten.head + 1];
      if (!removed || !next || unwritten.length - removed.text.length < 2 * RETAINED_AT_EACH_END) return;
      printed.splice(unwritten.head, 1);
      next.dropped += removed.dropped + removed.text.length;
      unwritten.length -= removed.text.length;
      this.#size -= removed.text.length;
    }
  }
}

/** Returns the number of pieces that make up the beginning. */
function headOf(printed: readonly Printed[]): number {
  let length = 0;
  const index = printed.findIndex(({ text }) => {
    length += text.length;
    return length >= RETAINED_AT_EACH_END;
  });
  return index + 1;
}
