/**
 * The full-text index: trigrams of what was asked, printed and signalled. Indexing a row costs more than closing it, so
 * closed rows wait for a quiet moment; whoever searches has what waits written first, and what runs as it is by then.
 */
import type { Database } from 'better-sqlite3';
import type { Evaluation } from '../contract/model';
import { ends } from './cut-text';
import type { Output } from './output';
import type { Writer } from './writer';

/** Characters indexed of either end of a text: indexing takes time and room, and long output repeats itself. */
const INDEXED_AT_EACH_END = 16 * 1024;
const DELAY_MS = 200;
/** Rows indexed at once while evaluations may be waiting. */
const BATCH = 20;

/** What the index takes from a row; lists are JSON. */
type Texts = Pick<Evaluation, 'id' | 'code'> & { forms: string; type: string | null; message: string | null };

export class FullText {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #writer: Writer;
  readonly #output: Output;
  readonly #indexAll: (ids: readonly number[]) => void;
  readonly #waiting = new Set<number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(writer: Writer, output: Output) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#output = output;
    this.#indexAll = writer.database.transaction((ids: readonly number[]) => {
      for (const id of ids) this.#index(id);
    });
    writer.addBacklog(() => this.#catchUp());
  }

  /** Rows that the index has not, or has as they were. */
  get waiting(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** Indexes the row later, in the place of what was known of it. */
  add(id: number): void {
    this.#waiting.add(id);
    this.#schedule();
  }

  /** Finds rows that a harbor that was killed did not come to index. Reads two narrow indexes, no rows. */
  addMissing(): void {
    for (const id of this.#statements.missing.all()) this.#waiting.add(id);
    this.#schedule();
  }

  /** Indexes all that waits, and rows that still run as they are now, as far as anything can be written. */
  flush(running: readonly number[]): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#take([...this.#waiting, ...running]);
  }

  #schedule(): void {
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#indexSome(), DELAY_MS).unref();
  }

  #indexSome(): void {
    this.#timer = null;
    // What cannot be written is tried again when it can be.
    if (!this.#take([...this.#waiting].slice(0, BATCH))) return;
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#indexSome(), 0).unref();
  }

  #take(ids: readonly number[]): boolean {
    return this.#output.flush() && (ids.length === 0 || this.#writer.attempt(() => this.#write(ids)));
  }

  /** Some of them show that it can be done. */
  #catchUp(): void {
    this.#write([...this.#waiting].slice(0, BATCH));
    this.#schedule();
  }

  #write(ids: readonly number[]): void {
    this.#indexAll(ids);
    for (const id of ids) this.#waiting.delete(id);
  }

  #index(id: number): void {
    const texts = this.#statements.texts.get(id);
    if (texts === undefined) return;
    const { code, forms, type, message } = texts;
    this.#statements.remove.run(id);
    this.#statements.insert.run(
      id,
      ends(code, INDEXED_AT_EACH_END),
      ends(printedValues(forms), INDEXED_AT_EACH_END),
      this.#output.ends(id, INDEXED_AT_EACH_END),
      type === null ? '' : ends(`${type}\n${message ?? ''}`, INDEXED_AT_EACH_END),
    );
  }
}

function printedValues(forms: string): string {
  const parsed: Evaluation['forms'] = JSON.parse(forms);
  return parsed.flatMap((form) => form.values).join('\n');
}

function prepare(database: Database) {
  return {
    remove: database.prepare<[number]>('delete from search where rowid = ?'),
    insert: database.prepare<[number, string, string, string, string]>(
      'insert into search (rowid, code, printed, output, condition) values (?, ?, ?, ?, ?)',
    ),
    texts: database.prepare<[number], Texts>(
      `select id, code, forms, json_extract(condition, '$.type') as type, json_extract(condition, '$.message') as message
       from evaluations where id = ?`,
    ),
    // FTS5 keeps a row in search_docsize for each row of the index (https://www.sqlite.org/fts5.html, section 9).
    missing: database
      .prepare<[], number>(
        `select id from evaluations where outcome != 'running' and id not in (select id from search_docsize)`,
      )
      .pluck(),
  };
}
