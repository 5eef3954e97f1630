/** The end of what a program said, where only that much can be shown. Pure. */

/** Whole lines, `most` characters of them at most; of a last line that is longer, its end. */
export function lastLines(text: string, most: number): string {
  const said = text.trim();
  if (said.length <= most) return said;
  const end = said.slice(-most);
  return end.slice(end.indexOf('\n') + 1);
}
