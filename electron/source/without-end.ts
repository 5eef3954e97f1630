/** A text without what stands at its end: a regular expression for that would look on from each place of every long run. */

/** Without the characters at the end that are among these. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
