/** Suggests a known name for a misspelled one. Pure. */

/** Maximum edit distance of a misspelling. */
const SLIPS = 2;

/** Returns the nearest of `known`, ignoring case, or null if none is near. */
export function likelyName(written: string, known: readonly string[]): string | null {
  const near = known
    // Names of very different length are not compared.
    .filter((name) => Math.abs(name.length - written.length) <= SLIPS)
    .map((name) => ({ name, slips: slipsBetween(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= SLIPS && slips < name.length / 2)
    .sort((one, other) => one.slips - other.slips);
  return near[0]?.name ?? null;
}

/** Returns the Levenshtein distance. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, its] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
