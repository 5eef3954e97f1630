/** Columns of a text, counted from 0 in characters. */

/** Characters between tab stops, as Lisp sources are written. */
const TAB = 8;

const BYTE_ORDER_MARK = '\uFEFF';

/** The column behind a part that begins in this one. */
export function columnAfter(part: string, from: number): number {
  const newline = part.lastIndexOf('\n');
  let column = newline < 0 ? from : 0;
  for (const character of part.slice(newline + 1))
    if (character === '\t') column += TAB - (column % TAB);
    else if (character !== BYTE_ORDER_MARK) column += 1;
  return column;
}
