/**
 * What evaluations print. It comes in small pieces and is written in few transactions; of one evaluation the
 * first and the last 2 Mi characters are kept and what falls between is counted. A chunk's `sequence` is its place
 * in all that was printed, so offsets stay valid while the middle is dropped.
 */
import type { Database } from 'better-sqlite3';
import type { Stream } from '../contract/model';
import { beginning, pieces } from './cut-text';

/** Characters kept at each end of an evaluation's output; at most one chunk more. */
export const KEPT_AT_EACH_END = 2 * 1024 * 1024;
const CHUNK = 16 * 1024;
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

interface Chunk {
  sequence: number;
  stream: Stream;
  characters: number;
  text: string;
}

/** Text with the characters that were printed right before it and never came. */
interface Printed {
  stream: Stream;
  text: string;
  dropped: number;
}

interface Pending {
  printed: Printed[];
  /** Characters that could not be written. */
  lost: number;
}

export class Output {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #writeAll: () => void;
  readonly #pending = new Map<number, Pending>();
  #size = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#writeAll = database.transaction(() => {
      for (const [evaluation, pending] of this.#pending) this.#write(evaluation, pending);
    });
  }

  /** Never throws: output that cannot be written (a full disk) is counted as dropped, and the evaluation goes on.
   * @param dropped counts characters printed right before `text` that never came */
  append(evaluation: number, stream: Stream, text: string, dropped = 0): void {
    let gap = dropped;
    for (const piece of pieces(text, BATCH)) {
      this.#remember(evaluation, { stream, text: piece, dropped: gap });
      gap = 0;
      if (this.#size >= BATCH) this.flush();
    }
    if (this.#size > 0) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  /** Writes what waits, in a transaction of its own. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    try {
      this.#writeAll();
      this.#pending.clear();
    } catch {
      for (const pending of this.#pending.values()) giveUp(pending);
    }
    this.#size = 0;
  }

  /**
   * @param offset counts all characters printed, also those since dropped
   * @param limit characters, 2 or more; a page also ends where the middle was dropped
   */
  page(evaluation: number, offset: number, limit: number): OutputPage {
    this.flush();
    const page: OutputPage = { text: '', skipped: 0, next: offset, more: false };
    for (const chunk of this.#statements.from.iterate(evaluation, offset - CHUNK, offset)) {
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

  /** All that is kept of one stream. */
  whole(evaluation: number, stream: Stream): string {
    this.flush();
    return this.#statements.texts.all(evaluation, stream).join('');
  }

  /** The first and the last `characters` of what was printed, for the full-text index. */
  ends(evaluation: number, characters: number): string {
    this.flush();
    const printed = this.#statements.last.get(evaluation);
    if (!printed) return '';
    const end = printed.sequence + printed.characters;
    const head = this.page(evaluation, 0, characters);
    const tail = this.page(evaluation, Math.max(head.next, end - characters), characters);
    // Not one text: a match across the gap would be no substring of the output.
    return head.next + tail.text.length === end ? head.text + tail.text : `${head.text}\n${tail.text}`;
  }

  #remember(evaluation: number, printed: Printed): void {
    const pending = this.#pending.get(evaluation) ?? { printed: [], lost: 0 };
    this.#pending.set(evaluation, pending);
    const last = pending.printed.at(-1);
    if (last?.stream === printed.stream && printed.dropped === 0) last.text += printed.text;
    else pending.printed.push(printed);
    this.#size += printed.text.length;
  }

  #write(evaluation: number, { printed, lost }: Pending): void {
    const { last: lastChunk, write, drop, count } = this.#statements;
    let last = lastChunk.get(evaluation) ?? { sequence: 0, stream: 'stdout', characters: 0 };
    let gone = lost;
    for (const { stream, text, dropped } of printed) {
      if (dropped > 0) last = { stream, sequence: last.sequence + last.characters + dropped, characters: 0 };
      gone += dropped;
      const room = last.stream === stream ? CHUNK - last.characters : 0;
      for (const piece of fill(text, room)) {
        const sequence = piece.joins ? last.sequence : last.sequence + last.characters;
        write.run(evaluation, sequence, stream, piece.text.length, piece.text);
        last = { sequence, stream, characters: (piece.joins ? last.characters : 0) + piece.text.length };
      }
    }
    const keptFrom = last.sequence + last.characters - KEPT_AT_EACH_END;
    for (const { characters } of drop.all(evaluation, KEPT_AT_EACH_END, keptFrom, keptFrom))
      gone += characters;
    if (gone > 0) count.run(gone, evaluation);
  }
}

/** Cuts text for chunks: first what joins the last chunk in its `room`, then new chunks. */
function* fill(text: string, room: number): Generator<{ text: string; joins: boolean }> {
  const joined = room < 2 ? '' : beginning(text, room);
  if (joined !== '') yield { text: joined, joins: true };
  for (const piece of pieces(text.slice(joined.length), CHUNK)) yield { text: piece, joins: false };
}

function giveUp(pending: Pending): void {
  pending.lost += pending.printed.reduce((sum, { text, dropped }) => sum + text.length + dropped, 0);
  pending.printed = [];
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
    count: database.prepare<[number, number]>(
      'update evaluations set output_dropped = output_dropped + ? where id = ?',
    ),
    from: database.prepare<[number, number, number], Chunk>(
      `select sequence, stream, characters, text from output
       where evaluation = ? and sequence > ? and sequence + characters > ? order by sequence`,
    ),
    texts: database
      .prepare<[number, Stream], string>(
        'select text from output where evaluation = ? and stream = ? order by sequence',
      )
      .pluck(),
  };
}
