/** Lines and columns of offsets in a text, both counted from 1. */

export interface Position {
  line: number;
  column: number;
}

export class Positions {
  /** Where each line begins. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    this.#starts = starts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  of(offset: number): Position {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  line(offset: number): number {
    return this.of(offset).line;
  }

  /** Where that line begins. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }
}
