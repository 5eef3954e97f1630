/** The full-text index: trigrams of what was asked, printed and signalled, kept when a row is closed. */
import type { Database, Statement } from 'better-sqlite3';
import type { Evaluation } from '../contract/model';
import type { Output } from './output';
import { ends } from './text';

/** Characters indexed of either end of a text: indexing takes time and room, and long output repeats itself. */
const INDEXED_AT_EACH_END = 16 * 1024;

export class FullText {
  readonly #output: Output;
  readonly #remove: Statement<[number]>;
  readonly #insert: Statement<[number, string, string, string, string]>;

  constructor(database: Database, output: Output) {
    this.#output = output;
    this.#remove = database.prepare('delete from search where rowid = ?');
    this.#insert = database.prepare(
      'insert into search (rowid, code, printed, output, condition) values (?, ?, ?, ?, ?)',
    );
  }

  /** Puts the evaluation's texts in the place of what was known of it. */
  index({ id, code, forms, condition }: Pick<Evaluation, 'id' | 'code' | 'forms' | 'condition'>): void {
    const values = forms.flatMap((form) => form.values).join('\n');
    this.#remove.run(id);
    this.#insert.run(
      id,
      ends(code, INDEXED_AT_EACH_END),
      ends(values, INDEXED_AT_EACH_END),
      this.#output.ends(id, INDEXED_AT_EACH_END),
      condition === null ? '' : ends(`${condition.type}\n${condition.message}`, INDEXED_AT_EACH_END),
    );
  }
}
