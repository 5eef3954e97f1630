/** Changes of a text as the places that they replace, so that all the rest stays as it is. Pure. */

/** What stands at [from, to) becomes `text`. */
export interface TextEdit {
  from: number;
  to: number;
  text: string;
}

/** @param edits that do not overlap, in any order; of two at one place the first comes first */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  return pieces.join('') + text.slice(at);
}

/** Where the line of this offset begins. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Where the line of this offset ends, its line break included. */
export function lineEnd(text: string, offset: number): number {
  const rest = /\r\n|\r|\n/.exec(text.slice(offset));
  return rest === null ? text.length : offset + rest.index + rest[0].length;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** A text without the byte order mark that it may begin with. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { mark, body: text.slice(mark.length) };
}
