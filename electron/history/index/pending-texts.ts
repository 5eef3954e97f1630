/**
 * Texts on their way into the index of texts. It is handed them in the order of their keys: with each key below the one before
 * it would begin another piece of itself, and what it then has to put together takes most of the time of indexing.
 */
import type { Database } from 'better-sqlite3';

/** What is searched of an entry. */
type Texts = readonly [asked: string, answered: string, printed: string];

export class PendingTexts {
  readonly #insert;
  readonly #delete;
  readonly #pending = new Map<number, { texts: Texts; again: boolean }>();
  #characters = 0;

  constructor(index: Database) {
    this.#insert = index.prepare<[number, ...Texts]>(
      'insert into texts (rowid, asked, answered, printed) values (?, ?, ?, ?)',
    );
    this.#delete = index.prepare<[number]>('delete from texts where rowid = ?');
  }

  /** Of all that waits to be written. */
  get characters(): number {
    return this.#characters;
  }

  /** @param again whether the index has other texts of this key */
  put(key: number, again: boolean, texts: Texts): void {
    this.#pending.set(key, { texts, again });
    for (const text of texts) this.#characters += text.length;
  }

  /** At once, also what has not been written yet. */
  remove(key: number): void {
    this.#pending.delete(key);
    this.#delete.run(key);
  }

  /** To be called at the end of each transaction. */
  write(): void {
    for (const [key, { texts, again }] of [...this.#pending].sort(([one], [other]) => one - other)) {
      if (again) this.#delete.run(key);
      this.#insert.run(key, ...texts);
    }
    this.forget();
  }

  /** After a transaction that came to nothing. */
  forget(): void {
    this.#pending.clear();
    this.#characters = 0;
  }
}
