/** A part of a text by characters as Lisp counts them, by code point. */

export interface Slice {
  text: string;
  /** Characters in the whole text. */
  total: number;
  /** Where the next part begins; absent at the end. */
  next?: number;
}

export function slice(text: string, offset: number, limit: number): Slice {
  const total = characters(text);
  const end = Math.min(offset + limit, total);
  const part =
    total === text.length ? text.slice(offset, end) : text.slice(unitAt(text, offset), unitAt(text, end));
  return { text: part, total, ...(end < total ? { next: end } : {}) };
}

function characters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Where that character begins, in UTF-16 units. */
function unitAt(text: string, character: number): number {
  let unit = 0;
  for (let left = character; left > 0 && unit < text.length; left -= 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}
