/**
 * The output of evaluations. Small pieces are written together. For each evaluation the first and
 * last 2 Mi characters are stored and the characters between are counted. `sequence` of a chunk is its offset
 * in all printed output, so offsets stay valid when the middle is dropped. Output that cannot be written is
 * queued and is read as if it were written.
 */

import type { Database } from 'better-sqlite3';
import type { Stream } from '../contract/model';
import { whyUnwritable } from './database';
import { beginning, ending, pieces } from './long-text';
import {
  CHUNK,
  type Chunk,
  endOf,
  type Printed,
  type PrintedOutput,
  RETAINED_AT_EACH_END,
  rowWrite,
} from './row-writes';
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
  /** Number of compiler notes that were left out. */
  compilerNotes: number;
}

/** The first line of a note or warning, as an image writes it on its own stream. */
const MESSAGE = /^(?=; [A-Z][A-Z-]*: )/m;

/** Returns the part of a chunk without compiler notes, and the number of notes that begin in it. */
function withoutNotes(
  { stream, text }: Chunk,
  start: number,
  length: number,
): { text: string; notes: number } {
  const end = start + length;
  if (stream !== 'warnings') return { text: text.slice(start, end), notes: 0 };
  let [at, rest, notes] = [0, '', 0];
  for (const message of text.split(MESSAGE)) {
    const [from, to] = [Math.max(at, start), Math.min(at + message.length, end)];
    const isNote = message.startsWith('; NOTE: ');
    if (from < to && isNote && from === at) notes += 1;
    if (from < to && !isNote) rest += text.slice(from, to);
    at += message.length;
  }
  return { text: rest, notes };
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
      for (const output of this.#unwritten.all()) writer.rows.run(['output', output]);
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
   * Writes queued output together.
   * @returns false if that is not possible now
   */
  flush(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const outputs = this.#unwritten.all();
    if (outputs.length === 0) return true;
    this.#unwritten.recorded(outputs);
    const write = (output: PrintedOutput) =>
      rowWrite(['output', output], { written: () => this.#unwritten.settled(output) });
    if (this.#writer.record(outputs.map(write))) return true;
    this.#unwritten.putBack(outputs);
    return this.#writer.attempt(() => this.#writeAll());
  }

  /** Drops the output of an evaluation whose row was dropped. */
  forget(evaluation: number): void {
    this.#unwritten.forget(evaluation);
  }

  /** The number of dropped characters. */
  dropped(evaluation: number): number {
    const here = this.#unwritten.dropped(evaluation);
    if (this.#unwritten.hasAll(evaluation)) return here;
    return (this.#statements.dropped.get(evaluation) ?? 0) + here;
  }

  /**
   * Returns a page of output without compiler notes, which the record has as data.
   * @param offset counts all printed characters, including dropped ones
   * @param limit characters, at least 2, notes included; a page also ends where the middle was dropped
   */
  page(evaluation: number, offset: number, limit: number): OutputPage {
    this.#settle();
    const page: OutputPage = { text: '', skipped: 0, next: offset, more: false, compilerNotes: 0 };
    let length = 0;
    for (const chunk of this.#chunks(evaluation, offset)) {
      const start = Math.max(offset, chunk.sequence);
      const beyondGap = length > 0 && start > page.next;
      const rest = chunk.text.slice(start - chunk.sequence);
      const taken = beyondGap ? '' : beginning(rest, limit - length);
      page.more = taken.length < rest.length;
      if (taken === '') break;
      if (length === 0) page.skipped = start - offset;
      length += taken.length;
      const shown = withoutNotes(chunk, start - chunk.sequence, taken.length);
      page.text += shown.text;
      page.compilerNotes += shown.notes;
      page.next = start + taken.length;
      if (page.more) break;
    }
    return page;
  }

  /** Returns the last `limit` characters of both streams, in order. No surrogate pair is split. */
  end(evaluation: number, limit: number): Pick<Chunk, 'stream' | 'text'>[] {
    this.#settle();
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
    if (this.#unwritten.hasAll(evaluation)) return this.#unwritten.whole(evaluation, stream);
    this.#settle();
    const written = this.#statements.texts.all(evaluation, stream).join('');
    return written + this.#unwritten.whole(evaluation, stream);
  }

  #settle(): void {
    this.flush();
    this.#writer.settle();
  }

  /** Yields the chunks from an offset on, in order. The statement closes when the caller leaves its loop. */
  *#chunks(evaluation: number, offset: number): Generator<Chunk> {
    yield* this.#statements.from.iterate(evaluation, offset - CHUNK, offset);
    const last = this.#statements.last.get(evaluation);
    for (const chunk of this.#unwritten.chunks(evaluation, last ? endOf(last) : 0))
      if (endOf(chunk) > offset) yield chunk;
  }

  #writeAll(): void {
    try {
      this.#inOneTransaction();
      this.#unwritten.written();
    } catch (error) {
      if (whyUnwritable(error) !== null) throw error;
      // An internal error; it must not end the evaluation.
      this.#unwritten.giveUp();
    }
  }
}

function prepare(database: Database) {
  return {
    last: database.prepare<[number], Omit<Chunk, 'text'>>(
      'select sequence, stream, characters from output where evaluation = ? order by sequence desc limit 1',
    ),
    dropped: database
      .prepare<[number], number>('select output_dropped from evaluations where id = ?')
      .pluck(),
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

export { RETAINED_AT_EACH_END };

/** Maximum queued characters of all evaluations; more are counted as dropped. */
const MOST = 16 * 1024 * 1024;
/** Maximum evaluations of which is known that the database has none of their output. */
const MOST_WRITTEN = 10_000;

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
  /** Output in the journal, in order. */
  readonly #recorded = new Map<number, PrintedOutput[]>();
  /** Evaluations with output in the journal or the database; those up to `#writtenUpTo` may have some. */
  readonly #written = new Set<number>();
  #writtenUpTo = 0;
  #size = 0;

  /** Queued characters. */
  get size(): number {
    return this.#size;
  }

  /** The queued output of each evaluation. */
  all(): PrintedOutput[] {
    return Array.from(this.#of, ([evaluation, { printed, lost }]) => ({ evaluation, printed, lost }));
  }

  /** Reports whether neither the journal nor the database has output of the evaluation, and this has some. */
  hasAll(evaluation: number): boolean {
    return this.#of.has(evaluation) && evaluation > this.#writtenUpTo && !this.#written.has(evaluation);
  }

  /** The journal has all queued output. */
  recorded(outputs: readonly PrintedOutput[]): void {
    for (const output of outputs)
      this.#recorded.set(output.evaluation, [...(this.#recorded.get(output.evaluation) ?? []), output]);
    this.written();
  }

  /** The journal could not be written after all. */
  putBack(outputs: readonly PrintedOutput[]): void {
    for (const output of outputs) {
      this.settled(output);
      const printed = [...output.printed];
      const length = printed.reduce((sum, { text }) => sum + text.length, 0);
      this.#of.set(output.evaluation, { printed, length, head: null, lost: output.lost });
      this.#size += length;
    }
  }

  /** The database has output that the journal had. */
  settled(output: PrintedOutput): void {
    const rest = this.#recorded.get(output.evaluation)?.filter((each) => each !== output) ?? [];
    if (rest.length > 0) this.#recorded.set(output.evaluation, rest);
    else this.#recorded.delete(output.evaluation);
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

  /** All queued output is written. */
  written(): void {
    for (const evaluation of this.#of.keys()) this.#written.add(evaluation);
    if (this.#written.size > MOST_WRITTEN) {
      this.#writtenUpTo = Math.max(...this.#written);
      this.#written.clear();
    }
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

  /** Text in order, each with the number of lost characters before it; the last one may be empty. */
  *#printed(evaluation: number): Generator<Printed> {
    const recorded = this.#recorded.get(evaluation) ?? [];
    const queued = this.#of.get(evaluation);
    let lost = 0;
    for (const output of queued ? [...recorded, queued] : recorded) {
      for (const each of output.printed) {
        yield { ...each, dropped: each.dropped + lost };
        lost = 0;
      }
      lost += output.lost;
    }
    if (lost > 0) yield { stream: 'stdout', text: '', dropped: lost };
  }

  /** All dropped characters. */
  dropped(evaluation: number): number {
    let sum = 0;
    for (const { dropped } of this.#printed(evaluation)) sum += dropped;
    return sum;
  }

  whole(evaluation: number, whole: 'stdout' | 'stderr'): string {
    let all = '';
    for (const { stream, text } of this.#printed(evaluation))
      if ((stream === 'input' ? 'stdout' : stream) === whole) all += text;
    return all;
  }

  /** @param end the end offset of the written output */
  *chunks(evaluation: number, end: number): Generator<Chunk> {
    let sequence = end;
    for (const { stream, text, dropped } of this.#printed(evaluation)) {
      sequence += dropped;
      if (text !== '') yield { sequence, stream, characters: text.length, text };
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
