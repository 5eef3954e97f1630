/**
 * What evaluations print. It comes in small pieces and is written in few transactions; of one evaluation the
 * first and the last 2 Mi characters are kept and what falls between is counted. A chunk's `sequence` is its place
 * in all that was printed, so offsets stay valid while the middle is dropped. What cannot be written waits, and is read
 * as if it had been.
 */
import type { Database } from 'better-sqlite3';
import type { Stream } from '../contract/model';
import { beginning, ending, pieces } from './cut-text';
import { whyUnwritable } from './database-errors';
import { CHUNK, KEPT_AT_EACH_END, UnwrittenOutput } from './unwritten-output';
import type { Writer } from './writer';

const BATCH = 256 * 1024;
const BATCH_MS = 100;

export interface OutputPage {
  /** Standard output and error in the order they came. */
  text: string;
  /** Characters between the asked offset and the beginning of `text` that were dropped. */
  skipped: number;
  /** The offset to go on with. */
  next: number;
  /** Whether there is more now. */
  more: boolean;
}

export interface Chunk {
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

  /** Never throws, and the evaluation goes on: what finds no room anywhere is counted as dropped.
   * @param dropped counts characters printed right before `text` that never came */
  append(evaluation: number, stream: Stream, text: string, dropped = 0): void {
    let gap = dropped;
    for (const piece of pieces(text, BATCH)) {
      this.#unwritten.add(evaluation, { stream, text: piece, dropped: gap });
      gap = 0;
      if (this.#unwritten.size >= BATCH) this.flush();
    }
    if (this.#writer.waiting === null) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  /** Writes what waits, in a transaction of its own. @returns false when that cannot be done now */
  flush(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#unwritten.isEmpty || this.#writer.attempt(() => this.#writeAll());
  }

  /** The row of this evaluation will never be there: nor may its output. */
  forget(evaluation: number): void {
    this.#unwritten.forget(evaluation);
  }

  /** Characters that were counted and not kept. */
  dropped(evaluation: number): number {
    return (this.#statements.dropped.get(evaluation) ?? 0) + this.#unwritten.dropped(evaluation);
  }

  /**
   * @param offset counts all characters printed, also those since dropped
   * @param limit characters, 2 or more; a page also ends where the middle was dropped
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

  /** The last characters of both streams, in the order they came: no more than `limit`, and no character torn. */
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

  /** All that is kept of what went there, in stdout with what code was given to read. */
  whole(evaluation: number, stream: 'stdout' | 'stderr'): string {
    this.flush();
    const written = this.#statements.texts.all(evaluation, stream).join('');
    return written + this.#unwritten.whole(evaluation, stream);
  }

  /** From an offset on, in the order they came. */
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
      // A defect of ours: it must not take the evaluation along that prints.
      this.#unwritten.giveUp();
    }
  }

  #write(evaluation: number): void {
    const { last: lastChunk, write, drop, count } = this.#statements;
    let last = lastChunk.get(evaluation) ?? { sequence: 0, stream: 'stdout', characters: 0 };
    let gone = this.#unwritten.lost(evaluation);
    for (const { stream, text, dropped } of this.#unwritten.printed(evaluation)) {
      if (dropped > 0) last = { stream, sequence: endOf(last) + dropped, characters: 0 };
      gone += dropped;
      const room = last.stream === stream ? CHUNK - last.characters : 0;
      for (const piece of fill(text, room)) {
        const sequence = piece.joins ? last.sequence : endOf(last);
        write.run(evaluation, sequence, stream, piece.text.length, piece.text);
        last = { sequence, stream, characters: (piece.joins ? last.characters : 0) + piece.text.length };
      }
    }
    const keptFrom = endOf(last) - KEPT_AT_EACH_END;
    for (const { characters } of drop.all(evaluation, KEPT_AT_EACH_END, keptFrom, keptFrom))
      gone += characters;
    if (gone > 0) count.run(gone, evaluation);
  }
}

function endOf({ sequence, characters }: Pick<Chunk, 'sequence' | 'characters'>): number {
  return sequence + characters;
}

/** Cuts text for chunks: first what joins the last chunk in its `room`, then new chunks. */
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
