/** Names that many entries share, as small numbers: the index is a third of the size, and lists of them are short. */
import type { Database } from 'better-sqlite3';

export type Field = 'kind' | 'tool' | 'session' | 'engine' | 'client' | 'project' | 'outcome';

export class Words {
  readonly #find;
  readonly #add;
  readonly #known = new Map<string, number>();

  constructor(index: Database) {
    this.#find = index
      .prepare<[Field, string], number>('select id from words where field = ? and text = ?')
      .pluck();
    this.#add = index
      .prepare<[Field, string], number>('insert into words (field, text) values (?, ?) returning id')
      .pluck();
  }

  /** The number of a name, be it a new one; null for null. */
  number(field: Field, text: string | null): number | null {
    if (text === null) return null;
    const key = `${field}\0${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.#find.get(field, text) ?? this.#add.get(field, text) ?? null;
    if (id !== null) this.#known.set(key, id);
    return id;
  }

  /** After a transaction that came to nothing. */
  forget(): void {
    this.#known.clear();
  }
}
