/**
 * Cuts text by UTF-16 units without splitting surrogate pairs, and stores long values apart from their rows.
 */

import type { Database, Statement } from 'better-sqlite3';
import type { FormResult } from '../contract/model';

/** Returns the longest beginning of at most `limit` units. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, endsInPair(text, limit) ? limit - 1 : limit);
}

/** Returns the longest end of at most `limit` units. */
export function ending(text: string, limit: number): string {
  const from = text.length - limit;
  if (from <= 0) return text;
  return text.slice(endsInPair(text, from) ? from + 1 : from);
}

/** Returns at most `limit` units; the last one is an ellipsis if the text was cut. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${beginning(text, limit - 1)}…`;
}

/** Returns at most `limit` units, with an ellipsis for the middle: the conclusion of a formula is at its end. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - 3) / 2);
  return `${beginning(text, half)} … ${ending(text, half)}`;
}

/** Returns the first and last `limit` units with a newline between; the whole text if it is short enough. */
export function ends(text: string, limit: number): string {
  return text.length <= 2 * limit ? text : `${beginning(text, limit)}\n${text.slice(-limit)}`;
}

/**
 * Splits the text into pieces of at most `size` units.
 * @param size at least 2
 */
export function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = beginning(text.slice(from, from + size + 1), size);
    yield piece;
    from += piece.length;
  }
}

/** Reports whether a cut at `index` would split a surrogate pair. */
function endsInPair(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

// Printed values that are too long for a row. The row has the beginning and length of each; the full text is
// in a table of its own, so that lists and searches need not read it.

/** Maximum characters of one value in a row. */
export const ROW_VALUE = 65_536;

/** A value with the indexes of its form and of itself among the form's values. */
export interface LongValue {
  form: number;
  value: number;
  text: string;
}

export class LongValues {
  readonly #read: Statement<[number], LongValue>;
  /** By evaluation: values that are not yet written. */
  readonly #unwritten = new Map<number, readonly LongValue[]>();

  constructor(database: Database) {
    this.#read = database.prepare('select form, value, text from long_values where evaluation = ?');
  }

  /**
   * Stores the long values until they are written.
   * @returns the forms for the row, and the values to be stored apart
   */
  take(
    evaluation: number,
    forms: readonly FormResult[],
  ): { forms: FormResult[]; long: readonly LongValue[] } {
    const long = forms.flatMap(({ values }, form) =>
      values.flatMap((text, value) => (text.length > ROW_VALUE ? { form, value, text } : [])),
    );
    if (long.length === 0) return { forms: [...forms], long };
    this.#unwritten.set(evaluation, long);
    return { forms: forms.map(shortened), long };
  }

  /** Removes values that are written or dropped. */
  forget(evaluation: number): void {
    this.#unwritten.delete(evaluation);
  }

  /** Returns the forms with complete values. */
  whole(evaluation: number, forms: readonly FormResult[]): FormResult[] {
    if (forms.every(({ lengths }) => lengths === undefined)) return [...forms];
    const long = this.#unwritten.get(evaluation) ?? this.#read.all(evaluation);
    const texts = new Map(long.map(({ form, value, text }) => [`${form} ${value}`, text]));
    return forms.map(({ lengths: _lengths, values, ...rest }, form) => ({
      ...rest,
      values: values.map((text, value) => texts.get(`${form} ${value}`) ?? text),
    }));
  }
}

function shortened(form: FormResult): FormResult {
  const { values } = form;
  if (values.every(({ length }) => length <= ROW_VALUE)) return form;
  return {
    ...form,
    values: values.map((text) => beginning(text, ROW_VALUE)),
    lengths: values.map(({ length }) => length),
  };
}
