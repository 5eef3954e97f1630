/** Cutting text by characters (UTF-16 units) without breaking one that takes two of them. */

/** The longest beginning of `text` of at most `limit` characters. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, endsInPair(text, limit) ? limit - 1 : limit);
}

/** The longest end of `text` of at most `limit` characters. */
export function ending(text: string, limit: number): string {
  const from = text.length - limit;
  if (from <= 0) return text;
  return text.slice(endsInPair(text, from) ? from + 1 : from);
}

/** At most `limit` characters, the last of them an ellipsis when something was left out. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${beginning(text, limit - 1)}…`;
}

/** The first and last `limit` characters, parted by a newline; the whole text when it is no longer than that. */
export function ends(text: string, limit: number): string {
  return text.length <= 2 * limit ? text : `${beginning(text, limit)}\n${text.slice(-limit)}`;
}

/** The whole text in pieces of at most `size` characters. @param size 2 or more */
export function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = beginning(text.slice(from, from + size + 1), size);
    yield piece;
    from += piece.length;
  }
}

/** Whether a cut at `index` would part a surrogate pair. */
function endsInPair(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
