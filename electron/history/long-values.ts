/**
 * Printed values that are too long for a row of the history: the row has the beginning of each and how long it is, and the
 * whole text lies in a table of its own, so that lists and searches read no more than they show.
 */
import type { Database, Statement, Transaction } from 'better-sqlite3';
import type { FormResult } from '../contract/model';
import { beginning } from './cut-text';

/** Characters of one value that a row has. */
export const ROW_VALUE = 65_536;

/** A value by its place: that of its form, and its own among the values of that. */
interface LongValue {
  form: number;
  value: number;
  text: string;
}

export class LongValues {
  readonly #write: Transaction<(evaluation: number, row: () => void) => void>;
  readonly #read: Statement<[number], LongValue>;
  /** By evaluation, what is not in the database yet. */
  readonly #unwritten = new Map<number, readonly LongValue[]>();

  constructor(database: Database) {
    const insert = database.prepare<[LongValue & { evaluation: number }]>(
      'insert or replace into long_values (evaluation, form, value, text) values (@evaluation, @form, @value, @text)',
    );
    this.#write = database.transaction((evaluation, row) => {
      row();
      for (const long of this.#unwritten.get(evaluation) ?? []) insert.run({ evaluation, ...long });
    });
    this.#read = database.prepare('select form, value, text from long_values where evaluation = ?');
  }

  /** Keeps the long values of what `evaluation` answered until they are written.
   * @returns the forms as a row has them, and the characters that lie beside it */
  take(evaluation: number, forms: readonly FormResult[]): { forms: FormResult[]; size: number } {
    const long = forms.flatMap(({ values }, form) =>
      values.flatMap((text, value) => (text.length > ROW_VALUE ? { form, value, text } : [])),
    );
    if (long.length === 0) return { forms: [...forms], size: 0 };
    this.#unwritten.set(evaluation, long);
    return { forms: forms.map(shortened), size: long.reduce((sum, { text }) => sum + text.length, 0) };
  }

  /** Runs `row`, which writes a row of the history, and writes its long values with it: both or nothing. */
  writeWith(evaluation: number, row: () => void): void {
    if (this.#unwritten.has(evaluation)) this.#write(evaluation, row);
    else row();
  }

  /** They are written, or never will be. */
  forget(evaluation: number): void {
    this.#unwritten.delete(evaluation);
  }

  /** The forms of a row with their values whole. */
  whole(evaluation: number, forms: readonly FormResult[]): FormResult[] {
    if (forms.every(({ lengths }) => lengths === undefined)) return [...forms];
    const long = this.#unwritten.get(evaluation) ?? this.#read.all(evaluation);
    const texts = new Map(long.map(({ form, value, text }) => [`${form} ${value}`, text]));
    return forms.map(({ code, values }, form) => ({
      code,
      values: values.map((text, value) => texts.get(`${form} ${value}`) ?? text),
    }));
  }
}

function shortened(form: FormResult): FormResult {
  const { code, values } = form;
  if (values.every(({ length }) => length <= ROW_VALUE)) return form;
  return {
    code,
    values: values.map((text) => beginning(text, ROW_VALUE)),
    lengths: values.map(({ length }) => length),
  };
}
